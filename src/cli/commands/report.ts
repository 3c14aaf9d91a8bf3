import { shownText } from '../../domain/foreign-text.ts';
import type { AtomicFile } from '../../report/atomic-file.ts';
import { resolve } from 'node:path';
import { isRunOf } from '../../domain/run-of.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { version } from '../../host/packaged.ts';
import { withTotal } from '../../domain/account-state.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { Journal, RunEntry, SupplierOverview } from '../../journal/journal.ts';
import { givenFlags } from '../../report/command-line.ts';
import type { AnyCommand } from '../commander.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('report')
    .description('Write what happened and what to do next, as one self-contained HTML page')
    .example('migrate report --supplier TENTACLE_ENERGY --out report.html')
    .requiredOption('--out <file>', 'File to write; - for standard output')
    .option('--supplier <code>', 'Import supplier; not needed if the journal has only one')
    .option('--force', 'Overwrite a file of another kind');

type Flags = FlagsOf<typeof usage>;

export function reportCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (flags) => ended(await report(shell, flags)));
}

const mostRuns = 50;
const standardOutput = '-';

/** `migrate report`: writes what happened and what to do next, as one HTML page. */
async function report(shell: Shell, flags: Flags): Promise<ExitCode> {
  const { stepsNotOffered } = await import('../../run/effective-rules.ts');
  const { bookCounts } = await import('../../report/partly-read.ts');
  const { reportPage } = await import('../../report/html-report/report-page.ts');
  const { survey } = await import('../../report/html-report/survey.ts');
  const { headlineOf } = await import('../../report/html-report/headline.ts');
  const { guardOutputs } = await import('../../run/session/output-files.ts');
  const { outputKinds } = await import('../../run/session/output-kinds.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  const { onlySupplier, recordedSuppliers, runningAmong, whyEmpty } =
    await import('../recorded-suppliers.ts');
  const { judgedNight } = await import('../judged-night.ts');
  const { readingsOf, readingsRecord } = await import('../../report/readings.ts');
  const { codeSentences } = await import('../code-sentences.ts');
  const { openToRead } = await import('../open-to-read.ts');
  return conclude(shell, 'report', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    printer.showTimesIn(config.timeZone);
    const notOffered = await stepsNotOffered(config);
    const journal = await openToRead(shell, config, printer);
    try {
      const overview = onlySupplier(await recordedSuppliers(journal, config));
      const supplier = overview?.supplier ?? config.supplier;
      if (flags.out !== standardOutput)
        await guardOutputs(
          shell,
          config,
          [{ name: '--out', path: flags.out, kind: outputKinds.report }],
          flags,
        );
      const file = await openPage(shell, flags);
      try {
        const empty = overview === undefined ? await whyEmpty(journal) : undefined;
        const readings = overview === undefined ? [] : await readingsOf(journal, [overview]);
        const runs = empty === 'elsewhere' ? [] : await runsOf(journal, overview);
        if (overview !== undefined) printer.progress.begin(withTotal(overview.accounts).total, 'account');
        const surveyed =
          overview &&
          (await survey(journal, overview.platform, overview.supplier, () => printer.progress.advance(1)));
        file.add(
          reportPage({
            at: shell.clock.now(),
            timeZone: printer.page.timeZone,
            version: version(),
            flags: givenFlags(flags),
            runs: runs.slice(0, mostRuns),
            running: await runningAmong(shell, config, journal, runs),
            hasOlderRuns: runs.length > mostRuns,
            supplier,
            overview,
            platformLabel: overview?.platformLabel,
            night: await judgedNight(shell, config, journal, supplier),
            empty,
            survey: surveyed,
            readings,
            sentences: codeSentences(),
            notOffered,
          }),
        );
        const failure = file.complete();
        if (failure !== undefined) throw new CannotStart(exitCodes.usage, `--out: ${failure}`);
        const { headline } = headlineOf(overview, runs, empty);
        return {
          exit: exitCodes.done,
          summary: {
            supplier: supplier ?? null,
            accounts: overview === undefined ? null : bookCounts(overview),
            runs: Math.min(runs.length, mostRuns),
            ...readingsRecord(readings),
            out: flags.out,
            notOffered: config.contract === undefined ? undefined : notOffered,
          },
          text: () =>
            flags.out === standardOutput ? '' : `${headline}\nThe report is in ${shownText(flags.out)}`,
        };
      } finally {
        file.close();
      }
    } finally {
      await journal.close();
    }
  });
}

type Page = Pick<AtomicFile, 'add' | 'complete' | 'close'>;

/** The page's destination: a file that is replaced when the page is complete, or standard output. */
async function openPage(shell: Shell, { out, json }: Flags): Promise<Page> {
  if (out === standardOutput) {
    if (json === true)
      throw new CannotStart(
        exitCodes.usage,
        '--out - writes the page to standard output, where --json writes the summary. Name a file, or remove --json.',
      );
    return {
      add: (text) => void shell.stdout.write(text),
      complete: () => undefined,
      close: () => undefined,
    };
  }
  const { AtomicFile } = await import('../../report/atomic-file.ts');
  const file = AtomicFile.open(resolve(shell.cwd, out));
  if (!(file instanceof AtomicFile)) throw new CannotStart(exitCodes.usage, `--out: ${file.refusal}`);
  return file;
}

/**
 * The runs that took the supplier's accounts, or all if the journal has no accounts, newest first; one more than a report
 * lists shows that there are others.
 */
async function runsOf(
  journal: Journal,
  overview: SupplierOverview | undefined,
): Promise<readonly RunEntry[]> {
  const runs: RunEntry[] = [];
  for await (const run of journal.runs()) {
    if (overview === undefined || isRunOf(run, overview)) runs.push(run);
    if (runs.length > mostRuns) break;
  }
  return runs;
}
