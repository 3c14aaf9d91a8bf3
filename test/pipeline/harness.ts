import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultRuleContext } from '../../src/contract/preflight.ts';
import { defaultTransactionsQuery } from '../../src/contract/schemas/transactions.ts';
import { withTotal } from '../../src/domain/account-state.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { stepNames, type ExtraStepName } from '../../src/domain/steps.ts';
import type { AccountEntry, Boot, Journal } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import type { AccountPlan } from '../../src/mapping/plan.ts';
import type { ByReading } from '../../src/pipeline/account/by-reading.ts';
import type { ReadyPlan } from '../../src/pipeline/account/ready-plan.ts';
import type { RunEvent } from '../../src/pipeline/run/run-events.ts';
import { runMigration, type RunResult } from '../../src/pipeline/run/run-migration.ts';
import type { Settings } from '../../src/pipeline/settings.ts';
import { StopControl } from '../../src/pipeline/run/stop-control.ts';
import { PaceNotes } from '../../src/run/pace-notes.ts';
import { crashingJournal } from './crash/crashing-journal.ts';
import { Life, World } from './crash/world.ts';
import { ownClock } from './own-clock.ts';
import { readyPlan } from './ready-plan.ts';
import { ScriptedPlatform } from './scripted-platform.ts';
import type { SimulatedTime } from './simulated-time.ts';

export * from './scripted-platform.ts';

/** The rules that the plans of tests are held to. */
export const rules = defaultRuleContext('2024-07-01');

export const defaultSettings: Settings = {
  team: 'MIGRATIONS',
  dryRun: false,
  importKind: 'v1',
  schedule: { mostPending: 1000, pollMs: 60_000, waitMs: 1_800_000 },
  steps: new Set(stepNames),
  adopt: false,
  concurrency: 1,
  requestSizes: { notes: 500, transactions: 500, statements: 500 },
  transactionsQuery: defaultTransactionsQuery,
  tenancy: {
    statementsRefuseKnownIds: true,
    agreementsMayRepeat: false,
    billingRefusalCountsAsOurs: false,
    paymentRefusalAfter500: false,
  },
  retry: { attempts: 3, throttledAttempts: 5, baseMs: 100, capMs: 1000, retryAfterCapMs: 60_000 },
  patience: {
    quietPeriodMs: 5000,
    statusPollMs: 1000,
    inProgressMs: 10_000,
    credentialsMs: 30_000,
    laggingMs: 30_000,
    unavailableMs: 600_000,
  },
  // Longer than any test: the clock of most tests takes no notice of sleeps of hours.
  timeouts: { stepMs: 86_400_000 },
};

export const supplier = 'TENTACLE_ENERGY';

export function planOf(
  account: string,
  extras: Partial<Record<ExtraStepName, JsonObject[]>> = {},
  payload: JsonObject = {},
): AccountPlan {
  const identification = { import_supplier: supplier, external_account_number: account };
  const withIdentification = (step: ExtraStepName) =>
    (extras[step] ?? []).map((request) => ({ ...identification, ...request }));
  return {
    key: { supplier, account },
    payload: { ...identification, account_type: 'DOMESTIC', unknown_occupier: true, ...payload },
    extras: {
      notes: withIdentification('notes'),
      transactions: withIdentification('transactions'),
      agreements: withIdentification('agreements'),
      'billing-documents': withIdentification('billing-documents'),
      statements: withIdentification('statements'),
      'payment-instruction': withIdentification('payment-instruction'),
    },
    problems: [],
    ignoredRows: 0,
    isWhole: true,
    unread: () => undefined,
    locate: (_step, path) => ({ file: 'accounts.ndjson', line: 1, column: path }),
  };
}

/** A migration of which a test owns every part; the journal is a real file and outlives each run. */
export class Harness {
  readonly platform = new ScriptedPlatform();
  readonly clock = ownClock();
  rules = rules;
  /** Of the machine that runs take place on. */
  boot: Boot | undefined;
  /** Asks by reading; absent: accounts cannot be read. */
  byReading: ByReading | undefined;
  /** What a run has in place of its journal. */
  journalOf = (journal: Journal): Journal => journal;
  /** In place of that clock, where time is to pass for all who wait. */
  time: SimulatedTime | undefined;
  readonly events: RunEvent[] = [];
  readonly directory = mkdtempSync(join(tmpdir(), 'pipeline-'));
  stop = new StopControl();

  get journalFile(): string {
    return join(this.directory, 'journal.db');
  }

  run(plans: readonly AccountPlan[], settings: Partial<Settings> = {}): Promise<RunResult> {
    const running = this.#withJournal((journal) => this.#migrate(this.journalOf(journal), plans, settings));
    return this.time === undefined ? running : this.time.until(running);
  }

  /** A run whose process is killed right after this write. */
  runKilledAfter(write: string, plans: readonly AccountPlan[]): Promise<void> {
    return this.#withJournal(async (journal) => {
      const life = new Life();
      const crashing = crashingJournal(journal, new World(), life, (point) => {
        if (point === `after ${write}`) life.kill();
      });
      const result = await Promise.race([this.#migrate(crashing, plans, {}), life.fallen]);
      if (result !== undefined) throw new Error(`The run ended, and never wrote: ${write}`);
    });
  }

  /** A run whose process is killed right after the write of this number since a gateway refused a body; false if it ended before. */
  runKilledAt(number: number, plans: readonly AccountPlan[]): Promise<boolean> {
    return this.#withJournal(async (journal) => {
      const life = new Life();
      let writes = 0;
      const crashing = crashingJournal(journal, new World(), life, (point) => {
        if (point.startsWith('after ') && this.platform.tooLarge.length > 0) writes += 1;
        if (writes === number) life.kill();
      });
      return (await Promise.race([this.#migrate(crashing, plans, {}), life.fallen])) === undefined;
    });
  }

  /** What the journal has of an account. */
  entry(account: string): Promise<AccountEntry | undefined> {
    return this.#withJournal((journal) => journal.find('https://platform.example', { supplier, account }));
  }

  async #withJournal<T>(work: (journal: Journal) => Promise<T>): Promise<T> {
    const journal = openJournal(this.journalFile, { synchronous: 'NORMAL', create: true });
    try {
      return await work(journal);
    } finally {
      await journal.close();
    }
  }

  /** With the counts of the plans that were given: what of the book a run tells is not what these tests are about. */
  async #migrate(
    journal: Journal,
    plans: readonly AccountPlan[],
    settings: Partial<Settings>,
  ): Promise<RunResult> {
    this.stop = new StopControl();
    this.events.length = 0;
    const whole = { ...defaultSettings, ...settings };
    const notes = new PaceNotes(journal, this.clock, 'UTC');
    const result = await runMigration(
      {
        plans: pulled(plans, whole, this.rules),
        export: 'export',
        place: '/export',
        faults: 0,
        platform: 'https://platform.example',
        platformLabel: 'https://platform.example',
        settings: whole,
        ...(this.boot === undefined ? {} : { boot: this.boot }),
        lease: {
          owner: { host: 'here', pid: 1, processStart: 'a' },
          isDead: () => true,
          leaseMs: 86_400_000,
          requestMs: 0,
        },
      },
      {
        client: this.platform.client(),
        journal,
        clock: this.time ?? this.clock,
        random: () => 0.5,
        stop: this.stop,
        byReading: this.byReading,
        emit: (event) => {
          this.events.push(event);
          if (event.type === 'begun' || event.type === 'body-limit') notes.hear(event);
        },
      },
    );
    const { uncounted } = result.accounts;
    return {
      ...result,
      accounts: { ...withTotal(result.taken), ...(uncounted === undefined ? {} : { uncounted }) },
    };
  }

  dispose(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Plans as a run of these settings pulls them. */
export async function* pulled(
  plans: readonly AccountPlan[],
  settings: Settings,
  heldTo = rules,
): AsyncGenerator<ReadyPlan> {
  await Promise.resolve();
  for (const plan of plans) yield readyPlan(plan, heldTo, settings);
}
