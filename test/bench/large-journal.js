// A journal of so many accounts that are done, nine steps each, as runs leave it: written by SQL in a fraction of the time.
//   node large-journal.js FILE ACCOUNTS
import Database from 'better-sqlite3';
import { openJournal } from '../../dist/journal/sqlite/open-journal.js';
import {
  accountStates,
  partStates,
  stepStates,
  steps,
  withStepState,
} from '../../dist/journal/core/codes.js';
import { numberOf, supplier } from './book.js';

const platform = 'http://127.0.0.1:1';
const at = 1_700_000_000_000;

export function writeJournal(file, accounts) {
  openJournal(file, { synchronous: 'NORMAL', create: true }).close();
  const db = new Database(file);
  db.pragma('synchronous = OFF');
  const names = Object.keys(steps.of);
  const done = names.reduce((packed, step) => withStepState(packed, step, stepStates.of.done), 0);
  const account = db.prepare(`INSERT INTO account
    (id, supplier, number, state, steps, code, kraken_account_number, staged_hash, plan_hash)
    VALUES (?, 1, ?, ${accountStates.of.completed}, ${done}, '', ?, ?, ?)`);
  const part = db.prepare(`INSERT INTO part
    (account, step, part, state, hash, attempt, run, sent_at, took, outcome, status)
    VALUES (?, ?, 0, ${partStates.of.done}, ?, 1, 1, ?, 12, 'ok', 201)`);
  const tally = db.prepare('INSERT INTO tally (supplier, step, state, accounts) VALUES (1, ?, ?, ?)');
  const write = db.transaction((from, to) => {
    for (let id = from; id < to; id += 1) {
      const hash = String(id).padStart(22, 'x');
      account.run(id, numberOf(id), `A-${id}`, hash, hash);
      for (const step of names) part.run(id, steps.of[step], hash, at + id);
    }
  });
  db.exec(`INSERT INTO platform VALUES (1, '${platform}', '${platform}');
    INSERT INTO supplier VALUES (1, 1, '${supplier}')`);
  db.prepare(
    `INSERT INTO run (platform, dry_run, export, started_at, ended_at, exit, reason, accounts, requests, retries)
    VALUES (1, 0, 'book', ?, ?, 0, '', '{}', ?, 0)`,
  ).run(at, at + accounts, 9 * accounts);
  for (let from = 1; from <= accounts; from += 10_000) write(from, Math.min(from + 10_000, accounts + 1));
  tally.run(0, accountStates.of.completed, accounts);
  for (const step of names) tally.run(steps.of[step], stepStates.of.done, accounts);
  db.close();
}

if (process.argv[1] === import.meta.filename) writeJournal(process.argv[2], Number(process.argv[3]));
