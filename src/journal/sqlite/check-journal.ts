import { flawsIn, versionOf } from '../../sqlite/migrate.ts';
import { openAsItIs, type Sqlite } from '../../sqlite/open-database.ts';
import { flawText } from '../../sqlite/structure.ts';
import {
  brokenAccounts,
  countedStates,
  rules,
  TallyDifferences,
  type ConsistencyRule,
  type StatesRow,
  type TalliedRow,
} from '../core/consistency.ts';
import type { JournalFault } from '../store.ts';
import { journalSpec } from './schema.ts';

/**
 * Checks a journal of any schema version, and returns its errors: first the file's own pages and references and, if
 * those are correct, its structure, then the consistency of its accounts. Reads it row by row, as of one moment, even while a run
 * writes. Throws DatabaseRefused if it cannot be read at all.
 */
export function* faultsIn(file: string): Generator<JournalFault> {
  const db = openAsItIs(file, { ...journalSpec, synchronous: 'FULL' });
  try {
    let isWhole = true;
    for (const faults of [damage, brokenReferences, wrongStructure])
      for (const fault of isWhole ? faults(db) : []) {
        isWhole = false;
        yield fault;
      }
    if (!isWhole) return;
    db.exec('BEGIN');
    yield* tallyFaults(db);
    for (const rule of rules) yield* ruleFaults(db, rule);
  } finally {
    db.close();
  }
}

function* damage(db: Sqlite): Generator<JournalFault> {
  for (const message of messages(db, 'PRAGMA integrity_check'))
    if (message !== 'ok') for (const detail of message.split('\n')) yield { code: 'damaged_file', detail };
}

function* brokenReferences(db: Sqlite): Generator<JournalFault> {
  for (const table of messages(db, 'SELECT DISTINCT "table" FROM pragma_foreign_key_check'))
    yield { code: 'broken_reference', detail: `A row of ${table} belongs to one that does not exist.` };
}

/** What the next upgrade adds is no error. */
function* wrongStructure(db: Sqlite): Generator<JournalFault> {
  for (const flaw of flawsIn(db, journalSpec, versionOf(db, journalSpec, db.name)))
    yield { code: 'wrong_structure', detail: flawText(flaw) };
}

/** A page that cannot be read ends the check with SQLite's own message. */
function* messages(db: Sqlite, sql: string): Generator<string> {
  try {
    yield* db.prepare<[], string>(sql).pluck().iterate();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CORRUPT')))
      throw error;
    yield error.message;
  }
}

function* ruleFaults(db: Sqlite, { code, detail, broken }: ConsistencyRule): Generator<JournalFault> {
  const found = db.prepare<[], { supplier: string; account: string }>(brokenAccounts(broken));
  for (const { supplier, account } of found.iterate()) yield { code, detail, supplier, account };
}

/** Compares the journal's counts with its rows. */
function* tallyFaults(db: Sqlite): Generator<JournalFault> {
  const differences = new TallyDifferences();
  const rows = db.prepare<[], StatesRow>(countedStates);
  for (const row of rows.iterate()) differences.count(row);
  const tallies = db.prepare<[], TalliedRow>('SELECT supplier, step, state, accounts FROM tally');
  for (const row of tallies.iterate()) differences.compare(row);
  const codeOf = db.prepare<[number], string>('SELECT code FROM supplier WHERE id = ?').pluck();
  for (const { supplier, detail } of differences.all())
    yield { code: 'wrong_tally', detail, supplier: codeOf.get(supplier) ?? '' };
}
