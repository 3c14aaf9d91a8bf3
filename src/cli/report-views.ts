import type { Config } from '../config/load-config.ts';
import { withTotal } from '../domain/account-state.ts';
import { isRunOf } from '../domain/run-of.ts';
import { version } from '../host/packaged.ts';
import type { Journal, RunEntry, SupplierOverview } from '../journal/journal.ts';
import type { EmptyJournal } from '../report/empty-journal.ts';
import type { ReportView } from '../report/html-report/sections.ts';
import { flagsOfBook } from '../report/advice/of-book.ts';
import type { GivenFlags } from '../report/command-line.ts';
import { survey } from '../report/html-report/survey.ts';
import type { Printer } from '../report/printer.ts';
import { readingsOf } from '../report/readings.ts';
import { attributedRuns } from '../run/attributed-runs.ts';
import { stepsNotOffered } from '../run/effective-rules.ts';
import { keptReconciled } from '../run/session/reconciled-file.ts';
import { collected } from './collected.ts';
import { codeSentences } from './code-sentences.ts';
import { judgedNight } from './judged-night.ts';
import { runningAmong } from '../run/running-runs.ts';
import type { Shell } from './shell.ts';

interface Work {
  readonly shell: Shell;
  readonly printer: Printer;
  readonly config: Config;
  readonly journal: Journal;
  /** The flags that select settings and journal. */
  readonly flags: GivenFlags;
}

const mostRuns = 50;
/** Runs that are looked through for those of one supplier. */
const mostRead = 1_000;

/** What a report says of each of the suppliers, whose accounts are read once; one view without a book if there are none. */
export async function reportViews(
  work: Work,
  suppliers: readonly SupplierOverview[],
  empty: EmptyJournal | undefined,
): Promise<readonly ReportView[]> {
  const { config, printer } = work;
  const notOffered = await stepsNotOffered(config);
  if (suppliers.length === 0)
    return [{ ...(await ofJournal(work, undefined, empty)), supplier: config.supplier, empty, notOffered }];
  const total = suppliers.reduce((sum, { accounts }) => sum + withTotal(accounts).total, 0);
  printer.progress.begin(total, 'account');
  const kept = await keptReconciled(config);
  const views: ReportView[] = [];
  for (const overview of suppliers) {
    const { platform, supplier, platformLabel } = overview;
    views.push({
      ...(await ofJournal(work, overview, undefined)),
      ...{ supplier, overview, platformLabel, notOffered },
      survey: await survey(work.journal, platform, supplier, () => {
        printer.progress.advance(1);
        return undefined;
      }),
      readings: await readingsOf(work.journal, [overview]),
      reconciled: kept.find((one) => one.platform === platform && one.supplier === supplier),
      currency: config.currencies?.[supplier],
    });
  }
  return views;
}

/** What a report says with or without a book. */
async function ofJournal(
  { shell, printer, config, journal, flags }: Work,
  overview: SupplierOverview | undefined,
  empty: EmptyJournal | undefined,
): Promise<ReportView> {
  const runs = empty === 'elsewhere' ? [] : await runsOf(journal, overview);
  return {
    at: shell.clock.now(),
    timeZone: printer.page.timeZone,
    version: version(),
    flags: flagsOfBook(flags, runs),
    runs: runs.slice(0, mostRuns),
    running: await runningAmong(shell, config, journal, runs),
    hasOlderRuns: runs.length > mostRuns,
    night: await judgedNight(shell, config, journal, overview?.supplier ?? config.supplier),
    sentences: codeSentences(),
  };
}

/**
 * The runs that took the supplier's accounts, or all if the journal has no accounts, newest first; one more than a report
 * lists shows that there are others.
 */
async function runsOf(
  journal: Journal,
  overview: SupplierOverview | undefined,
): Promise<readonly RunEntry[]> {
  const all = await attributedRuns(
    journal,
    await journal.overview(),
    await collected(journal.runs(mostRead)),
  );
  return all.filter((run) => overview === undefined || isRunOf(run, overview)).slice(0, mostRuns + 1);
}
