import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExportBroken } from '../../src/source/fault.ts';
import { openExport } from '../../src/source/open-export.ts';
import {
  directoryWith,
  key,
  places,
  readAll,
  readFiles,
  table,
  type WholeExport,
} from './temporary-export.ts';

function notesOf(found: WholeExport): Record<string, unknown[]> {
  return Object.fromEntries(
    [...found.bundles].map(([account, bundle]) => [
      account,
      bundle.records('notes').map(({ fields }) => fields['body']),
    ]),
  );
}

test.each([
  ['by code point', ['A', 'A-1', 'A-10', 'A-9', 'a', '\uffee', '\u{1f600}']],
  ['with shorter numbers first', ['1', '9', '10', '99', '0100']],
])('files that are sorted %s are merged as they stand', async (_name, accounts) => {
  const found = await readFiles({
    'accounts.csv': `${key}\n${accounts.join('\n')}\n`,
    'notes.json': JSON.stringify(
      accounts.flatMap((account) => [1, 2].map((body) => ({ [key]: account, body }))),
    ),
    'documents.ndjson': `{"${key}":"${accounts[2]!}"}`,
  });
  expect(found.isSorted).toBe(true);
  expect([...found.bundles.keys()]).toEqual(accounts);
  expect(notesOf(found)).toEqual(Object.fromEntries(accounts.map((account) => [account, [1, 2]])));
  expect(found.bundles.get(accounts[2]!)!.records('documents')).toHaveLength(1);
});

test('one row out of order, at the very end of one file, is enough to sort them all', async () => {
  const accounts = Array.from({ length: 5000 }, (_, at) => `A-${10_000 + at}`);
  const files = (last: string): Record<string, string> => ({
    'accounts.csv': `${key}\n${accounts.join('\n')}\n`,
    'notes.csv': `${key},body\n${accounts.map((account) => `${account},${'x'.repeat(90)}\n`).join('')}${last},last\n`,
  });
  const sorted = await readFiles(files('A-14999'));
  expect(sorted.isSorted).toBe(true);
  const unsorted = await readFiles(files('A-10000'));
  expect(unsorted.isSorted).toBe(false);
  expect(
    unsorted.bundles
      .get('A-10000')!
      .records('notes')
      .map(({ line }) => line),
  ).toEqual([2, 5002]);
});

const number = fc.constantFrom('1', '2', '10', '11', 'A', 'a', '\uffee', '\u{1f600}', '');
const rows = fc.array(fc.tuple(number, fc.constantFrom('x', 'x,y', '"x', '')), { maxLength: 12 });

test('sorted or not, and in whatever parts, the same accounts, problems and faults are found', async () => {
  const byNumber = (one: readonly [string, string], other: readonly [string, string]): number =>
    Buffer.compare(Buffer.from(one[0]), Buffer.from(other[0]));
  const csv = (lines: readonly (readonly [string, string])[]): string =>
    `${key},body\n${lines.map((cells) => `${cells.join(',')}\n`).join('')}`;
  let merged = 0;
  await fc.assert(
    fc.asyncProperty(rows, rows, rows, async (accounts, notes, more) => {
      const sorted = [accounts, notes, more].map((lines) => [...lines].sort(byNumber)) as [
        typeof accounts,
        typeof notes,
        typeof more,
      ];
      const read = async (files: Record<string, string>): Promise<WholeExport> =>
        readAll(directoryWith({ ...files, 'documents.csv': csv(sorted[2]) }), [
          table('accounts.csv'),
          table('notes.csv'),
          table('documents.csv'),
        ]);
      const summary = (found: WholeExport): unknown => [
        found.accounts,
        places(found.faults),
        Object.fromEntries(
          [...found.bundles].map(([account, bundle]) => [
            account,
            places(bundle.problems),
            ['accounts', 'notes', 'documents'].map((name) =>
              bundle.records(name).map(({ fields, line }) => [fields, line]),
            ),
          ]),
        ),
      ];
      const whole = await read({
        'accounts.csv': csv([['0', ''], ...sorted[0]]),
        'notes.csv': csv(sorted[1]),
      });
      if (whole.isSorted) merged += 1;
      // A last part that begins anew: it is one part more to merge, or a disorder to sort.
      const staged = await read({
        'accounts.csv': csv([['0', ''], ...sorted[0]]),
        'notes.csv': `${csv(sorted[1])}~,x\n0,\n`,
      });
      expect(staged.isSorted).toBe(false);
      const [count, faults, bundles] = summary(staged) as [number, string[], object];
      const [sortedCount, sortedFaults, sortedBundles] = summary(whole) as [number, string[], object];
      expect(sortedCount).toBe(count);
      expect(sortedFaults).toEqual(faults.filter((fault) => !fault.startsWith('orphan_row ~')));
      expect({ ...sortedBundles, 0: undefined }).toEqual({ ...bundles, 0: undefined });
    }),
    { numRuns: 150 },
  );
  expect(merged).toBeGreaterThan(50);
});

test('a sorted file that changes between its two readings gives no account that may not be whole', async () => {
  const numbers = Array.from({ length: 40_000 }, (_, at) => `A-${100_000 + at}`);
  const root = directoryWith({
    'accounts.csv': `${key}\n${numbers.join('\n')}\n`,
    'notes.csv': `${key},body\n${numbers.map((account) => `${account},x\n`).join('')}`,
  });
  const opened = await openExport(root, [table('accounts.csv'), table('notes.csv')]);
  if ('problems' in opened) throw new Error('unreadable');
  expect(opened.isSorted).toBe(true);
  const given: number[] = [];
  const reading = async (): Promise<void> => {
    for await (const bundle of opened.bundles()) {
      given.push(bundle.records('notes').length);
      if (given.length === 10) appendFileSync(join(root, 'notes.csv'), 'A-139999,y\n');
    }
  };
  const error: unknown = await reading().catch((thrown: unknown) => thrown);
  opened.close();
  if (!(error instanceof ExportBroken)) throw error;
  expect(places([error.problem])).toEqual(['file_changed - notes.csv:1:']);
  expect(given.length).toBeLessThan(40_000);
  expect(new Set(given)).toEqual(new Set([1]));
});
