import { describe, expect, it } from 'vitest';
import { joinPrinted, splitPrinted, type RowPlace } from '../../../src/source/blocks/block.ts';
import { LineBytes } from '../../../src/source/blocks/line-bytes.ts';
import { NotByBlocks } from '../../../src/source/blocks/not-by-blocks.ts';
import { isSoundRow, OpenBlock, type BlockEnd } from '../../../src/source/blocks/open-block.ts';
import type { PlacedRow, Row } from '../../../src/source/row.ts';

describe('the lines of a file', () => {
  const seen = (...blocks: string[]): LineBytes => {
    const lines = new LineBytes({ byte: 100, line: 7 });
    for (const block of blocks) lines.see(Buffer.from(block));
    return lines;
  };

  it.each<[string[], { byte: number; line: number }]>([
    [[], { byte: 100, line: 7 }],
    [['a\nb\n'], { byte: 104, line: 9 }],
    [['a\r', '\nb'], { byte: 104, line: 9 }],
    [['a', '', 'b'], { byte: 102, line: 8 }],
    [['\n', '\n'], { byte: 102, line: 9 }],
  ])('end where %j ends', (blocks, end) => {
    const lines = seen(...blocks);
    expect(lines.end).toEqual(end);
  });

  it('begin where the ones before them end, as far as they were seen', () => {
    const lines = seen('ab\nc', 'd\r', '\n\ne');
    const starts = [6, 7, 8, 9, 10, 11].map((line) => lines.startOf(line));
    expect(starts).toEqual([undefined, 100, 103, 107, 108, undefined]);
    lines.forget(9);
    expect([8, 9, 10].map((line) => lines.startOf(line))).toEqual([103, 107, 108]);
    expect(lines.end).toEqual({ byte: 109, line: 11 });
  });

  it('are known behind thousands that will not be asked for', () => {
    const lines = seen('x\n'.repeat(10_000));
    for (const line of [4_102, 4_103, 9_000, 9_500]) {
      lines.forget(line);
      expect([line, line + 1].map((one) => lines.startOf(one))).toEqual(
        [line, line + 1].map((one) => 100 + 2 * (one - 7)),
      );
      expect(lines.startOf(10_007)).toBe(20_100);
      expect(lines.startOf(10_008)).toBe(undefined);
      expect(lines.end).toEqual({ byte: 20_100, line: 10_007 });
    }
  });

  it.each([
    [['a\rb']],
    [['a\r', 'b']],
    [['ab\r', 'b']],
    [['a\n', '\rb']],
    [['a\n\rb\n']],
    [['a\r\r\n']],
    [['x\r\n\rb\r\n']],
  ])('are not told of where %j has one that ends with CR alone', (blocks) => {
    expect(() => seen(...blocks)).toThrow(NotByBlocks);
  });

  it('may end with CR LF', () => {
    expect(seen('a\r\nb\r', '\nc\r\n', '\r\n').end).toEqual({ byte: 111, line: 11 });
  });
});

describe('a block', () => {
  const end = (byte: number, line: number, account?: string, ahead?: number): BlockEnd => ({
    ...{ byte, line, account, ahead },
  });
  const rows = (account: string, ...files: number[]): PlacedRow[] =>
    files.map((file) => ({ account, file, row: { line: 1, account, body: '' } }));
  const digest = (from: readonly RowPlace[]) => from.map(({ byte }) => byte).join('+');
  const from = [end(10, 2, 'A', 5), end(0, 1, 'B')];
  const ends = [end(60, 6, 'C', 7), end(30, 4)];

  it('has what each file has of it, and where the next one begins', () => {
    const printed = ['A', 'B', 'C'].map((account, at) => ({ account, print: `p${at + 1}` }));
    const block = new OpenBlock('A', from, 9);
    block.add(rows('A', 0, 0));
    block.print({ account: 'A', print: 'p1' });
    block.add(rows('B', 0, 1, 1));
    block.print({ account: 'B', print: 'p2' });
    block.add(rows('C', 1));
    block.print({ account: 'C', print: 'p3' });
    const closed = block.closed(ends, true, digest);
    expect(closed).toEqual({
      account: 'A',
      parts: [
        { bytes: 50, lines: 4, rows: 3, accounts: 2, ahead: 7, next: 'A' },
        { bytes: 30, lines: 3, rows: 3, accounts: 2, ahead: undefined, next: 'B' },
      ],
      digest: '10+0',
      printed: joinPrinted(printed),
    });
    expect(splitPrinted(closed.printed)).toEqual(printed);
    expect(splitPrinted(joinPrinted([{ account: 'a\u001f"', print: 'p' }]))).toEqual([
      { account: 'a\u001f"', print: 'p' },
    ]);
  });

  it.each([
    ['has a fault', false, 1],
    ['has an account without a fingerprint', true, 0],
  ])('that %s is read again', (_what, isSound, printed) => {
    const block = new OpenBlock('A', from, 9);
    block.add(rows('A', 0));
    for (let at = 0; at < printed; at += 1) block.print({ account: 'A', print: 'p' });
    expect(block.closed(ends, isSound, digest)).toMatchObject({ digest: undefined, printed: '' });
  });

  it('is full with so many accounts, or with 2,000 rows', () => {
    const few = new OpenBlock('A', from, 2);
    few.add(rows('A', 0));
    expect(few.isFull).toBe(false);
    few.add(rows('B', 0));
    expect(few.isFull).toBe(true);
    const long = new OpenBlock('A', from, 9);
    long.add(rows('A', ...Array.from({ length: 1_999 }, () => 0)));
    expect(long.isFull).toBe(false);
    long.add(rows('B', 1));
    expect(long.isFull).toBe(true);
  });

  it.each<[string, Partial<Row>, boolean]>([
    ['as its file has it', {}, true],
    ['with a value that cannot be read', { unreadable: [] }, false],
    ['with remarks', { remarks: [] }, false],
    ['that the mapping leaves out', { isIgnored: true }, false],
  ])('is told by its bytes alone of a row %s: %j', (_what, more, isSound) => {
    expect(isSoundRow({ line: 1, account: 'A', body: '', ...more } as Row)).toBe(isSound);
    expect(isSoundRow({ line: 1, column: '', code: 'c', detail: '' })).toBe(false);
  });
});
