import { appendFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ExportBroken } from '../../../src/source/fault.ts';
import { Disorder } from '../../../src/source/merge.ts';
import { openExport } from '../../../src/source/open-export.ts';
import { SortedReader, type SortedRanges } from '../../../src/source/sorted/sorted-files.ts';
import { directoryWith, key, table } from '../temporary-export.ts';

const numbers = Array.from({ length: 4_000 }, (_, at) => `A-${100_000 + at}`);
const specs = [table('accounts.csv'), table('notes.csv'), table('small.ndjson')];
const book = {
  'accounts.csv': `${key},name\n${numbers.map((number, at) => `${number},Name ${at}\n`).join('')}`,
  // Few accounts have most of the rows.
  'notes.csv': `${key},body\n${numbers.map((number, at) => `${number},note\n`.repeat(at % 50 === 0 ? 300 : 2)).join('')}`,
  'small.ndjson': numbers.slice(0, 20).map((number) => `${JSON.stringify({ [key]: number })}\n`).join(''),
}; // prettier-ignore

async function opened(root: string) {
  const found = await openExport(root, specs, { startEach: 256 });
  if ('problems' in found || found.ranges === undefined) throw new Error('no ranges');
  return { ranges: found.ranges, files: found.files, close: () => found.close() };
}

/** How many rows each range has, without those that are read to find its first one. */
async function rowsOf(
  ranges: SortedRanges,
  bytes: number,
  files: Awaited<ReturnType<typeof opened>>['files'],
) {
  const reader = new SortedReader(ranges, files);
  const rows: number[] = [];
  for (const range of ranges.inRanges(bytes)) {
    let count = 0;
    for await (const rows of reader.rows(range)) count += rows.length;
    rows.push(count);
  }
  return rows;
}

test('ranges share the rows out evenly, also where few accounts have most of them', async () => {
  const { ranges, files, close } = await opened(directoryWith(book));
  const rows = await rowsOf(ranges, 4_096, files);
  const size = Object.values(book).join('').length;
  const known = ranges.inRanges(4_096).reduce((sum, { bytes }) => sum + bytes, 0);
  expect(known / size).toBeGreaterThan(0.9);
  expect(known).toBeLessThanOrEqual(size);
  const all = rows.reduce((sum, count) => sum + count, 0);
  expect(all).toBe(numbers.length + 80 * 300 + 3_920 * 2 + 20);
  const shares = [4, 8, 16].map((workers) => {
    const loads = Array.from({ length: workers }, () => 0);
    // As threads take them: the one with the least to do takes the next.
    for (const count of rows) loads[loads.indexOf(Math.min(...loads))]! += count;
    return all / workers / Math.max(...loads);
  });
  expect(shares.every((share) => share >= 0.9)).toBe(true);
  close();
});

test('a range of a file that was changed since is not read', async () => {
  const root = directoryWith(book);
  const { ranges, files, close } = await opened(root);
  appendFileSync(join(root, 'notes.csv'), 'A-103999,later\n');
  await expect(rowsOf(ranges, 4_096, files)).rejects.toThrow(ExportBroken);
  close();
});

test('a range whose rows are not where they were found is not read', async () => {
  const { ranges, files, close } = await opened(directoryWith(book));
  const reader = new SortedReader(ranges, files);
  const range = ranges.inRanges(65_536)[2];
  if (range === undefined) throw new Error('no range');
  const read = async (bytes: number, more: string): Promise<void> => {
    const starts = range.starts.map(
      (start) => start && ([start[0] + bytes, start[1], `${start[2]}${more}`] as const),
    );
    for await (const rows of reader.rows({ ...range, starts })) expect(rows.length).toBeGreaterThan(0);
  };
  await read(0, '');
  await expect(read(1, '')).rejects.toThrow(Disorder);
  await expect(read(0, 'x')).rejects.toThrow(Disorder);
  expect(await ranges.rowsOf('A-100500')).toHaveLength(1 + 300);
  expect(await ranges.rowsOf('A-100500x')).toBeUndefined();
  close();
});

test('a range of a file of which only its times of naming have changed is read', async () => {
  const root = directoryWith(book);
  const { ranges, files, close } = await opened(root);
  renameSync(join(root, 'notes.csv'), join(root, 'other.csv'));
  renameSync(join(root, 'other.csv'), join(root, 'notes.csv'));
  expect((await rowsOf(ranges, 65_536, files)).length).toBeGreaterThan(5);
  close();
});

test('few accounts are found by themselves, and all that were asked for are found', async () => {
  const root = directoryWith(book);
  const found = await openExport(root, specs, { startEach: 256 });
  if ('problems' in found) throw new Error('it can be read');
  const rowsAmong = async (accounts: readonly string[]) => {
    const rows = new Map<string, number>();
    for await (const bundle of found.bundlesAmong(new Set(accounts)))
      rows.set(bundle.account, bundle.records('notes').length);
    return rows;
  };
  expect(await rowsAmong(['A-103999', 'A-100000', 'A-100001', 'A-9'])).toEqual(
    new Map([
      ['A-103999', 2],
      ['A-100000', 300],
      ['A-100001', 2],
    ]),
  );
  expect(found.ranges?.isFewOf(3)).toBe(true);
  expect(found.ranges?.isFewOf(numbers.length)).toBe(false);
  expect((await rowsAmong(numbers)).size).toBe(numbers.length);
  found.close();
});
