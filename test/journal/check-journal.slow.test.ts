import Database from 'better-sqlite3';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultsIn } from '../../src/journal/sqlite/check-journal.ts';
import { newest, writeJournal, writtenJournals, type WrittenJournal } from './written-journal.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'));
  file = join(directory, 'journal.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A journal with an account of every kind, spoilt by `sql`. */
function written(kind: number | WrittenJournal, sql = ''): void {
  writeJournal(file, kind);
  const db = new Database(file);
  db.pragma('foreign_keys = OFF');
  db.pragma('ignore_check_constraints = ON');
  db.exec(sql);
  db.close();
}

const codes = () => [...faultsIn(file)].map(({ code, account = '' }) => `${code} ${account}`.trim());

describe('a look through a journal', () => {
  it.each(writtenJournals)(
    'finds nothing in a sound one ($fixture, schema version $raisedTo), and leaves that as it is',
    (kind) => {
      written(kind);
      const before = readFileSync(file);
      expect(codes()).toEqual([]);
      expect(readFileSync(file)).toEqual(before);
    },
  );

  it.each([
    [
      'a count that is not that of its rows',
      'UPDATE tally SET accounts = 7 WHERE step = 0 AND state = 3',
      'wrong_tally',
    ],
    [
      'accounts that nobody counted',
      "INSERT INTO account (supplier, number, state, steps, code) VALUES (1, 'X', 0, 0, '')",
      'wrong_tally',
    ],
    [
      'an account that was created and has no number',
      'UPDATE account SET kraken_account_number = NULL WHERE id = 1',
      'number_without_account EXT-1',
    ],
    [
      'a number of an account that was not created',
      "UPDATE account SET kraken_account_number = 'A' WHERE id = 3",
      'number_without_account EXT-3',
    ],
    [
      'a number of an account of another platform, which is fine, and of one that is not created',
      "UPDATE account SET kraken_account_number = 'A-00000001' WHERE id = 5",
      'number_without_account EXT-1',
    ],
    [
      'a process request that is not there',
      'DELETE FROM part WHERE account = 1 AND step = 3',
      'created_without_request EXT-1',
    ],
    [
      'a done step with a request of unknown effect',
      'UPDATE part SET state = 4 WHERE account = 1 AND step = 4',
      'done_with_unknown_request EXT-1',
    ],
    [
      'a request of a run that is not there',
      'UPDATE part SET run = 99 WHERE account = 4 AND step = 6',
      'request_of_no_run EXT-4',
    ],
    ['earlier attempts of no request', 'DELETE FROM part WHERE account = 2', 'attempt_without_request EXT-2'],
  ])('finds %s', (_, sql, fault) => {
    written(newest, sql);
    expect(codes()).toEqual([fault]);
  });

  it.each([
    [
      'a step in no known state',
      'UPDATE account SET steps = steps | 7 WHERE id = 1',
      'unknown_step_state EXT-1',
    ],
    ['a row that belongs to nothing', 'DELETE FROM supplier WHERE id = 2', 'broken_reference'],
    [
      'a completed account with work left',
      'UPDATE account SET state = 3 WHERE id = 4',
      'completed_with_work_left EXT-4',
    ],
    [
      'a pending account that was created',
      'UPDATE account SET state = 0 WHERE id = 1',
      'state_against_process EXT-1',
    ],
    [
      'an imported account that was not created',
      'UPDATE account SET state = 2 WHERE id = 3',
      'state_against_process EXT-3',
    ],
  ])('finds %s', (_, sql, fault) => {
    written(newest, sql);
    expect(codes()).toContain(fault);
  });

  it('finds accounts of one platform with one number, of whatever supplier', () => {
    written(
      newest,
      `INSERT INTO supplier VALUES (3, 1, 'OTHER');
       INSERT INTO account VALUES (6, 3, 'EXT-6', 6, 0, '', NULL, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL);
       UPDATE account SET kraken_account_number = 'A-00000001' WHERE id IN (4, 6)`,
    );
    expect(codes().filter((code) => code.startsWith('number_of'))).toEqual([
      'number_of_another_account EXT-1',
      'number_of_another_account EXT-4',
      'number_of_another_account EXT-6',
    ]);
  });

  it('takes the number of an account whose process step is uncertain for no fault', () => {
    written(
      newest,
      `UPDATE account SET steps = (steps & ~(7 << 6)) | (5 << 6), kraken_account_number = 'A-3', state = 6 WHERE id = 3;
       UPDATE part SET state = 4, took = 1, outcome = 'unknown' WHERE account = 3 AND step = 3`,
    );
    expect(codes().filter((code) => !code.startsWith('wrong_tally'))).toEqual([]);
  });

  it.each([
    ['a table', newest, 'DROP TABLE part_cell', 'The table part_cell is missing.'],
    [
      'a column',
      newest,
      'ALTER TABLE problem DROP COLUMN warning',
      'The column warning of problem is missing.',
    ],
    ['an index', newest, 'DROP INDEX refused_data', 'The index refused_data is missing.'],
    [
      'a column that no upgrade adds',
      13,
      'ALTER TABLE part DROP COLUMN words',
      'The column words of part is missing.',
    ],
  ])('names %s that is missing', (_, version, sql, detail) => {
    written(version, sql);
    expect([...faultsIn(file)]).toEqual([{ code: 'wrong_structure', detail }]);
  });

  it('finds a damaged page, and says no more than that', () => {
    written(
      newest,
      `INSERT INTO problem SELECT 4, value, NULL, hex(randomblob(200)), '', NULL, NULL, NULL, 0 FROM generate_series(1, 500)`.replace(
        /FROM generate_series.*/,
        'FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 500) SELECT value FROM n)',
      ),
    );
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, 40 * 4096);
    closeSync(handle);
    const found = codes();
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found)).toEqual(new Set(['damaged_file']));
    for (const { detail } of faultsIn(file)) expect(detail).not.toContain('\n');
  });

  it('refuses what is no journal', () => {
    expect(() => codes()).toThrow(/There is no journal at/);
    new Database(file).exec('CREATE TABLE t (x)').close();
    expect(() => codes()).toThrow(/is not a journal/);
  });
});
