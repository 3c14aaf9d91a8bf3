import { journalOf } from '../run/session/journal-of.ts';
import type { Config } from '../config/load-config.ts';
import { withTotal, zeroCounts } from '../domain/account-state.ts';
import { utcDatetime } from '../domain/clock.ts';
import type { Journal, RunEntry, SupplierOverview } from '../journal/journal.ts';
import type { RunnerSeen } from '../journal/run-groups.ts';
import type { EmptyJournal } from '../report/empty-journal.ts';
import { paragraph } from '../report/paragraph.ts';
import type { Printer } from '../report/printer.ts';
import {
  besideRun,
  statusSummary,
  statusText,
  withRunners,
  type SupplierStatus,
} from '../report/status-table.ts';
import { isScreen } from '../report/terminal.ts';
import { Throughput } from '../report/progress-line.ts';
import { recordedSuppliers } from './recorded-suppliers.ts';
import { runnersAmong } from '../run/running-runs.ts';
import type { Shell } from './shell.ts';

/** The rate is taken over so long (ms). */
const paceMs = 60_000;
/** Among these are the runs that share a book. */
const latestRuns = 50;

/** Reads the journal's suppliers repeatedly: each reading gives their speed since the earlier ones. */
export function watchSuppliers(
  shell: Shell,
  config: Config,
): (journal: Journal) => Promise<readonly SupplierStatus[]> {
  const { clock } = shell;
  const startedAt = clock.monotonic();
  const paces = new Map<string, { readonly pace: Throughput; readonly from: number }>();

  async function watched(
    journal: Journal,
    overview: SupplierOverview,
    unfinished: readonly RunEntry[],
  ): Promise<SupplierStatus> {
    const { platform, supplier } = overview;
    const { pending, staged, imported } = { ...zeroCounts(), ...overview.accounts };
    const { total } = withTotal(overview.accounts);
    const begun = pending + staged + imported;
    const done = total - begun;
    const now = clock.monotonic();
    const name = `${platform}\n${supplier}`;
    const known = paces.get(name) ?? { pace: new Throughput(paceMs, now), from: done };
    paces.set(name, known);
    const since = done - known.from;
    const run = unfinished.find(
      (one) => one.platform === platform && (one.supplier === undefined || one.supplier === supplier),
    );
    return {
      ...overview,
      watched: {
        perSecond: known.pace.note(now, since),
        averagePerSecond: now > startedAt ? (since / (now - startedAt)) * 1000 : 0,
        // Accounts that the run has not reached are not in the journal.
        rest: begun + (run === undefined ? 0 : Math.max(0, (run.named ?? 0) - total)),
        troubles: await journal.lastTroubles(platform, supplier),
        flow: run?.pace,
      },
    };
  }

  return async (journal) => {
    const unfinished = await unfinishedRuns(shell, journal);
    const suppliers = await recordedSuppliers(journal, config);
    return Promise.all(suppliers.map((overview) => watched(journal, overview, unfinished)));
  };
}

/** Runs that share a book, however many were refused or have ended since they began; else the newest, if it has not ended. */
async function unfinishedRuns(shell: Shell, journal: Journal): Promise<readonly RunEntry[]> {
  const runs: RunEntry[] = [];
  for await (const run of journal.runs(latestRuns)) runs.push(run);
  const sharing = await runnersAmong(shell, journal, runs);
  return sharing.length > 0 ? sharing : runs.slice(0, 1).filter(({ end }) => end === undefined);
}

/** The display beside the progress of a run on a terminal: the same as `status --watch`, from the same source. */
export class LiveStatus {
  readonly #shell: Shell;
  readonly #printer: Printer;
  readonly #config: Config;
  #journal: Promise<Journal> | undefined;

  constructor(shell: Shell, printer: Printer, config: Config) {
    this.#shell = shell;
    this.#printer = printer;
    this.#config = config;
  }

  /** Call this when the journal has the run. */
  begin(platformLabel: string): void {
    if (!isScreen(this.#shell.stderr, this.#shell.env)) return;
    const journal = journalOf(this.#shell, this.#config).open({ create: false, reading: true });
    this.#journal = journal;
    // The run itself reports a journal that cannot be used.
    journal.then((opened) => this.#show(opened, platformLabel)).catch(() => undefined);
  }

  #show(journal: Journal, platformLabel: string): void {
    const look = watchSuppliers(this.#shell, this.#config);
    this.#printer.progress.beside(async (page) =>
      besideRun(
        page,
        (await look(journal)).filter((status) => status.platformLabel === platformLabel),
      ),
    );
  }

  async end(): Promise<void> {
    const journal = await this.#journal?.catch(() => undefined);
    await journal?.close();
  }
}

/** Between two looks, in milliseconds: at a terminal, and where each is written below the one before. */
const [seenEveryMs, writtenEveryMs] = [2_000, 30_000];

/** What is watched. */
export interface WatchedBook {
  /** Reads the journal as it is now. */
  suppliers(): Promise<readonly SupplierStatus[]>;
  /** The runs that share a book; undefined if runs cannot. */
  runners(): Promise<readonly RunnerSeen[] | undefined>;
  /** Why there are none. */
  whyEmpty(): Promise<EmptyJournal>;
  /** The requested supplier, if one was named. */
  readonly asked: string | undefined;
}

interface Seen {
  readonly suppliers: readonly SupplierStatus[];
  readonly runners: readonly RunnerSeen[] | undefined;
}

/** Updates the progress until an interrupt; returns its last state. */
export async function watchStatus(shell: Shell, printer: Printer, watched: WatchedBook): Promise<Seen> {
  const { clock } = shell;
  const stopped = new AbortController();
  const ignoreInterrupts = shell.onInterrupt(() => stopped.abort());
  try {
    for (;;) {
      const suppliers = await watched.suppliers();
      const runners = await watched.runners();
      const empty = suppliers.length === 0 ? await watched.whyEmpty() : 'new';
      const at = utcDatetime(clock.now());
      printer.frame({ type: 'status', at, ...statusSummary(suppliers, runners) }, (page) =>
        [
          withRunners(page, statusText(page, suppliers, empty, watched.asked), runners),
          '',
          page.paint.dim(paragraph(page, `${at}  Ctrl-C to quit.`, '')),
        ].join('\n'),
      );
      const everyMs = isScreen(shell.stdout, shell.env) ? seenEveryMs : writtenEveryMs;
      await clock.sleep(everyMs, stopped.signal).catch((error: unknown) => {
        if (!stopped.signal.aborted) throw error;
      });
      if (stopped.signal.aborted) return { suppliers, runners };
    }
  } finally {
    ignoreInterrupts();
  }
}
