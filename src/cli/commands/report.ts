import { shownText } from '../../domain/foreign-text.ts';
import type { AtomicFile } from '../../report/atomic-file.ts';
import { resolve } from 'node:path';
import { CannotStart } from '../../host/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { givenFlags } from '../../report/command-line.ts';
import type { AnyCommand } from '../commander.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('report')
    .description('Write what happened and what to do next, as one self-contained HTML page')
    .example('migrate report --supplier TENTACLE_ENERGY --out report.html')
    .requiredOption('--out <file>', 'File to write; - for standard output')
    .option('--supplier <code>', 'Only this import supplier; default: all of the journal, together and each')
    .option('--force', 'Overwrite a file of another kind');

type Flags = FlagsOf<typeof usage>;

export function reportCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (flags) => ended(await report(shell, flags)));
}

const standardOutput = '-';

/** `migrate report`: writes what happened and what to do next, as one HTML page. */
async function report(shell: Shell, flags: Flags): Promise<ExitCode> {
  const { bookCounts } = await import('../../report/partly-read.ts');
  const { booksPage } = await import('../../report/html-report/books-page.ts');
  const { reportPage } = await import('../../report/html-report/report-page.ts');
  const { headlineOf } = await import('../../report/html-report/headline.ts');
  const { guardOutputs } = await import('../../run/session/output-files.ts');
  const { outputKinds } = await import('../../run/session/output-kinds.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  const { recordedSuppliers, whyEmpty } = await import('../recorded-suppliers.ts');
  const { readingsOf, readingsRecord } = await import('../../report/readings.ts');
  const { openToRead } = await import('../open-to-read.ts');
  const { reportViews } = await import('../report-views.ts');
  return conclude(shell, 'report', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    printer.showTimesIn(config.timeZone);
    const journal = await openToRead(shell, config, printer);
    try {
      const suppliers = await recordedSuppliers(journal, config);
      if (flags.out !== standardOutput)
        await guardOutputs(
          shell,
          config,
          [{ name: '--out', path: flags.out, kind: outputKinds.report }],
          flags,
        );
      const file = await openPage(shell, flags);
      try {
        const empty = suppliers.length === 0 ? await whyEmpty(journal) : undefined;
        const work = { shell, printer, config, journal, flags: givenFlags(flags) };
        const views = await reportViews(work, suppliers, empty);
        const [only, ...others] = views;
        if (only === undefined) throw new Error('a report without a view');
        file.add(others.length === 0 ? reportPage(only) : booksPage(views));
        const failure = file.complete();
        if (failure !== undefined) throw new CannotStart(exitCodes.usage, `--out: ${failure}`);
        const readings = await readingsOf(journal, suppliers);
        const { headline } = headlineOf(only.overview, only.runs, empty);
        const counts = suppliers.map((one) => ({ supplier: one.supplier, accounts: bookCounts(one) }));
        return {
          exit: exitCodes.done,
          summary: {
            supplier: others.length > 0 ? null : (only.supplier ?? null),
            accounts: others.length > 0 ? null : (counts[0]?.accounts ?? null),
            suppliers: others.length > 0 ? counts : undefined,
            runs: only.runs.length,
            ...readingsRecord(readings),
            out: flags.out,
            notOffered: config.contract === undefined ? undefined : only.notOffered,
          },
          text: () =>
            flags.out === standardOutput
              ? ''
              : `${others.length === 0 ? headline : `${views.length} import suppliers, together and each`}\nThe report is in ${shownText(flags.out)}`,
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
