import Database from 'better-sqlite3';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { faultsIn } from '../../src/journal/sqlite/check-journal.ts';
import { compileInto, linesOf } from './crash/programs.ts';
import { newest, writeJournal } from './written-journal.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'));
  file = join(directory, 'journal.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

function readFrom<Row>(path: string, sql: string): Row[] {
  const db = new Database(path);
  try {
    return db.prepare<[], Row>(sql).all();
  } finally {
    db.close();
  }
}
const versionOf = () => readFrom<{ user_version: number }>(file, 'PRAGMA user_version')[0]?.user_version;

describe('an upgrade in processes of their own', () => {
  let compiled: string;
  beforeAll(() => {
    compiled = mkdtempSync(join(tmpdir(), 'compiled-'));
    compileInto(compiled);
  });
  afterAll(() => rmSync(compiled, { recursive: true }));

  it('happens once where several begin it in the same moment', async () => {
    writeJournal(file, 14);
    const said = await Promise.all([1, 2, 3, 4].map(() => linesOf(compiled, 'upgrader.js', [file])));
    expect(said.map((lines) => lines.at(-1)).toSorted()).toEqual([
      ...['nothing to do', 'nothing to do', 'nothing to do', 'upgraded'],
    ]);
    expect(readFrom(file, 'SELECT count(*) AS n FROM upgrade')).toEqual([{ n: 1 }]);
    expect(readdirSync(directory).filter((name) => name.includes('.schema-'))).toHaveLength(1);
  });

  it('that is killed fifty times within its transaction leaves the journal as it was, and the next does it', async () => {
    const { length: steps } = Array.from({ length: newest + 1 });
    const kinds = [1, 7, 14, 19];
    for (let round = 0; round < 50; round += 1) {
      const from = kinds[round % kinds.length] ?? 1;
      rmSync(directory, { recursive: true });
      mkdirSync(directory);
      writeJournal(file, from);
      if (round % 2 === 0) new Database(file).exec('PRAGMA journal_mode = WAL').close();
      const contents = readFrom(file, 'SELECT * FROM account');
      const killAt = 1 + (round % (steps - from));
      const lines = await linesOf(compiled, 'upgrader.js', [file, String(killAt)]);
      expect(lines.at(-1)).not.toBe('upgraded');
      expect(versionOf()).toBe(from);
      expect(readFrom(file, 'SELECT * FROM account')).toEqual(contents);
    }
    expect(await linesOf(compiled, 'upgrader.js', [file])).toContain('upgraded');
    expect([...faultsIn(file)]).toEqual([]);
    // The copy of the upgrade that was killed is removed.
    expect(readdirSync(directory).filter((name) => name.includes('.schema-'))).toHaveLength(1);
  });
});
