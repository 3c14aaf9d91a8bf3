import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { zeroCounts, type AccountCounts, type AccountState } from '../../src/domain/account-state.ts';
import { parseDecimal } from '../../src/domain/decimal.ts';
import { writeMoney } from '../../src/domain/money.ts';
import { stepNames, type StepName } from '../../src/domain/steps.ts';
import type { Journal, RecordedProblem, RunEnd, RunStart } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';

export const address = 'https://api.example.com';
const source = '/srv/migration/export';
const hour = 3_600_000;

/** The morning after the last of three nights, at 07:30 UTC. */
export const morning = Date.UTC(2026, 6, 2, 7, 30);
/** In the middle of that night. */
export const midnight = Date.UTC(2026, 6, 2, 0, 30);

/** Accounts of one state and reason. */
export interface Some {
  readonly state: AccountState;
  readonly accounts: number;
  readonly code?: string;
  /** What the platform refused, has not answered, or what nobody knows; absent: nothing was sent. */
  readonly step?: StepName;
  /** The column of the cell of each. */
  readonly column?: string;
}

/** A journal of a book of one supplier on a real platform. */
export class RecordedBook {
  readonly #journal: Journal;
  readonly #supplier: string;
  #line = 1;
  #account = 1;

  private constructor(journal: Journal, supplier: string) {
    this.#journal = journal;
    this.#supplier = supplier;
  }

  /** In `.migrate` of this directory, beside the books of other suppliers that are there. */
  static in(directory: string, supplier = 'TENTACLE_ENERGY'): RecordedBook {
    mkdirSync(join(directory, '.migrate'), { recursive: true });
    const journal = openJournal(join(directory, '.migrate/journal.db'), {
      synchronous: 'NORMAL',
      create: true,
    });
    return new RecordedBook(journal, supplier);
  }

  /** A run that began in this night (0: the last one) at 21:00 UTC; gives its number. */
  async run(night: number, changes: Partial<RunStart> = {}): Promise<number> {
    return this.#journal.startRun({
      ...{
        platform: address,
        platformLabel: address,
        supplier: this.#supplier,
        dryRun: false,
        export: source,
      },
      startedAt: startOf(night),
      by: { user: 'erin', host: 'mover-1', version: '0.7.0' },
      facts: { profile: 'live', rehearsal: false, unattended: true },
      ...changes,
    });
  }

  /** The same, which is under way now, and stops since five minutes if it has a reason. */
  async running(now: number, stopping?: string): Promise<number> {
    const run = await this.run(0);
    const lease = {
      ...{ platform: address, supplier: this.#supplier },
      owner: { host: 'mover-1', pid: 4711, processStart: '' },
    };
    await this.#journal.takeLease(lease, now - hour, now + hour, () => false);
    await this.#journal.notePace(run, {
      words: '16 at once',
      ...(stopping === undefined ? {} : { stopping: { reason: stopping, since: now - 300_000 } }),
    });
    return run;
  }

  /** Eight and a half hours after its start, unless it took less (ms). */
  async ended(
    run: number,
    night: number,
    end: Partial<RunEnd> & { readonly completed?: number } = {},
    tookMs = 8.5 * hour,
  ): Promise<void> {
    const { completed = 0, ...given } = end;
    await this.#journal.finishRun(run, {
      ...{ endedAt: startOf(night) + tookMs, exit: 0, reason: '', requests: 7 * completed, retries: 3 },
      ...{ accounts: counts({ completed }), driven: counts({ completed }) },
      ...given,
    });
  }

  /** Accounts that runs have read from the export, in these states. */
  async accounts(run: number, ...all: readonly Some[]): Promise<void> {
    const total = all.reduce((sum, { accounts }) => sum + accounts, 0);
    const first = this.#account;
    this.#account += total;
    const keys = Array.from({ length: total }, (_, at) => ({
      supplier: this.#supplier,
      account: `EXT-${String(first + at).padStart(6, '0')}`,
    }));
    await this.#journal.beginReading(address, source, total);
    const entries = await this.#journal.enter(address, source, keys);
    await this.#journal.endReading(address, source);
    const states = all.flatMap((some) => Array<Some>(some.accounts).fill(some));
    await Promise.all(
      entries.map(({ id }, at) => this.#bring(run, id, keys[at]?.account ?? '', states[at] ?? pending)),
    );
  }

  async #bring(run: number, accountId: number, account: string, some: Some): Promise<void> {
    const { state, code = '', step, column } = some;
    if (state === 'pending') return;
    const doneTo =
      state === 'completed' ? stepNames.length : step === undefined ? 0 : stepNames.indexOf(step);
    const done = stepNames.slice(0, doneTo);
    const at = startOf(0) + hour;
    if (done.includes('process')) await this.#sent(run, accountId, at);
    if (step !== undefined && state !== 'scheduled') {
      const ref = { accountId, step, part: 0 };
      await this.#journal.intend(ref, { hash: 'h', run, at });
      const outcome = { rejected: 'refused', failed: 'failed', uncertain: 'uncertain' } as const;
      // An account in another state waits for the answer.
      if (state === 'rejected' || state === 'failed' || state === 'uncertain')
        await this.#journal.settle(ref, {
          ...{
            state: outcome[state],
            outcome: state === 'rejected' ? 'refused' : 'unknown',
            at: at + 80,
            code,
          },
          ...(state === 'rejected' ? { status: 400 } : {}),
        });
    }
    if (column !== undefined) {
      const cell = { file: 'KUNDEN.csv', line: (this.#line += 7), column };
      const problem: RecordedProblem = { code, path: column, cell, ...(step === undefined ? {} : { step }) };
      await this.#journal.setProblems(accountId, [problem]);
    }
    const left = { rejected: 'refused', failed: 'failed', uncertain: 'uncertain' }[state as string];
    await this.#journal.change(accountId, {
      ...{ state, code },
      steps: {
        ...Object.fromEntries(
          (state === 'rejected' && step === undefined ? stepNames : []).map(
            (name) => [name, 'pending'] as const,
          ),
        ),
        ...Object.fromEntries(done.map((name) => [name, 'done'] as const)),
        ...(step === undefined || left === undefined ? {} : { [step]: left }),
      },
      ...(done.includes('process') ? { krakenAccountNumber: `A-${account.slice(4)}` } : {}),
    });
  }

  /** The account is created, with its balance. */
  async #sent(run: number, accountId: number, at: number): Promise<void> {
    const balance = new Map([['transfer_balance', parseDecimal('125.50')!]]);
    await this.#journal.recordSent(
      { accountId, step: 'process', part: 0 },
      { hash: 'h', run, at, money: writeMoney(balance) },
      { state: 'done', outcome: 'ok', status: 200, at: at + 40 },
    );
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}

const pending: Some = { state: 'pending', accounts: 1 };

/** 21:00 UTC; 0: the last night. */
export function startOf(night: number): number {
  return Date.UTC(2026, 6, 1 - night, 21);
}

export function counts(some: Partial<AccountCounts>): AccountCounts {
  return { ...zeroCounts(), ...some };
}
