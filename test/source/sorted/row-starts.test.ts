import { describe, expect, it } from 'vitest';
import { accountRanges } from '../../../src/source/sorted/account-range.ts';
import { farApart, RowStarts, type RowStart } from '../../../src/source/sorted/row-starts.ts';
import type { Row } from '../../../src/source/row.ts';
import { Disorder } from '../../../src/source/merge.ts';
import type { OpenedFile } from '../../../src/source/table.ts';
import { fileOf } from './file-in-memory.ts';

const row = (line: number, account: string, more: Partial<Row> = {}): Row =>
  ({ line, account, body: '', ...more }) as Row;

async function startsIn(file: OpenedFile, least: number, rows: readonly Row[]): Promise<readonly RowStart[]> {
  const starts = RowStarts.of(file, least);
  if (starts === undefined) throw new Error('no starts');
  for await (const block of starts.watched(file).stored.read({}, 7)) expect(block.length).toBeGreaterThan(0);
  for (const one of rows) starts.take([one]);
  return starts.found;
}

describe('where rows begin', () => {
  it('is found for rows that are far enough apart', async () => {
    // Lines begin at 0, 4, 8, 12, 16, 20.
    const file = fileOf('a,b\nA,1\nB,2\nC,3\nD,4\n');
    const rows = ['A', 'B', 'C', 'D'].map((account, at) => row(at + 2, account));
    expect(await startsIn(file, 4, rows)).toEqual([
      [4, 2, 'A'],
      [8, 3, 'B'],
      [12, 4, 'C'],
      [16, 5, 'D'],
    ]);
    expect(await startsIn(file, 8, rows)).toEqual([
      [8, 3, 'B'],
      [16, 5, 'D'],
    ]);
    expect(await startsIn(file, 9, rows)).toEqual([[12, 4, 'C']]);
    expect(await startsIn(file, 30, rows)).toEqual([]);
  });

  it('is found alike, whatever the blocks and the batches of rows are', async () => {
    const text = 'a,b\r\nA,1\r\nB,2\r\nC,3\r\n';
    const rows = ['A', 'B', 'C'].map((account, at) => row(at + 2, account));
    for (const blockSize of [1, 4, 5, 7]) {
      const file = fileOf(text, { blockSize });
      const starts = RowStarts.of(file, 5);
      for await (const block of starts?.watched(file).stored.read({}, 7) ?? [])
        expect(block.length).toBeGreaterThan(0);
      starts?.take([]);
      starts?.take(rows);
      expect(starts?.found).toEqual([
        [5, 2, 'A'],
        [10, 3, 'B'],
        [15, 4, 'C'],
      ]);
    }
  });

  it('is no line within a cell, no row with a fault, and none that is left out', async () => {
    const file = fileOf('a,b\nA,"1\n2"\nB,2\nC,3\nD,4\n');
    const bad = { line: 4, column: '', code: 'c', detail: '', account: 'B' };
    const rows = [row(2, 'A'), bad, row(5, 'C', { isIgnored: true }), row(6, 'D')];
    expect(await startsIn(file, 1, rows)).toEqual([
      [4, 2, 'A'],
      [20, 6, 'D'],
    ]);
  });

  it('is looked for soon after a place that was none', async () => {
    const file = fileOf('a,b\nA,"1\n2"\nB,2\nC,3\nD,4\n');
    const starts = RowStarts.of(file, 9);
    const blocks = starts?.watched(file).stored.read({}, 7);
    await blocks?.next();
    await blocks?.next();
    // The line at 9 is within a cell.
    starts?.take([row(2, 'A'), row(4, 'B')]);
    for await (const block of blocks ?? []) expect(block.length).toBeGreaterThan(0);
    starts?.take([row(5, 'C'), row(6, 'D')]);
    expect(starts?.found).toEqual([[16, 5, 'C']]);
  });

  it.each([
    ['a\rA,1\rB,2\r', 7],
    ['a\r\nA,1\rB,2\r\n', 5],
    ['abcdefg\rA,1\n', 7],
    ['a,b\r\nA,1\rB,2\r\n', 9],
  ])('is not known where lines end with CR alone: %j in blocks of %i', async (text, blockSize) => {
    expect(await startsIn(fileOf(text, { blockSize }), 1, [row(2, 'A'), row(3, 'B')])).toEqual([]);
  });

  it.each([
    ['is kept otherwise', { path: 'notes.csv.gz' }],
    ['has no ends of lines in bytes', { encoding: 'utf-16le' }],
    ['is one value', { path: 'notes.json', format: 'json' as const }],
  ])('is not looked for in a file that %s', (_what, more) => {
    expect(RowStarts.of(fileOf('a\n', more))).toBeUndefined();
  });

  it('is the file as it was', async () => {
    const file = fileOf('changed\n');
    const { table, stored } = RowStarts.of(file)?.watched(file) ?? {};
    expect([table, stored?.path, stored?.state]).toEqual([file.table, 'notes.csv', file.stored.state]);
    expect(await stored?.random()).toEqual(await file.stored.random());
    expect(() => stored?.verify()).toThrow('notes.csv was changed');
  });

  it('is known at most 8,192 times in a file, and every 16 KiB of a small one', () => {
    expect([0, 128 * 1024 * 1024, 128 * 1024 * 1024 + 1].map((size) => farApart(size))).toEqual([
      16_384, 16_384, 16_385,
    ]);
    expect(farApart(10_000, 1)).toBe(2);
  });
});

describe('ranges of accounts', () => {
  const files = [fileOf('x'.repeat(100)), fileOf('x'.repeat(50))];
  const starts: RowStart[][] = [
    [
      [20, 3, 'B'],
      [40, 5, 'D'],
      [60, 7, 'F'],
      [80, 9, 'H'],
    ],
    [[25, 3, 'D']],
  ];

  it('are about as large as they should be, and each enters the files before its first account', () => {
    expect(accountRanges(files, { order: 0, starts }, 40)).toEqual([
      { from: undefined, to: 'D', bytes: 40, starts: [undefined, undefined] },
      { from: 'D', to: 'F', bytes: 45, starts: [[20, 3, 'B'], undefined] },
      {
        from: 'F',
        to: undefined,
        bytes: 20,
        starts: [
          [40, 5, 'D'],
          [25, 3, 'D'],
        ],
      },
    ]);
  });

  it('are one where the files are small', () => {
    expect(accountRanges(files, { order: 0, starts }, 1_000)).toEqual([
      { from: undefined, to: undefined, bytes: 105, starts: [undefined, undefined] },
    ]);
    expect(accountRanges([], { order: 0, starts: [] }, 10)).toHaveLength(1);
  });

  it('are no more than 8,192, however small they should be', () => {
    const large = [fileOf('', { size: 8_192 * 30 }), fileOf('', { size: 8_192 * 10 })];
    expect(accountRanges(large, { order: 0, starts }, 1).map(({ from }) => from)).toEqual([
      undefined,
      'D',
      'F',
    ]);
    const small = [fileOf('', { size: 10 }), fileOf('', { size: 10 })];
    expect(accountRanges(small, { order: 0, starts }, 1)).toHaveLength(5);
  });

  it('do not part an account', () => {
    const same: RowStart[][] = [
      [
        [20, 3, 'B'],
        [40, 5, 'B'],
        [60, 7, 'B'],
      ],
      [[25, 3, 'B']],
    ];
    const ranges = accountRanges(files, { order: 0, starts: same }, 10);
    expect(ranges.map(({ from, to }) => [from, to])).toEqual([
      [undefined, 'B'],
      ['B', undefined],
    ]);
    expect(ranges.map((range) => range.starts)).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it('follow the order of the files', () => {
    const numbers: RowStart[][] = [
      [
        [20, 3, '9'],
        [40, 5, '10'],
      ],
      [],
    ];
    expect(accountRanges(files, { order: 1, starts: numbers }, 1).map(({ from }) => from)).toEqual([
      undefined,
      '9',
      '10',
    ]);
    expect(() => accountRanges(files, { order: 7, starts: numbers }, 1)).toThrow(Disorder);
  });
});
