import { shownText } from '../../domain/foreign-text.ts';
import { resolve } from 'node:path';
import { CannotStart } from '../../host/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { Shell } from '../shell.ts';
import { bookCounts } from '../../report/partly-read.ts';
import { booksPage } from '../../report/html-report/books-page.ts';
import { reportPage } from '../../report/html-report/report-page.ts';
import { headlineOf } from '../../report/html-report/headline.ts';
import { guardOutputs } from '../../run/session/output-files.ts';
import { outputKinds } from '../../run/session/output-kinds.ts';
import { recordedSuppliers, whyEmpty } from '../recorded-suppliers.ts';
import { readingsOf, readingsRecord } from '../../report/readings.ts';
import { concludeReading } from '../open-to-read.ts';
import { reportViews } from '../report-views.ts';
import { AtomicFile } from '../../report/atomic-file.ts';
import type { ReportFlags } from '../usages/report.ts';

const standardOutput = '-';

/** `migrate report`: writes what happened and what to do next, as one HTML page. */
export async function report(shell: Shell, flags: ReportFlags): Promise<ExitCode> {
  return concludeReading(shell, 'report', flags, async ({ printer, config, journal }) => {
    const suppliers = await recordedSuppliers(journal, config);
    if (flags.out !== standardOutput)
      await guardOutputs(
        shell,
        config,
        [{ name: '--out', path: flags.out, kind: outputKinds.report }],
        flags,
      );
    const file = openPage(shell, flags);
    try {
      const empty = suppliers.length === 0 ? await whyEmpty(journal) : undefined;
      const work = { shell, printer, config, journal, flags };
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
  });
}

type Page = Pick<AtomicFile, 'add' | 'complete' | 'close'>;

/** The page's destination: a file that is replaced when the page is complete, or standard output. */
function openPage(shell: Shell, { out, json }: ReportFlags): Page {
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
