import { appendFileSync, closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Block, RowPlace } from '../../../src/source/blocks/block.ts';
import { BlockIndexes, type ReadAs } from '../../../src/source/blocks/block-index.ts';
import { blockLine, blockOf } from '../../../src/source/blocks/block-lines.ts';
import { FileWindow } from '../../../src/source/blocks/file-window.ts';
import { HeldRows } from '../../../src/source/blocks/held-rows.ts';
import { ReadingInBlocks } from '../../../src/source/blocks/reading-in-blocks.ts';
import { FileUnreadable } from '../../../src/source/file-bytes.ts';
import { orders } from '../../../src/source/merge.ts';
import { localFile } from '../../../src/source/places/directory.ts';
import type { Row } from '../../../src/source/row.ts';
import type { FileTable, OpenedFile } from '../../../src/source/table.ts';
import { fileOf } from '../sorted/file-in-memory.ts';
import { directoryWith } from '../temporary-export.ts';

describe('the rows of a file that is merged', () => {
  const sound = (...lines: number[]): Row[] => lines.map((line) => ({ line, account: 'A', body: '' }));
  const bad = (line: number): Row => ({ line, column: '', code: 'c', detail: '' });
  const ends = (...lines: number[]): RowPlace[] => lines.map((line) => ({ byte: 0, line }));

  function held() {
    const passed: string[] = [];
    const rows = new HeldRows(2, (all, file) => {
      passed.push(`${file}:${all.map(({ line }) => line).join(' ')}`);
    });
    return { rows, passed };
  }

  it('are passed on when the next ones come, and at the end as far as they were used', () => {
    const { rows, passed } = held();
    rows.take(sound(2, 3), 0);
    rows.take(sound(2), 1);
    expect(passed).toEqual([]);
    rows.take(sound(4, 5, 6), 0);
    expect(passed.splice(0)).toEqual(['0:2 3']);
    rows.flush(ends(5, 3));
    expect(passed.splice(0)).toEqual(['0:4', '1:2']);
    rows.flush(ends(9, 9));
    expect(passed).toEqual([]);
  });

  it.each([
    [4, []],
    [5, ['0:4']],
    [6, ['0:4 5']],
    [9, ['0:4 5 8']],
  ])('are used up to the line %i', (line, used) => {
    const { rows, passed } = held();
    rows.take(sound(4, 5, 8), 0);
    rows.flush(ends(line, 1));
    expect(passed).toEqual(used);
  });

  it('may be told of by nobody', () => {
    const rows = new HeldRows(1, undefined);
    rows.take(sound(2), 0);
    rows.flush(ends(3));
    expect(rows.forgetFaults(ends(9))).toBe(true);
  });

  it('have a fault before a place, once', () => {
    const { rows } = held();
    rows.take([...sound(2), bad(3), bad(5)], 0);
    rows.take([bad(7)], 1);
    const found = [ends(3, 7), ends(4, 7), ends(5, 7), ends(5, 8), ends(9, 9), ends(9, 9)];
    expect(found.map((places) => rows.forgetFaults(places))).toEqual([true, false, true, false, false, true]);
  });
});

describe('a block as a line', () => {
  const part = { bytes: 5, lines: 2, rows: 2, accounts: 1 };
  it.each<[string, Partial<Block>]>([
    ['as it was', {}],
    ['read again', { digest: undefined, printed: '' }],
    ['of files that end', { parts: [{ ...part, ahead: undefined, next: undefined }] }],
    ['before rows of no bytes, of another account', { parts: [{ ...part, ahead: 0, next: 'B' }] }],
    ['of an account without letters', { account: '', parts: [{ ...part, ahead: 3, next: '' }] }],
  ])('is read as the same: %s', (_what, more) => {
    const block = {
      account: 'A',
      digest: 'd',
      parts: [{ ...part, ahead: 3, next: 'A' }],
      printed: 'p\t"',
      ...more,
    };
    const line = blockLine(block);
    expect(line).not.toContain('\n');
    expect(blockOf(line)).toEqual({ ...block, line });
  });
});

describe('a window of a file', () => {
  const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, at) => (at * 7 + (at >> 8)) % 251));
  const { table } = fileOf('');

  async function opened() {
    const path = join(directoryWith({ 'notes.csv': bytes }), 'notes.csv');
    const stored = localFile(path);
    if (stored === undefined) throw new Error('it is there');
    const file: OpenedFile = { table, stored };
    const window = await FileWindow.open(file);
    if (window === undefined) throw new Error('it is on this machine');
    return { path, file, window };
  }

  function joined(pieces: Iterable<Buffer>): Buffer {
    const copies: Buffer[] = [];
    for (const piece of pieces) copies.push(Buffer.from(piece));
    return Buffer.concat(copies);
  }

  it('gives the bytes between two places, wherever it was before', async () => {
    const { window } = await opened();
    const places = [[10, 30], [20, 20], [5, 262_144], [262_143, 600_000], [599_000, 699_999], [100, 200], [262_144, 262_145], [699_990, 700_010], [700_000, 700_001]] as const; // prettier-ignore
    for (const [from, to] of places)
      expect(joined(window.pieces(from, to)).equals(bytes.subarray(from, to))).toBe(true);
    window.close();
  });

  it.each([
    [10, 100, 30, [30, 60]],
    [10, 100, 90, [90]],
    [3, 400_000, 20_000, [20_000, 40_000, 65_536, 65_536]],
    [3, 300_000, 200_000, [65_536, 65_536, 65_536, 65_536]],
    [699_000, 701_000, 600, [600, 400]],
    [7, 7, 600, []],
  ])('is read from %i to %i by blocks that grow from %i', async (from, to, first, sizes) => {
    const { file, window } = await opened();
    const seen: Buffer[] = [];
    const part = window.part(file, {
      from: { byte: from, line: 1 },
      to,
      first,
      see: (block) => seen.push(block),
    });
    const read: Buffer[] = [];
    for await (const block of part.stored.read({}, 1)) {
      read.push(block);
      expect(seen).toHaveLength(read.length);
    }
    expect(Buffer.concat(read).equals(bytes.subarray(from, to))).toBe(true);
    expect(Buffer.concat(seen).equals(Buffer.concat(read))).toBe(true);
    expect(read.map(({ length }) => length).slice(0, sizes.length)).toEqual(sizes);
    window.close();
  });

  it('is not read any more by a command that was ended', async () => {
    const { file, window } = await opened();
    const { stored } = window.part(file, { from: { byte: 0, line: 1 }, to: 10, first: 10 });
    const signal = AbortSignal.abort(new Error('ended'));
    await expect(stored.read({ signal }, 1).next()).rejects.toThrow('ended');
    window.close();
  });

  it('is a file as it was found', async () => {
    const { path, file, window } = await opened();
    const part = window.part(file, { from: { byte: 0, line: 1 }, to: 10, first: 10 });
    expect([part.table, part.stored.path, part.stored.state]).toEqual([table, path, file.stored.state]);
    const access = await part.stored.random();
    if ('descriptor' in access) closeSync(access.descriptor);
    expect('descriptor' in access).toBe(true);
    appendFileSync(path, 'x');
    expect(() => {
      part.stored.verify();
    }).toThrow(FileUnreadable);
    expect(() => joined(window.pieces(0, 1))).toThrow(FileUnreadable);
    window.close();
  });

  it('is closed once, and gives nothing then', async () => {
    const { path, window } = await opened();
    const next = () => {
      const descriptor = openSync(path, 'r');
      closeSync(descriptor);
      return descriptor;
    };
    const before = next();
    window.close();
    expect(next()).toBeLessThan(before);
    expect(() => joined(window.pieces(0, 1))).toThrow('The file is closed.');
  });

  it('is none of a file that is not on this machine', async () => {
    expect(await FileWindow.open(fileOf('a'))).toBeUndefined();
  });
});

describe('the blocks of files', () => {
  it.each<[string, Partial<FileTable> & { path?: string }, boolean]>([
    ['can be read by themselves', {}, true],
    ['lack rows that are left out', { ignore: { column: 'b', values: [] } as never }, false],
    ['have other spellings of account numbers', { spellings: () => undefined }, false],
    ['find their accounts through other tables', { via: {} as never }, false],
    ['leave out orphans', { orphans: 'ignore' }, false],
    ['tell of orphans', { orphans: 'error' as never }, true],
    ['are compressed', { path: 'notes.csv.gz' }, false],
    ['have no ends of lines in bytes', { encoding: 'utf-16le' }, false],
    ['are one value', { path: 'notes.json', format: 'json' }, false],
  ])('are read by themselves where they %s: %j', (_what, more, can) => {
    expect(ReadingInBlocks.areCut([fileOf(''), fileOf('', more)])).toBe(can);
  });

  it('may be those of other files that were read alike', () => {
    const directory = directoryWith({});
    const [order] = orders;
    if (order === undefined) throw new Error('there is an order');
    const asked = (path: string, more: Partial<FileTable> = {}): ReadAs => ({
      files: [{ table: { ...fileOf('').table, ...more }, stored: fileOf('', { path }).stored }],
      ...{ at: 0, order, mostBytes: undefined },
    });
    const indexes = new BlockIndexes(directory, '1');
    const found = (of: ReadAs) => [indexes.has(of), [...(indexes.find(of) ?? ['none'])].length];
    expect(found(asked('1.csv'))).toEqual([false, 1]);
    indexes.write(asked('1.csv'))?.finish();
    expect(found(asked('1.csv'))).toEqual([true, 0]);
    expect(found(asked('2.csv'))).toEqual([true, 0]);
    const others = [
      ...[asked('1.csv', { delimiter: ';' }), { ...asked('1.csv'), at: 1 }],
      { ...asked('1.csv'), mostBytes: 7 },
    ];
    for (const other of others) expect(found(other)).toEqual([false, 1]);
    const later = new BlockIndexes(directory, '2');
    expect([later.has(asked('1.csv')), later.find(asked('1.csv'))]).toEqual([false, undefined]);
  });
});
