import { exitCodes } from '../../src/domain/exit-codes.ts';
import { counts, midnight, morning, RecordedBook, startOf } from './recorded-book.ts';

/** A state in which people meet a book. */
export interface NightState {
  /** The time of the look, in ms since the epoch. */
  readonly now: number;
  /** The command lines whose screens are kept, without `migrate`. */
  readonly commands: readonly (readonly string[])[];
  readonly record: (directory: string) => Promise<void>;
}

/** Two nights of a book of 1,250 accounts, as nightly runs leave it. */
async function twoNights(book: RecordedBook): Promise<void> {
  for (const [night, completed, sofar] of [
    [2, 380, 380],
    [1, 410, 790],
  ] as const) {
    const run = await book.run(night);
    await book.ended(run, night, {
      ...{ completed, exit: exitCodes.stoppedEarly, reason: 'hours', detail: 'until 05:30' },
      accounts: counts({ completed: sofar, pending: 1250 - sofar }),
    });
  }
}

async function recorded(directory: string, fill: (book: RecordedBook) => Promise<void>): Promise<void> {
  const book = RecordedBook.in(directory);
  await twoNights(book);
  await fill(book);
  await book.close();
}

const looks = [['status'], ['morning'], ['history']];

/** Each kind of state is one file of screens. */
export const nightStates: Readonly<Record<string, NightState>> = {
  running: {
    now: midnight,
    commands: looks,
    record: (directory) =>
      recorded(directory, async (book) => {
        const run = await book.running(midnight);
        await book.accounts(run, { state: 'completed', accounts: 940 }, { state: 'pending', accounts: 310 });
      }),
  },
  stopping: {
    now: midnight,
    commands: looks,
    record: (directory) =>
      recorded(directory, async (book) => {
        const run = await book.running(midnight, 'interrupt');
        await book.accounts(run, { state: 'completed', accounts: 940 }, { state: 'pending', accounts: 310 });
      }),
  },
  stopped: {
    now: morning,
    commands: looks,
    record: (directory) =>
      recorded(directory, async (book) => {
        const run = await book.run(0);
        await book.accounts(run, { state: 'completed', accounts: 1010 }, { state: 'pending', accounts: 240 });
        await book.ended(run, 0, {
          ...{ completed: 220, exit: exitCodes.stoppedEarly, reason: 'hours', detail: 'until 05:30' },
          accounts: counts({ completed: 1010, pending: 240 }),
        });
      }),
  },
  killed: {
    now: morning,
    commands: looks,
    record: (directory) =>
      recorded(directory, async (book) => {
        const run = await book.run(0);
        await book.accounts(
          run,
          { state: 'completed', accounts: 940 },
          { state: 'staged', accounts: 6, step: 'process' },
          { state: 'pending', accounts: 304 },
        );
      }),
  },
  paused: {
    now: morning,
    commands: looks,
    record: (directory) =>
      recorded(directory, async (book) => {
        const run = await book.run(0);
        await book.accounts(run, { state: 'completed', accounts: 820 }, { state: 'pending', accounts: 430 });
        await book.ended(
          run,
          0,
          {
            ...{ completed: 30, exit: exitCodes.unavailable, reason: 'supplier-not-ongoing' },
            accounts: counts({ completed: 820, pending: 430 }),
          },
          600_000,
        );
      }),
  },
  rejected: {
    now: morning,
    commands: [
      ['status'],
      ['morning'],
      ['list', '--limit', '4'],
      ['list', '--summary'],
      ['list', '--code', 'invalid_postcod'],
      ['history'],
    ],
    record: (directory) =>
      recorded(directory, async (book) => {
        const run = await book.run(0);
        await book.accounts(
          run,
          { state: 'completed', accounts: 1187 },
          { state: 'rejected', accounts: 48, code: 'invalid_postcode', column: 'PLZ' },
          {
            state: 'rejected',
            accounts: 12,
            code: 'ledger_code_does_not_exist',
            step: 'stage',
            column: 'KONTO',
          },
          { state: 'rejected', accounts: 3, code: 'invalid_phone_number', column: 'TELEFON' },
        );
        await book.ended(run, 0, {
          ...{ completed: 397, exit: exitCodes.accountsRejected },
          accounts: counts({ completed: 1187, rejected: 63 }),
        });
      }),
  },
  failed: {
    now: morning,
    commands: [['status'], ['morning'], ['list'], ['history']],
    record: (directory) =>
      recorded(directory, async (book) => {
        const run = await book.run(0);
        await book.accounts(
          run,
          { state: 'completed', accounts: 1247 },
          { state: 'failed', accounts: 3, code: 'http_503', step: 'notes' },
        );
        await book.ended(run, 0, {
          ...{ completed: 457, exit: exitCodes.accountsRejected },
          accounts: counts({ completed: 1247, failed: 3 }),
        });
      }),
  },
  uncertain: {
    now: morning,
    commands: [['status'], ['morning'], ['list'], ['show', 'EXT-001249'], ['history']],
    record: (directory) =>
      recorded(directory, async (book) => {
        const run = await book.run(0);
        await book.accounts(
          run,
          { state: 'completed', accounts: 1248 },
          { state: 'uncertain', accounts: 1, code: 'lost_answer', step: 'agreements' },
          { state: 'uncertain', accounts: 1, code: 'created_meanwhile', step: 'process' },
        );
        await book.ended(run, 0, {
          ...{ completed: 458, exit: exitCodes.uncertain },
          accounts: counts({ completed: 1248, uncertain: 2 }),
        });
      }),
  },
  scheduled: {
    now: morning,
    commands: looks,
    record: (directory) =>
      recorded(directory, async (book) => {
        const run = await book.run(0);
        await book.accounts(
          run,
          { state: 'completed', accounts: 790 },
          { state: 'scheduled', accounts: 460, step: 'process' },
        );
        await book.ended(run, 0, {
          ...{ exit: exitCodes.stoppedEarly, reason: 'scheduled', detail: '460' },
          accounts: counts({ completed: 790, scheduled: 460 }),
        });
      }),
  },
  done: {
    now: morning,
    commands: looks,
    record: (directory) =>
      recorded(directory, async (book) => {
        const run = await book.run(0);
        await book.accounts(run, { state: 'completed', accounts: 1250 });
        await book.ended(
          run,
          0,
          { completed: 460, accounts: counts({ completed: 1250 }) },
          morning - startOf(0) - 7_200_000,
        );
      }),
  },
};
