import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyDatabase } from '../../src/sqlite/copy-database.ts';
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
