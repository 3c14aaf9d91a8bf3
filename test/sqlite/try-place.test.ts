import fs, { readdirSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { DatabaseSpec } from '../../src/sqlite/open-database.ts';
import { tryPlace } from '../../src/sqlite/try-place.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const spec: DatabaseSpec = {
  what: 'ledger',
  applicationId: 0x6d_67_74_01,
  migrations: ['CREATE TABLE entry (text TEXT NOT NULL)'],
  synchronous: 'FULL',
};

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it('leaves a place as it was, whether a database is there or not', () => {
  const directory = temporaryDirectory('place-');
  tryPlace(join(directory, 'ledger.db'), spec);
  expect(readdirSync(directory)).toEqual([]);
  writeFileSync(join(directory, 'ledger.db'), 'not touched');
  tryPlace(join(directory, 'ledger.db'), spec);
  expect(readdirSync(directory)).toEqual(['ledger.db']);
});

it('tells that a part of the path is a file', () => {
  const directory = temporaryDirectory('place-');
  writeFileSync(join(directory, 'x.db'), 'a file');
  expect(() => tryPlace(join(directory, 'x.db', 'sub.db'), spec)).toThrow(/x\.db\/sub\.db/);
  expect(readdirSync(directory)).toEqual(['x.db']);
});

it.each([
  ['linkSync', 'EPERM', 'link', 'has no hard links'],
  ['renameSync', 'EXDEV', 'rename', 'EXDEV'],
  ['fsyncSync', 'EIO', 'fsync', 'the disk reports an error'],
] as const)(
  'tells that a place does not allow %s (%s), by its own name, and leaves nothing',
  (call, code, syscall, said) => {
    const directory = temporaryDirectory('place-');
    const file = join(directory, 'ledger.db');
    vi.spyOn(fs, call).mockImplementation(() => {
      throw Object.assign(new Error(code), { code, syscall });
    });
    syncBuiltinESMExports();
    expect(() => tryPlace(file, spec)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(`^The ledger ${file} .*${said}`) as string,
      }) as Error,
    );
    expect(readdirSync(directory)).toEqual([]);
  },
);
