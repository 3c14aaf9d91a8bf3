import { extraStepNames, stepNames, type StepName } from '../../domain/steps.ts';
import { numberOfAnotherAccount } from '../../domain/number-of-another-account.ts';
import { openAsItIs, type Sqlite } from '../../sqlite/open-database.ts';
import { accountStates, partStates, stepStateIn, steps, stepStates, type Codes } from '../codes.ts';
import type { JournalFault } from '../store.ts';
import { journalSpec } from './schema.ts';
import { ownState } from '../tally.ts';

/** An error of every account that a query finds: in its own row, or in rows that belong to it. */
interface Rule {
  readonly code: string;
  readonly detail: string;
  /** A condition on `account`. */
  readonly broken: string;
}

const stepIn = (step: StepName) => `(account.steps >> ${3 * (steps.of[step] - 1)} & 7)`;
const stateIn = (...states: (keyof typeof accountStates.of)[]) =>
  `account.state IN (${states.map((state) => accountStates.of[state]).join()})`;
const created = `${stepIn('process')} = ${stepStates.of.done}`;
const partsThat = (condition: string) =>
  `EXISTS (SELECT 1 FROM part WHERE part.account = account.id AND ${condition})`;
const settled = `${stepStates.of.none}, ${stepStates.of.done}`;

const rules: readonly Rule[] = [
  {
    code: 'unknown_step_state',
    detail: 'A step is in an unknown state.',
    broken: `account.steps NOT BETWEEN 0 AND ${8 ** stepNames.length - 1} OR ${stepNames
      .map((step) => `${stepIn(step)} > ${Math.max(...Object.values(stepStates.of))}`)
      .join(' OR ')}`,
  },
  {
    code: 'number_without_account',
    detail: 'It has a new number and was not created, or the reverse.',
    // Which account has the number may be what is uncertain.
    broken: `account.kraken_account_number IS NULL AND ${created}
      OR account.kraken_account_number IS NOT NULL AND NOT ${created}
        AND ${stepIn('process')} <> ${stepStates.of.uncertain}`,
  },
  {
    code: numberOfAnotherAccount,
    detail: 'It has the platform number of another account.',
    broken: `account.kraken_account_number IN (
        SELECT kraken_account_number FROM account WHERE kraken_account_number IS NOT NULL
        GROUP BY kraken_account_number HAVING count(*) > 1)
      AND EXISTS (SELECT 1 FROM account AS other JOIN supplier AS others ON others.id = other.supplier
        WHERE other.kraken_account_number = account.kraken_account_number AND other.id <> account.id
          AND others.platform = supplier.platform)`,
  },
  {
    code: 'state_against_process',
    detail: 'Its state says that it exists and its process step does not, or the reverse.',
    broken: `${stateIn('imported', 'completed')} AND NOT ${created} OR ${stateIn('pending', 'staged', 'skipped')} AND ${created}`,
  },
  {
    code: 'completed_with_work_left',
    detail: 'It counts as completed, and a step of it is not done.',
    broken: `${stateIn('completed')} AND (${extraStepNames
      .map((step) => `${stepIn(step)} NOT IN (${settled})`)
      .join(' OR ')})`,
  },
  {
    code: 'created_without_request',
    detail: 'It counts as created, and no process request of it is done.',
    broken: `${created} AND NOT ${partsThat(`step = ${steps.of.process} AND state = ${partStates.of.done}`)}`,
  },
  {
    code: 'done_with_unknown_request',
    detail: 'A step counts as done, and the effect of a request of it is not known.',
    broken:
      partsThat(`step >= ${steps.of.process} AND state IN (${partStates.of.sent}, ${partStates.of.uncertain})
      AND (account.steps >> (3 * (step - 1)) & 7) = ${stepStates.of.done}`),
  },
  {
    code: 'request_of_no_run',
    detail: 'A request of it belongs to a run that the journal does not have.',
    broken: partsThat('NOT EXISTS (SELECT 1 FROM run WHERE run.id = part.run)'),
  },
  {
    code: 'attempt_without_request',
    detail: 'An earlier attempt at a request is recorded, but not the request.',
    broken: `EXISTS (SELECT 1 FROM attempt LEFT JOIN part USING (account, step, part)
      WHERE attempt.account = account.id AND (part.attempt IS NULL OR part.attempt < attempt.attempt))`,
  },
];

/**
 * Checks a journal of any schema version, and returns its errors: first the file's own pages and references and, if
 * those are correct, the consistency of its accounts. Reads it row by row, from one moment, also while a run writes.
 * Throws DatabaseRefused if it cannot be read at all.
 */
export function* faultsIn(file: string): Generator<JournalFault> {
  const db = openAsItIs(file, { ...journalSpec, synchronous: 'FULL' });
  try {
    let isWhole = true;
    for (const faults of [damage, brokenReferences])
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

function* ruleFaults(db: Sqlite, { code, detail, broken }: Rule): Generator<JournalFault> {
  const found = db.prepare<[], { supplier: string; account: string }>(`
    SELECT supplier.code AS supplier, account.number AS account
    FROM account JOIN supplier ON supplier.id = account.supplier WHERE ${broken}`);
  for (const { supplier, account } of found.iterate()) yield { code, detail, supplier, account };
}

/** Compares the journal's counts with its rows. */
function* tallyFaults(db: Sqlite): Generator<JournalFault> {
  const differences = new Map<string, number>();
  const add = (supplier: number, step: number, state: number, by: number) => {
    const name = [supplier, step, state].join();
    differences.set(name, (differences.get(name) ?? 0) + by);
  };
  const rows = db.prepare<[], { supplier: number; state: number; steps: number; accounts: number }>(
    'SELECT supplier, state, steps, count(*) AS accounts FROM account GROUP BY 1, 2, 3',
  );
  for (const { supplier, state, steps: packed, accounts } of rows.iterate()) {
    add(supplier, ownState, state, accounts);
    for (const step of stepNames) {
      const stepState = stepStateIn(packed, step);
      if (stepState !== stepStates.of.none) add(supplier, steps.of[step], stepState, accounts);
    }
  }
  const tallies = db.prepare<[], { supplier: number; step: number; state: number; accounts: number }>(
    'SELECT supplier, step, state, accounts FROM tally',
  );
  for (const { supplier, step, state, accounts } of tallies.iterate()) add(supplier, step, state, -accounts);
  const codeOf = db.prepare<[number], string>('SELECT code FROM supplier WHERE id = ?').pluck();
  for (const [name, difference] of differences) {
    if (difference === 0) continue;
    const [supplier = 0, step = 0, state = 0] = name.split(',').map(Number);
    const what =
      step === ownState
        ? nameIn(accountStates, state)
        : `${nameIn(steps, step)} ${nameIn(stepStates, state)}`;
    const detail = `Its count of accounts with ${what} is ${Math.abs(difference)} too ${difference > 0 ? 'low' : 'high'}.`;
    yield { code: 'wrong_tally', detail, supplier: codeOf.get(supplier) ?? '' };
  }
}

/** The name of a number, even if there is none. */
function nameIn(codes: Codes<string>, code: number): string {
  return Object.entries(codes.of).find(([, known]) => known === code)?.[0] ?? `state ${code}`;
}
