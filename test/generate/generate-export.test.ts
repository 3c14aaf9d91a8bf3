import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/contract/endpoints.ts';
import {
  checkPayload,
  checkAccountRules,
  defaultRuleContext,
  type Extras,
} from '../../src/contract/preflight.ts';
import { isJsonObject, parseJson, type JsonValue } from '../../src/domain/json.ts';
import { extraStepNames } from '../../src/domain/steps.ts';
import { CannotGenerate, generateExport } from '../../src/generate/generate-export.ts';
import { filesOf, generated, generatedDirectory, ndjsonRecords } from './read-export.ts';

const requestSchemas = {
  accounts: endpoints.validate.request,
  notes: endpoints.notes.request,
  transactions: endpoints.transactions.request,
  historical_agreements: endpoints.agreements.request,
  historical_billing_documents: endpoints.billingDocuments.request,
  historical_statements: endpoints.statements.request,
  payment_instructions: endpoints.paymentInstruction.request,
};

describe('a generated export', () => {
  it('is the same, byte by byte, for the same seed, and another for another', async () => {
    for (const shape of ['interface', 'flat'] as const) {
      const first = await generated({ shape, seed: 7 });
      expect(await generated({ shape, seed: 7 })).toEqual(first);
      expect(await generated({ shape, seed: 8 })).not.toEqual(first);
    }
  });

  it('keeps its first accounts when more are asked for', async () => {
    const few = await generated({ accounts: 5 });
    const many = await generated({ accounts: 50 });
    for (const [name, text] of few) expect(many.get(name)?.startsWith(text)).toBe(true);
  });

  it('has every documented field in it', async () => {
    const files = await generated({});
    for (const [name, schema] of Object.entries(requestSchemas)) {
      const found = new Set(ndjsonRecords(files.get(`${name}.ndjson`)).flatMap((one) => leaves(one)));
      expect([...found].map(belowMetadata)).toEqual(expect.arrayContaining(fieldsOf(schema)));
    }
  });

  it.each([1, 2, 3, 99_999_999_999])('keeps every rule for seed %d', async (seed) => {
    const files = await generated({ seed, accounts: 120 });
    const parsed = new Map([...files].map(([name, text]) => [name, ndjsonRecords(text)]));
    for (const payload of parsed.get('accounts.ndjson') ?? []) {
      const own = (name: string) =>
        (parsed.get(`${name}.ndjson`) ?? []).filter(
          (one) => one['external_account_number'] === payload['external_account_number'],
        );
      const extras: Extras = {
        notes: own('notes'),
        transactions: own('transactions'),
        agreements: own('historical_agreements'),
        'billing-documents': own('historical_billing_documents'),
        statements: own('historical_statements'),
        'payment-instruction': own('payment_instructions'),
      };
      const context = defaultRuleContext('2024-07-01');
      const found = [
        ...checkPayload('stage', payload, context),
        ...extraStepNames.flatMap((step) => extras[step].flatMap((one) => checkPayload(step, one, context))),
        ...checkAccountRules(payload, extras, context),
      ];
      // The interface shows one ledger code in each place, and two ledgers need two.
      expect(found.filter(({ path }) => !path.endsWith('ledger_code'))).toEqual([]);
      expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
    }
  });

  it('holds the same records as JSON arrays', async () => {
    const lines = await generated({});
    const arrays = await generated({ format: 'json' });
    for (const name of Object.keys(requestSchemas))
      expect(parseJson(arrays.get(`${name}.json`) ?? '')).toEqual(ndjsonRecords(lines.get(`${name}.ndjson`)));
  });

  it('holds the same records in another order when it is shuffled', async () => {
    const sorted = await generated({});
    const shuffled = await generated({ shuffle: true });
    expect(shuffled.get('accounts.ndjson')).toEqual(sorted.get('accounts.ndjson'));
    expect(shuffled.get('notes.ndjson')).not.toEqual(sorted.get('notes.ndjson'));
    for (const [name, text] of sorted)
      expect(shuffled.get(name)?.split('\n').sort()).toEqual(text.split('\n').sort());
  });

  it('gives every account as many transactions and notes as were asked for', async () => {
    const files = await generated({ transactionsPerAccount: 12, notesPerAccount: 9 });
    for (const [name, count] of [
      ['transactions', 12],
      ['notes', 9],
    ] as const) {
      const records = ndjsonRecords(files.get(`${name}.ndjson`));
      expect(records.map((record) => (record[name] as JsonValue[]).length)).toEqual(Array(50).fill(count));
    }
  });

  it('is what the fixtures hold', async () => {
    for (const shape of ['interface', 'flat'] as const)
      expect(await generated({ shape, seed: 11 })).toEqual(filesOf(`fixtures/${shape}`));
  });

  it('is not written over files that are there', async () => {
    const directory = await generatedDirectory({ accounts: 1 });
    const again = generateExport({ directory, accounts: 1, seed: 1, shape: 'flat', supplier: 'A' });
    await expect(again).rejects.toThrow(CannotGenerate);
    await expect(again).rejects.toThrow(/not empty/);
  });

  it('says where it cannot be written', async () => {
    const file = join(await generatedDirectory({ accounts: 1 }), 'a-file');
    await writeFile(file, '');
    const inside = generateExport({ directory: file, accounts: 1, seed: 1, shape: 'flat', supplier: 'A' });
    await expect(inside).rejects.toThrow(CannotGenerate);
  });
});

/** The dotted paths of all values, without array positions. */
function leaves(value: JsonValue, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => leaves(item, path));
  if (!isJsonObject(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) =>
    leaves(inner, path === '' ? name : `${path}.${name}`),
  );
}

/** Metadata values are objects of any shape: what is inside them is nobody's field. */
function belowMetadata(path: string): string {
  return path.startsWith('metadata.value.') ? 'metadata.value' : path;
}

/** The dotted paths of all fields of a schema, without array positions. */
function fieldsOf(schema: JsonValue, path = ''): string[] {
  const { items, properties } = isJsonObject(schema) ? schema : {};
  if (items !== undefined) return fieldsOf(items, path);
  if (!isJsonObject(properties)) return [path];
  return Object.entries(properties).flatMap(([name, inner]) =>
    fieldsOf(inner, path === '' ? name : `${path}.${name}`),
  );
}
