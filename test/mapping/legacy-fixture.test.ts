import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkPayload, checkAccountRules, defaultRuleContext } from '../../src/contract/preflight.ts';
import { extraStepNames, type StepName } from '../../src/domain/steps.ts';
import type { AccountPlan } from '../../src/mapping/plan.ts';
import { readMapping } from '../../src/mapping/read-mapping.ts';
import { interfaceShape, type Target } from '../../src/mapping/payload-shape.ts';
import { plansOf } from './sample-systems/plans-of.ts';

const directory = fileURLToPath(new URL('../../fixtures/legacy/', import.meta.url));
const rules = { ...defaultRuleContext('2024-07-01'), levels: new Map([['unknown_value', 'off' as const]]) };

describe('the legacy export with its mapping', () => {
  let plans: readonly AccountPlan[];
  beforeAll(async () => void ({ plans } = await plansOf(`${directory}export`, `${directory}mapping.yaml`)));

  test('gives fifty accounts that the contract and its rules accept without a word', () => {
    expect(plans.length).toBe(50);
    const found = plans.flatMap((plan) => [
      ...plan.problems,
      ...checkPayload('validate', plan.payload, rules),
      ...extraStepNames.flatMap((step) =>
        plan.extras[step].flatMap((payload) => checkPayload(step, payload, rules)),
      ),
      ...checkAccountRules(plan.payload, plan.extras, rules),
    ]);
    expect(found).toEqual([]);
    expect(new Set(plans.map(({ key }) => key.supplier))).toEqual(new Set(['TENTACLE_ENERGY']));
  });

  test('fills every field of the interface and every step', () => {
    const { account, sections } = interfaceShape();
    const unfilled = [
      ...missing(
        { type: 'object', fields: account },
        plans.map(({ payload }) => payload),
        '',
      ),
      ...sections.flatMap(({ name, step, field, element }) => {
        const payloads: unknown[] = plans.flatMap(({ extras }) => extras[step]);
        return missing(
          element,
          field === undefined ? payloads : payloads.flatMap((payload) => valuesAt(payload, field)).flat(),
          name,
        );
      }),
    ];
    expect(unfilled).toEqual([]);
  });

  test('traces any value to its file, line and column', () => {
    const account = plans.find(({ key }) => key.account === 'EXT-000004')!;
    const cellText = (step: StepName, path: string): string | undefined => {
      const { file, line, column } = account.locate(step, path)!;
      const lines = readFileSync(`${directory}export/${file}`, 'latin1').split(/\r?\n/);
      const [header = [], row = []] = [0, line - 1].map(
        (from) => parse(lines.slice(from).join('\n'), { delimiter: ';', to: 1 })[0] as string[],
      );
      return row[header.indexOf(column)];
    };
    expect(cellText('stage', 'billing_address.postal_code')).toBe('07928');
    expect(cellText('stage', 'ledgers.0.ledger_balance')).toMatch(/^-?\d+,\d\d$/);
    expect(cellText('stage', 'customers.1.family_name')).toContain('&#7877;');
    expect(cellText('notes', 'notes.0.created_at')).toMatch(/^\d\d\.\d\d\.\d{4}$/);
    for (const [step, path] of [
      ['stage', 'ledgers.0.current_statement_transactions.0.transaction_id'],
      ['transactions', 'transactions.0.transaction_id'],
      ['billing-documents', 'historical_billing_documents.0.transactions.0.transaction_id'],
    ] as const)
      expect([account.locate(step, path)?.file, cellText(step, path)]).toEqual([
        'POSTEN.csv',
        expect.stringMatching(/^EXT-000004-T/),
      ]);
    expect(account.locate('stage', 'sales_subchannel')).toMatchObject({
      file: expect.stringMatching(/legacy.mapping\.yaml$/) as string,
      column: 'account.sales_subchannel',
    });
  });
});

describe('its mapping file, spoilt in any way', () => {
  const text = readFileSync(`${directory}mapping.yaml`, 'utf8');
  const lines = text.split('\n');

  test('is refused at a line of its own, or still read; never a crash', () => {
    const line = fc.nat({ max: lines.length - 1 });
    const scrap = fc.constantFrom(
      '',
      '[]',
      '{}',
      '{ from: x }',
      '- a',
      'from: meters',
      '__proto__: { a: b }',
      '*none',
      '&a',
      '!!x',
      '"',
      '? k',
      '\t',
    );
    fc.assert(
      fc.property(
        line,
        line,
        scrap,
        fc.constantFrom('cut', 'drop', 'swap', 'value', 'add'),
        (one, other, put, way) => {
          const spoilt = [...lines];
          const [first = '', second = ''] = [lines[one], lines[other]];
          if (way === 'cut') spoilt.length = one;
          if (way === 'drop') spoilt.splice(one, 1);
          if (way === 'swap') [spoilt[one], spoilt[other]] = [second, first];
          if (way === 'value') spoilt[one] = `${first.split(':', 1).join('')}: ${put}`;
          if (way === 'add') spoilt.splice(one, 0, `${/^ */.exec(first)![0]}${put}`);
          const mapping = readMapping('m.yaml', spoilt.join('\n'), {});
          if ('bind' in mapping) return;
          expect(mapping.problems.length).toBeGreaterThan(0);
          for (const { cell, detail } of mapping.problems) {
            expect(cell!.line).toBeLessThanOrEqual(spoilt.length + 1);
            expect(cell!.line).toBeGreaterThan(0);
            expect(detail).not.toBe('');
          }
        },
      ),
      { numRuns: 80 },
    );
  });
});

/** Paths of fields that none of the values has. */
function missing(target: Target, values: readonly unknown[], path: string): string[] {
  if (values.length === 0) return [path];
  if (target.type === 'list') return missing(target.element, values.flat(), path);
  if (target.type !== 'object') return [];
  return [...target.fields].flatMap(([name, field]) =>
    missing(
      field,
      values.flatMap((value) => valuesAt(value, name)),
      `${path}.${name}`,
    ),
  );
}

function valuesAt(value: unknown, name: string): readonly unknown[] {
  const inner: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return inner === undefined ? [] : [inner];
}
