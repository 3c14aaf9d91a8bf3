import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tooLargeDetail } from '../../../src/domain/account-too-large.ts';
import { ExportBroken } from '../../../src/source/fault.ts';
import { localFile } from '../../../src/source/places/directory.ts';
import type { PlacedRow } from '../../../src/source/row.ts';
import { farApart, type RowStart } from '../../../src/source/sorted/row-starts.ts';
import { SortedReader, sortedRanges } from '../../../src/source/sorted/sorted-files.ts';
import { SortedIndexes, type SortedIndex } from '../../../src/source/sorted/sorted-index.ts';
import type { FileTable, OpenedFile } from '../../../src/source/table.ts';
import { directoryWith } from '../temporary-export.ts';
import { fileOf } from './file-in-memory.ts';

const indexOf = (...starts: RowStart[][]): SortedIndex => ({
  ...{ order: 0, accounts: 2, ignoredRows: 0, faults: [], starts },
  counts: {} as SortedIndex['counts'],
});

const small = fileOf('k,b\nA,1\n');
const large = fileOf('', { size: 1_000_000 });
const places: RowStart[] = [[20_000, 3, 'B']];

describe('whether other threads can read accounts of sorted files', () => {
  it.each<[string, OpenedFile[], RowStart[][], boolean]>([
    ['small files', [small, small], [[], []], true],
    ['small files of an index without places', [small, small], [], true],
    ['a file twice as long as its places are apart', [fileOf('', { size: 32_768 })], [[]], true],
    ['a longer one without a place', [fileOf('', { size: 32_769 })], [[]], false],
    ['a longer one with a place', [fileOf('', { size: 32_769 })], [places], true],
    ['a large one with places', [small, large], [[], places], true],
    ['one of which no place is known', [large, large], [places, []], false],
    ['one of an index without places', [large], [], false],
  ])('is so for %s', (_what, files, starts, can) => {
    expect(sortedRanges(files, indexOf(...starts), {}) !== undefined).toBe(can);
  });

  it.each<[string, Parameters<typeof fileOf>[1]]>([
    ['is compressed', { path: 'notes.csv.gz' }],
    ['is one value', { path: 'notes.json', format: 'json' }],
    ['has another spelling of its account numbers', { spellings: () => undefined }],
  ])('is not so where a file %s', (_what, more) => {
    expect(sortedRanges([small, fileOf('', more)], indexOf([], []), {})).toBeUndefined();
  });

  it('is not so where a file is within an archive, or nothing is known of the files', () => {
    const { isLocal: _isLocal, ...stored } = small.stored;
    expect(sortedRanges([{ ...small, stored }], indexOf([]), {})).toBeUndefined();
    expect(sortedRanges([small], undefined, {})).toBeUndefined();
  });
});

describe('accounts of sorted files', () => {
  it('are few where less is read for them than all', () => {
    const ranges = sortedRanges([large, small], indexOf(places, []), {});
    const ofOne = 2 * farApart(1_000_000) + small.stored.state.size;
    const all = 1_000_000 + small.stored.state.size;
    const most = Math.floor(all / ofOne);
    expect([most, most + 1].map((count) => ranges?.isFewOf(count))).toEqual([true, false]);
    expect(sortedRanges([small], indexOf([]), {})?.isFewOf(1)).toBe(false);
  });

  it('are given away as the names and marks of their files', () => {
    const { order, files, mostBytes } = sortedRanges([small], indexOf([]), { mostBytes: 7 }) ?? {};
    expect({ order, files, mostBytes }).toEqual({
      ...{ order: 0, mostBytes: 7 },
      files: [{ path: 'notes.csv', mark: 'mark of notes.csv' }],
    });
  });

  const placesIn = (rows: readonly PlacedRow[] | undefined) =>
    rows?.map(({ account, file, row }) => [account, file, row.line, 'detail' in row ? row.detail : '']);

  it('are read one by one, within their limit, until their command ends', async () => {
    const files = [fileOf('k,b\nA,1\nB,1\n', { role: 'accounts' }), fileOf('k,b\nA,1\nA,2\nA,3\nB,1\n')];
    const starts: RowStart[][] = [[[8, 3, 'B']], [[16, 5, 'B']]];
    const end = new AbortController();
    const all = sortedRanges(files, indexOf(...starts), { mostBytes: 36, signal: end.signal });
    expect(placesIn(await all?.rowsOf('A'))).toEqual([
      ['A', 0, 2, ''],
      ['A', 1, 2, ''],
      ['A', 1, 3, tooLargeDetail('rows', 36)],
    ]);
    end.abort(new Error('ended'));
    await expect(all?.rowsOf('C')).rejects.toThrow('ended');
  });

  it('are read to their ends after their files were found to be others', () => {
    const directory = directoryWith({});
    const kept = new SortedIndexes(directory, '1');
    const index = indexOf([]);
    const other = fileOf('k,b\nA,1\n', { path: 'other.csv' });
    expect([kept.keep([small], index), kept.keep([other], index)]).toEqual([true, true]);
    sortedRanges([small], index, { kept })?.forget();
    expect([kept.find([small]), kept.find([other])]).toEqual([undefined, index]);
    sortedRanges([small], index, {})?.forget();
  });
});

describe('a reader in another thread', () => {
  const text = 'k,b\nA,1\nA,2\nA,3\nB,1\n';
  const { table } = fileOf(text);
  const whole = { bytes: 1, starts: [undefined] };

  function reading(more: { mostBytes?: number; tables?: readonly FileTable[] } = {}) {
    const path = join(directoryWith({ 'notes.csv': text }), 'notes.csv');
    const sorted = {
      order: 0,
      files: [{ path, mark: localFile(path)?.state.mark ?? '' }],
      mostBytes: more.mostBytes,
    };
    const reader = new SortedReader(sorted, more.tables ?? [table]);
    const rows = async () => {
      const found: unknown[] = [];
      for await (const rows of reader.rows(whole))
        found.push(rows.map(({ row }) => [row.line, 'code' in row && row.code]));
      return found;
    };
    return { path, rows };
  }

  /** What it says of a file that it cannot read. */
  const broken = async (rows: () => Promise<unknown>) => {
    const error: unknown = await rows().catch((thrown: unknown) => thrown);
    if (!(error instanceof ExportBroken)) throw error;
    return [error.problem.code, error.problem.cell?.file];
  };

  it('reads the same rows again and again', async () => {
    const { rows } = reading();
    const found = [
      [
        [2, false],
        [3, false],
        [4, false],
      ],
      [[5, false]],
    ];
    expect([await rows(), await rows()]).toEqual([found, found]);
  });

  it('reads no account beyond its limit', async () => {
    const { rows } = reading({ mostBytes: 36 });
    expect(await rows()).toEqual([
      [
        [2, false],
        [3, false],
        [4, 'account_too_large'],
      ],
      [[5, false]],
    ]);
  });

  it('reads no file that has changed, is gone or is not known', async () => {
    const changed = reading();
    appendFileSync(changed.path, 'C,1\n');
    expect(await broken(changed.rows)).toEqual(['file_changed', 'notes.csv']);
    const gone = reading();
    rmSync(gone.path);
    expect(await broken(gone.rows)).toEqual(['file_changed', 'notes.csv']);
    const other = reading({ tables: [] });
    expect(await broken(other.rows)).toEqual(['file_changed', other.path]);
  });

  it('finds a file that changes after it was opened', async () => {
    const { path, rows } = reading();
    await rows();
    appendFileSync(path, 'C,1\n');
    expect(await broken(rows)).toEqual(['file_changed', 'notes.csv']);
  });
});
