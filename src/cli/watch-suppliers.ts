import { journalOf } from '../app/journal-of.ts';
import type { Config } from '../config/load-config.ts';
import { withTotal, zeroCounts } from '../domain/account-state.ts';
import { utcDatetime, type Clock } from '../domain/clock.ts';
import type { Journal, RunEntry, SupplierOverview } from '../journal/journal.ts';
import type { EmptyJournal } from '../report/empty-journal.ts';
import { paragraph } from '../report/paragraph.ts';
import type { Printer } from '../report/printer.ts';
import { besideRun, statusSummary, statusText, type SupplierStatus } from '../report/status-table.ts';
import { Throughput } from '../report/progress-line.ts';
import { recordedSuppliers } from './recorded-suppliers.ts';
import type { Shell } from './shell.ts';

/** The rate is taken over so long (ms). */
const paceMs = 60_000;

/** Reads the journal's suppliers repeatedly: each reading gives their speed since the earlier ones. */
export function watchSuppliers(
  config: Config,
  clock: Clock,
): (journal: Journal) => Promise<readonly SupplierStatus[]> {
  const startedAt = clock.monotonic();
  const paces = new Map<string, { readonly pace: Throughput; readonly from: number }>();

  async function watched(
    journal: Journal,
    overview: SupplierOverview,
    latest: RunEntry | undefined,
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
    const isRunning =
      latest?.end === undefined &&
      latest?.platform === platform &&
      (latest.supplier === undefined || latest.supplier === supplier);
    return {
      ...overview,
      watched: {
        perSecond: known.pace.note(now, since),
        averagePerSecond: now > startedAt ? (since / (now - startedAt)) * 1000 : 0,
        // Accounts that the run has not reached are not in the journal.
        rest: begun + (isRunning ? Math.max(0, (latest.named ?? 0) - total) : 0),
        troubles: await journal.lastTroubles(platform, supplier),
        flow: isRunning ? latest.pace : undefined,
      },
    };
  }

  return async (journal) => {
    let latest: RunEntry | undefined;
    for await (const run of journal.runs(1)) latest = run;
    const suppliers = await recordedSuppliers(journal, config);
    return Promise.all(suppliers.map((overview) => watched(journal, overview, latest)));
  };
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
    if (this.#shell.stderr.isTTY !== true) return;
    const journal = journalOf(this.#shell, this.#config).open({ create: false });
    this.#journal = journal;
    // The run itself reports a journal that cannot be used.
    journal.then((opened) => this.#show(opened, platformLabel)).catch(() => undefined);
  }

  #show(journal: Journal, platformLabel: string): void {
    const look = watchSuppliers(this.#config, this.#shell.clock);
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
  /** Why there are none. */
  whyEmpty(): Promise<EmptyJournal>;
  /** The requested supplier, if one was named. */
  readonly asked: string | undefined;
}

/** Updates the progress until an interrupt; returns its last state. */
export async function watchStatus(
  shell: Shell,
  printer: Printer,
  watched: WatchedBook,
): Promise<readonly SupplierStatus[]> {
  const { clock } = shell;
  const stopped = new AbortController();
  const ignoreInterrupts = shell.onInterrupt(() => stopped.abort());
  try {
    for (;;) {
      const suppliers = await watched.suppliers();
      const empty = suppliers.length === 0 ? await watched.whyEmpty() : 'new';
      const at = utcDatetime(clock.now());
      printer.frame({ type: 'status', at, ...statusSummary(suppliers) }, (page) =>
        [
          statusText(page, suppliers, empty, watched.asked),
          '',
          page.paint.dim(paragraph(page, `${at}  Ctrl-C to quit.`, '')),
        ].join('\n'),
      );
      const everyMs = shell.stdout.isTTY === true ? seenEveryMs : writtenEveryMs;
      await clock.sleep(everyMs, stopped.signal).catch((error: unknown) => {
        if (!stopped.signal.aborted) throw error;
      });
      if (stopped.signal.aborted) return suppliers;
    }
  } finally {
    ignoreInterrupts();
  }
}
