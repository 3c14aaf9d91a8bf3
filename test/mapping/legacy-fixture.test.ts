import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkPayload, checkTogether, defaultRuleContext } from '../../src/contract/preflight.ts';
import { stringifyJson } from '../../src/domain/json.ts';
import { extraStepNames, type StepName } from '../../src/domain/steps.ts';
import type { AccountPlan } from '../../src/mapping/plan.ts';
import { readMapping } from '../../src/mapping/read-mapping.ts';
import { accountFields, sections } from '../../src/mapping/sections.ts';
import type { Target } from '../../src/mapping/target.ts';
import { openExport } from '../../src/source/open-export.ts';

const directory = fileURLToPath(new URL('../../fixtures/legacy/', import.meta.url));
const rules = defaultRuleContext('2024-06-01');

async function readPlans(): Promise<AccountPlan[]> {
  const mapping = readMapping('mapping.yaml', readFileSync(`${directory}mapping.yaml`, 'utf8'), {});
  if (!('bind' in mapping)) throw new Error(JSON.stringify(mapping.problems));
  expect(mapping.warnings).toEqual([]);
  const source = await openExport(`${directory}export`, mapping.tables);
  if (!('bundles' in source)) throw new Error(JSON.stringify(source.problems));
  expect(source.faults).toEqual([]);
  const bound = mapping.bind(source.tables);
  if (typeof bound !== 'function') throw new Error(JSON.stringify(bound.problems));
  const plans: AccountPlan[] = [];
  for await (const bundle of source.bundles()) plans.push(bound(bundle));
  source.close();
  return plans;
}

describe('the legacy export with its mapping', () => {
  let plans: AccountPlan[];
  beforeAll(async () => void (plans = await readPlans()));

  test('gives fifty accounts that the contract and its rules accept without a word', () => {
    expect(plans.length).toBe(50);
    const found = plans.flatMap((plan) => [
      ...plan.problems,
      ...checkPayload('validate', plan.payload, rules),
      ...extraStepNames.flatMap((step) =>
        plan.extras[step].flatMap((payload) => checkPayload(step, payload, rules)),
      ),
      ...checkTogether(plan.payload, plan.extras, rules),
    ]);
    expect(found).toEqual([]);
    expect(new Set(plans.map(({ key }) => key.supplier))).toEqual(new Set(['TENTACLE_ENERGY']));
  });

  test('fills every field of the interface and every step', () => {
    const unfilled = [
      ...missing(
        { type: 'object', fields: accountFields },
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

  test('reads umlauts, decimal commas, dates and codes', () => {
    const account = plans.find(({ key }) => key.account === '0000100017');
    expect(account?.payload).toMatchObject({
      account_type: 'DOMESTIC',
      billing_address: { street_address: 'Straße der Muster 165a', locality: 'Übungen', country: 'DE' },
      customers: [{ title: 'Frau', given_name: 'Jürgen', unable_to_read_meters: true }],
      transfer_balance: '43.44',
      ledgers: [{ ledger_balance: 43.44, last_statement_closing_date: '2023-12-31' }],
    });
    const bodies = plans.flatMap(({ extras }) => stringifyJson([...extras.notes]));
    expect(bodies.some((text) => text.includes('1.200,00 €'))).toBe(true);
  });

  test('traces any value to its file, line and column', () => {
    const account = plans.find(({ key }) => key.account === '0000100017')!;
    const lines = (file: string) => readFileSync(`${directory}export/${file}`, 'latin1').split('\r\n');
    const cellText = (step: StepName, path: string): string | undefined => {
      const { file, line, column } = account.locate(step, path)!;
      const [header, row] = [lines(file)[0]!.split(';'), lines(file)[line - 1]!.split(';')];
      return row[header.indexOf(column)];
    };
    expect(cellText('stage', 'billing_address.postal_code')).toBe('70005');
    expect(cellText('stage', 'ledgers.0.ledger_balance')).toBe('43,44');
    expect(cellText('stage', 'ledgers.0.current_statement_transactions.0.transaction_id')).toMatch(
      /^100017-/,
    );
    expect(account.locate('stage', 'supply_addresses.0.supply_address.country')).toMatchObject({
      file: 'mapping.yaml',
      column: 'account.supply_addresses.each.supply_address.country',
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
