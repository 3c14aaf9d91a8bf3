import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { RunEntry } from '../../journal/journal.ts';
import { openJournal } from '../../journal/sqlite/open-journal.ts';
import { historyText, runRecord } from '../../report/history-table.ts';
import type { CommonFlags } from '../common-flags.ts';
import { conclude } from '../conclude.ts';
import { settingsInForce } from '../settings-in-force.ts';
import type { Shell } from '../shell.ts';

export interface HistoryFlags extends CommonFlags {
  readonly limit: number;
}

/** `migrate history`: the runs so far, newest first. */
export function historyCommand(shell: Shell, flags: HistoryFlags): Promise<ExitCode> {
  return conclude(shell, 'history', flags, async (printer) => {
    const config = await settingsInForce(shell, flags);
    const journal = openJournal(config.journal, { synchronous: config.synchronous, create: false });
    try {
      const runs: RunEntry[] = [];
      for await (const entry of journal.runs(flags.limit)) {
        runs.push(entry);
        printer.line(runRecord(entry));
      }
      return {
        exit: exitCodes.done,
        summary: { runs: runs.length },
        text: (page) => historyText(page, runs),
      };
    } finally {
      await journal.close();
    }
  });
}
