import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { interventionRecord } from '../../report/interventions.ts';
import { runRecord } from '../../report/history-table.ts';
import { journalAccountRecord } from '../../report/journal-records.ts';
import { jsonLine } from '../../report/escape-control.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { openToRead } from '../open-to-read.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';
import { storyOf } from './show.ts';

/** `migrate journal export`: prints everything in the journal as JSON lines, account by account. */
export function journalExportCommand(shell: Shell, flags: CommonFlags): Promise<ExitCode> {
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
