import type { Journal } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import type { Settings } from '../../src/pipeline/settings.ts';
import { ok, planOf, supplier, type Harness } from './harness.ts';

export const told = (status: string, more: Record<string, unknown> = {}) => ok({ status, ...more }, 200);
export const pending = told('PENDING');
export const processedAs = (krakenAccountNumber: string) => told('PROCESSED', { krakenAccountNumber });
export const processed = processedAs('A-1');
export const errored = (code: string, detail = '') => told('ERRORED', { error: { code, detail } });
export const unknownTask = {
  ...({ kind: 'not-found', status: 404 } as const),
  refusal: { problems: [], code: 'not_found', detail: '', wouldImport: false },
} as const;

export const schedule = { mostPending: 10, pollMs: 60_000, waitMs: 600_000 };
/** Room for one task at a time. */
export const one = { schedule: { ...schedule, mostPending: 1 } };

/** A run that schedules these accounts, or the first one. */
export const runScheduled = (harness: Harness, settings: Partial<Settings> = {}, ...accounts: string[]) =>
  harness.run(
    (accounts.length === 0 ? ['1'] : accounts).map((account) => planOf(account)),
    { importKind: 'v2', schedule, ...settings },
  );

export async function inJournal<T>(harness: Harness, work: (journal: Journal) => Promise<T>): Promise<T> {
  const journal = openJournal(harness.journalFile, { synchronous: 'NORMAL', create: true });
  try {
    return await work(journal);
  } finally {
    await journal.close();
  }
}

/** What the journal has of an account. */
export const recorded = (harness: Harness, account = '1') =>
  inJournal(harness, (journal) => journal.find('https://platform.example', { supplier, account }));

/** What the journal has of an account: its state, and that of its process step with its last attempt. */
export async function entryOf(harness: Harness, account = '1') {
  const found = await recorded(harness, account);
  const { state, code, steps, parts = [], krakenAccountNumber } = found ?? {};
  const { state: sent, outcome, code: why } = parts.find(({ step }) => step === 'process') ?? {};
  return {
    account: `${state} ${code}`.trim(),
    process: steps?.process,
    sent,
    outcome,
    why,
    krakenAccountNumber,
  };
}
