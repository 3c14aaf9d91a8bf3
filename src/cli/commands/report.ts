import { resolve } from 'node:path';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { withTotal } from '../../domain/account-state.ts';
import type { Journal, RunEntry, SupplierOverview } from '../../journal/journal.ts';
import { givenFlags } from '../../report/command-line.ts';
import { AtomicFile } from '../../report/atomic-file.ts';
import { bookCounts } from '../../report/partly-read.ts';
import { reportPage } from '../../report/html-report/report-page.ts';
import { survey } from '../../report/html-report/survey.ts';
import { verdictOn } from '../../report/html-report/verdict.ts';
import { stepsNotOffered } from '../../app/effective-rules.ts';
import { CannotStart } from '../../app/cannot-start.ts';
import { guardOutputs } from '../../app/output-files.ts';
import { outputKinds } from '../../app/output-kinds.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { onlySupplier } from '../only-supplier.ts';
import { recordedSuppliers } from '../recorded-suppliers.ts';
import { openToRead } from '../open-to-read.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';
import { version } from '../../app/system/version.ts';

export interface ReportFlags extends CommonFlags {
  readonly supplier?: string;
  readonly out: string;
  readonly force?: boolean;
}

const mostRuns = 50;
const standardOutput = '-';

/** `migrate report`: writes what happened and what to do next, as one HTML page. */
export function reportCommand(shell: Shell, flags: ReportFlags): Promise<ExitCode> {
  return conclude(shell, 'report', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
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
      const file = openPage(shell, flags);
      try {
        const runs = await runsOf(journal, overview);
        if (overview !== undefined) printer.progress.begin(withTotal(overview.accounts).total, 'account');
        const surveyed =
          overview &&
          (await survey(journal, overview.platform, overview.supplier, () => printer.progress.advance(1)));
        file.add(
          reportPage({
            at: shell.clock.now(),
            timeZone: config.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
            version: version(),
            flags: givenFlags(flags),
            runs: runs.slice(0, mostRuns),
            hasOlderRuns: runs.length > mostRuns,
            ...(supplier === undefined ? {} : { supplier }),
            ...(overview === undefined ? {} : { overview, platformLabel: overview.platformLabel }),
            ...(surveyed === undefined ? {} : { survey: surveyed }),
            notOffered,
          }),
        );
        const failure = file.complete();
        if (failure !== undefined) throw new CannotStart(exitCodes.usage, `--out: ${failure}`);
        const { headline } = verdictOn(overview);
        return {
          exit: exitCodes.done,
          summary: {
            supplier: supplier ?? null,
            accounts: overview === undefined ? null : bookCounts(overview),
            runs: Math.min(runs.length, mostRuns),
            out: flags.out,
            ...(config.contract === undefined ? {} : { notOffered }),
          },
          text: () => (flags.out === standardOutput ? '' : `${headline}\nThe report is in ${flags.out}`),
        };
      } finally {
        file.close();
      }
    } finally {
      await journal.close();
    }
  });
}

/** The page's destination: a file that is replaced when the page is complete, or standard output. */
function openPage(shell: Shell, { out, json }: ReportFlags): Pick<AtomicFile, 'add' | 'complete' | 'close'> {
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
  const file = AtomicFile.open(resolve(shell.cwd, out));
  if (!(file instanceof AtomicFile)) throw new CannotStart(exitCodes.usage, `--out: ${file.refusal}`);
  return file;
}

/**
 * The runs that took the supplier's accounts, newest first; one more than a report lists shows that there are others.
 */
async function runsOf(
  journal: Journal,
  overview: SupplierOverview | undefined,
): Promise<readonly RunEntry[]> {
  const runs: RunEntry[] = [];
  if (overview === undefined) return runs;
  for await (const run of journal.runs()) {
    const isOf = run.supplier === undefined || run.supplier === overview.supplier;
    if (run.platform === overview.platform && isOf) runs.push(run);
    if (runs.length > mostRuns) break;
  }
  return runs;
}
