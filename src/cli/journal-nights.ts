import type { GivenFlags } from '../report/command-line.ts';
import type { Config } from '../config/load-config.ts';
import type { FailedAccount, Night, NightSource, WatchedSupplier } from '../dashboard/night.ts';
import type { StepName } from '../domain/steps.ts';
import type { Journal, Trouble } from '../journal/journal.ts';
import type { AccountHistory } from '../report/account-history.ts';
import { faultyPlace } from '../report/problem-list.ts';
import type { SupplierStatus } from '../report/status-table.ts';
import { attributedRuns } from '../run/attributed-runs.ts';
import { stepsNotOffered } from '../run/effective-rules.ts';
import { keptReconciled } from '../run/session/reconciled-file.ts';
import { storyOf } from './account-history.ts';
import { codeSentences } from './code-sentences.ts';
import { collected } from './collected.ts';
import { CountedBooks } from './counted-books.ts';
import { openRecorded } from './open-to-read.ts';
import { recordedSuppliers, whyEmpty } from './recorded-suppliers.ts';
import { runningAmong } from '../run/running-runs.ts';
import type { Shell } from './shell.ts';
import { watchSuppliers } from './watch-suppliers.ts';

const mostRuns = 50;

interface Work {
  readonly shell: Shell;
  readonly config: Config;
  /** Those of settings and journal, as text to append to a suggested command. */
  readonly given: GivenFlags;
  /** Steps whose endpoint the tenancy's contract does not have; undefined: there is no contract. */
  readonly notOffered: readonly StepName[] | undefined;
}

/**
 * What the dashboard shows of a journal. Opens the journal again each time, so that it notices one that was created, moved or
 * restored in the meantime. What needs every account is counted beside the looks.
 */
export class JournalNights implements NightSource {
  readonly #work: Work;
  readonly #watch: ReturnType<typeof watchSuppliers>;
  readonly #books: CountedBooks;
  readonly #sentences = codeSentences();

  private constructor(work: Work) {
    const { shell, config } = work;
    this.#work = work;
    this.#watch = watchSuppliers(shell, config);
    this.#books = new CountedBooks(shell.clock, () => openRecorded(shell, config, { warn: () => undefined }));
  }

  /** `given`: the flags of settings and journal. */
  static async of(shell: Shell, config: Config, given: GivenFlags): Promise<JournalNights> {
    const notOffered = config.contract === undefined ? undefined : await stepsNotOffered(config);
    return new JournalNights({ shell, config, given, notOffered });
  }

  async look(): Promise<Night> {
    const { config } = this.#work;
    const found = await this.#reading((journal, warnings) => this.#nightIn(journal, warnings));
    const warnings = [`There is no journal at ${config.journal} yet.`];
    return found ?? { suppliers: [], runs: [], running: new Set(), warnings };
  }

  async find(account: string, named: string | undefined): Promise<readonly AccountHistory[]> {
    const { config } = this.#work;
    const found = await this.#reading(async (journal) => {
      const histories: AccountHistory[] = [];
      for (const { platform, platformLabel, supplier } of await recordedSuppliers(journal, config)) {
        if (named !== undefined && supplier !== named) continue;
        const entry = await journal.find(platform, { supplier, account });
        if (entry === undefined) continue;
        histories.push(await storyOf(journal, { platform, platformLabel, entry }));
      }
      return histories;
    });
    return found ?? [];
  }

  /** Ends what is counted. */
  end(): Promise<void> {
    return this.#books.end();
  }

  async #reading<Result>(
    read: (journal: Journal, warnings: readonly string[]) => Promise<Result>,
  ): Promise<Result | undefined> {
    const { shell, config } = this.#work;
    const warnings: string[] = [];
    const journal = await openRecorded(shell, config, { warn: (text) => void warnings.push(text) });
    try {
      return journal && (await read(journal, warnings));
    } finally {
      await journal?.close();
    }
  }

  async #nightIn(journal: Journal, warnings: readonly string[]): Promise<Night> {
    const { shell, config, given } = this.#work;
    const statuses = await this.#watch(journal);
    const runs = await attributedRuns(journal, statuses, await collected(journal.runs(mostRuns)));
    this.#books.see(statuses, runs);
    const kept = await keptReconciled(config);
    const suppliers = await Promise.all(
      statuses.map(async (status): Promise<WatchedSupplier> => {
        const { platform, supplier } = status;
        return {
          status: { ...status, notOffered: this.#work.notOffered },
          failures: await failuresOf(journal, status),
          counted: this.#books.of(status, runs),
          reading: this.#books.readingOf(status),
          reconciled: kept.find((one) => one.platform === platform && one.supplier === supplier),
          currency: config.currencies?.[supplier],
        };
      }),
    );
    const empty = suppliers.length === 0 ? await whyEmpty(journal) : 'new';
    const running = await runningAmong(shell, config, journal, runs);
    return { ...{ suppliers, empty, runs, running, given, warnings }, sentences: this.#sentences };
  }
}

/** The latest failures of a supplier, with the places of their faulty cells. */
function failuresOf(
  journal: Journal,
  { platform, supplier, watched }: SupplierStatus,
): Promise<readonly FailedAccount[]> {
  const withPlaces = async (trouble: Trouble): Promise<FailedAccount> => {
    const entry = await journal.find(platform, { supplier, account: trouble.account });
    const problems = entry === undefined ? [] : await collected(journal.problems(entry.id));
    const errors = problems.filter(({ isWarning }) => isWarning !== true);
    return { ...trouble, places: [...new Set(errors.map(faultyPlace))] };
  };
  return Promise.all((watched?.troubles ?? []).map(withPlaces));
}
