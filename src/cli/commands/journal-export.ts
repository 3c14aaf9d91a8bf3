import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { jsonLine } from '../../report/escape-control.ts';
import type { AnyCommand } from '../commander.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type CommonFlags } from '../usage.ts';

const usage = () =>
  new Usage('export')
    .description('Print everything in the journal as JSON lines')
    .example('migrate journal export > journal.ndjson');

export function journalExportCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (flags) => ended(await journalExport(shell, flags)));
}

/** `migrate journal export`: prints everything in the journal as JSON lines, account by account. */
async function journalExport(shell: Shell, flags: CommonFlags): Promise<ExitCode> {
  const { interventionRecord } = await import('../../report/interventions.ts');
  const { runRecord } = await import('../../report/history-table.ts');
  const { journalAccountRecord } = await import('../../report/journal-records.ts');
  const { conclude } = await import('../conclude.ts');
  const { openToRead } = await import('../open-to-read.ts');
  const { resolveSettings } = await import('../resolve-settings.ts');
  const { storyOf } = await import('../account-history.ts');
  return conclude(shell, 'journal', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const journal = await openToRead(shell, config, printer);
    const tell = (record: object): void => printer.line(record, jsonLine(record));
    let runs = 0;
    let accounts = 0;
    try {
      for await (const run of journal.runs()) {
        tell(runRecord(run));
        runs += 1;
      }
      for await (const intervention of journal.interventions()) tell(interventionRecord(intervention));
      for (const { platform, platformLabel, supplier } of await journal.overview())
        for await (const entry of journal.accounts(platform, supplier)) {
          tell(journalAccountRecord(platform, await storyOf(journal, { platform, platformLabel, entry })));
          accounts += 1;
        }
      return { exit: exitCodes.done, summary: { action: 'export', runs, accounts } };
    } finally {
      await journal.close();
    }
  });
}
