import fs, { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { copyDatabase, sync } from '../../src/sqlite/copy-database.ts';
import { openAsItIs, openDatabase, type DatabaseSpec } from '../../src/sqlite/open-database.ts';

const spec: DatabaseSpec = {
  what: 'ledger',
  applicationId: 0x6d_67_74_01,
  migrations: ['CREATE TABLE entry (text TEXT NOT NULL)'],
  synchronous: 'FULL',
};

let directory: string;
let file: string;
let share: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'copy-'));
  file = join(directory, 'own', 'ledger.db');
  share = join(directory, 'share');
  mkdirSync(share);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it.each([
  ['a local disk', 0xef53],
  ['a network file system', 0x6969],
])('puts a copy on %s while the database is open, and replaces one only when told to', (_, type) => {
  const fileSystemOf = () => ({ type, name: undefined });
  const copy = join(share, 'copy.db');
  const entries = (): unknown[] => {
    const db = openAsItIs(copy, spec);
    try {
      return db.prepare('SELECT text FROM entry').pluck().all();
    } finally {
      db.close();
    }
  };
  const db = openDatabase(file, spec);
  const add = db.prepare('INSERT INTO entry VALUES (?)');
  add.run('a');
  copyDatabase(file, spec, copy, { replace: false, fileSystemOf });
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(entries()).toEqual(['a']);
  add.run('b');
  const again = () => copyDatabase(file, spec, copy, { replace: false, fileSystemOf });
  expect(again).toThrow(/copy\.db already exists/);
  expect(entries()).toEqual(['a']);
  copyDatabase(file, spec, copy, { replace: true, fileSystemOf });
  expect(entries()).toEqual(['a', 'b']);
  db.close();
  expect([readdirSync(share), readdirSync(join(directory, 'own'))]).toEqual([['copy.db'], ['ledger.db']]);
});

it('waits for a file through a handle that may write, and for a directory only where the system has it', () => {
  const opened: string[] = [];
  const open = fs.openSync;
  const spy = vi.spyOn(fs, 'openSync').mockImplementation((path, flags, mode) => {
    opened.push(String(flags));
    return open(path, flags, mode);
  });
  syncBuiltinESMExports();
  try {
    writeFileSync(join(share, 'file'), 'text');
    opened.length = 0;
    for (const system of ['linux', 'win32'] as const)
      for (const path of [join(share, 'file'), share]) sync(path, system);
  } finally {
    spy.mockRestore();
    syncBuiltinESMExports();
  }
  expect(opened).toEqual(['r+', 'r', 'r+']);
});
