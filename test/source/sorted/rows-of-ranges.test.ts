import { describe, expect, it } from 'vitest';
import { Disorder } from '../../../src/source/merge.ts';
import type { PlacedRow } from '../../../src/source/row.ts';
import { accountRanges, rowsOfAccount, rowsOfRange } from '../../../src/source/sorted/account-range.ts';
import type { RowStart } from '../../../src/source/sorted/row-starts.ts';
import { fileOf } from './file-in-memory.ts';

const order = 0;
/** Where each row begins. */
const starts: RowStart[][] = [
  [
    [4, 2, 'B'],
    [8, 3, 'C'],
    [12, 4, 'D'],
    [16, 5, 'F'],
  ],
  [
    [4, 2, 'B'],
    [8, 3, 'B'],
    [12, 4, 'D'],
    [16, 5, 'D'],
  ],
];

/** Two sorted files, and where their readings begin. */
function sorted({ more = '', blockSize = 7 } = {}) {
  const entered: number[] = [];
  const files = [
    fileOf('k,b\nB,1\nC,1\nD,1\nF,1\n', { path: 'accounts.csv', blockSize, entered, role: 'accounts' }),
    fileOf(`k,b\nB,1\nB,2\nD,1\nD,2\n${more}`, { blockSize, entered }),
  ];
  return { files, entered };
}

const placesOf = (rows: readonly PlacedRow[]) =>
  rows.map(({ account, file, row }) => `${account} ${file}:${row.line}`);

async function inRange(asked: ReturnType<typeof sorted>['files'], range: Parameters<typeof rowsOfRange>[1]) {
  const found: string[][] = [];
  for await (const rows of rowsOfRange(asked, range, order, {})) found.push(placesOf(rows));
  return found;
}

describe('the rows of a range', () => {
  it.each([1, 3, 7, 64])(
    'are all of its accounts, and no other is read again than those at its beginning: blocks of %i',
    async (blockSize) => {
      const { files, entered } = sorted({ blockSize });
      const found = [];
      for (const range of accountRanges(files, { order, starts }, 1)) {
        found.push(await inRange(files, range));
        found.push(entered.splice(0));
      }
      expect(found).toEqual([
        ...[[], [0, 0]],
        ...[[['B 0:2', 'B 1:2', 'B 1:3']], [0, 0]],
        ...[[['C 0:3']], [4, 8]],
        ...[[['D 0:4', 'D 1:4', 'D 1:5']], [8, 8]],
        ...[[['F 0:5']], [12, 16]],
      ]);
    },
  );

  it.each<[string, RowStart]>([
    ['another byte', [13, 4, 'D']],
    ['another account', [12, 4, 'E']],
    ['a line without a row', [11, 4, 'D']],
  ])('are not read at %s than they were found at', async (_what, start) => {
    const { files } = sorted();
    const range = { from: 'D', bytes: 1 };
    expect(await inRange(files, { ...range, starts: [[12, 4, 'D'], undefined] })).toHaveLength(2);
    await expect(inRange(files, { ...range, starts: [start, undefined] })).rejects.toThrow(Disorder);
  });
});

describe('the rows of one account', () => {
  it.each<[string, string[] | undefined, number[]]>([
    ['A', undefined, [0, 0]],
    ['B', ['B 0:2', 'B 1:2', 'B 1:3'], [0, 0]],
    ['BB', undefined, [4, 8]],
    ['C', ['C 0:3'], [4, 8]],
    ['D', ['D 0:4', 'D 1:4', 'D 1:5'], [8, 8]],
    ['E', undefined, [12, 16]],
    ['F', ['F 0:5'], [12, 16]],
    ['G', undefined, [16, 16]],
  ])('%s are found from the last place before them: %j', async (account, rows, places) => {
    const { files, entered } = sorted();
    const found = await rowsOfAccount(files, account, { order, starts }, {});
    expect(found && placesOf(found)).toEqual(rows);
    expect(entered).toEqual(places);
  });

  it('are not looked for in an order that is not known', async () => {
    const { files } = sorted();
    await expect(rowsOfAccount(files, 'B', { order: 7, starts }, {})).rejects.toThrow(Disorder);
  });

  it('are not looked for any more by a command that was ended', async () => {
    const { files } = sorted();
    const asked = rowsOfAccount(
      files,
      'F',
      { order, starts },
      { signal: AbortSignal.abort(new Error('ended')) },
    );
    await expect(asked).rejects.toThrow('ended');
  });
});
