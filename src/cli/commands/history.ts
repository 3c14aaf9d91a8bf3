import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { InterventionEntry, RunEntry } from '../../journal/journal.ts';
import type { Holder } from '../../journal/store.ts';
import { interventionRecord } from '../../report/interventions.ts';
import { historyText, runRecord } from '../../report/history-table.ts';
import { journalOf } from '../../app/journal-of.ts';
import { isDead } from '../../app/system/process-identity.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { openToRead } from '../open-to-read.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';

export interface HistoryFlags extends CommonFlags {
  readonly limit: number;
}

/** `migrate history`: lists the runs, newest first, and manual changes. */
export function historyCommand(shell: Shell, flags: HistoryFlags): Promise<ExitCode> {
  return conclude(shell, 'history', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    printer.showTimesIn(config.timeZone);
    const journal = await openToRead(shell, config, printer);
    try {
      const runs: RunEntry[] = [];
      for await (const entry of journal.runs(flags.limit)) runs.push(entry);
      const interventions: InterventionEntry[] = [];
      for await (const entry of journal.interventions()) {
        if (interventions.length === flags.limit) break;
        interventions.push(entry);
      }
      const running = runningAmong(
        runs,
        await journalOf(shell, config).holders({ now: shell.clock.now(), isDead: isDead(shell) }),
      );
      for (const entry of runs) printer.line(runRecord(entry, running));
      for (const entry of interventions) printer.line(interventionRecord(entry));
      return {
        exit: exitCodes.done,
        summary: { runs: runs.length, interventions: interventions.length },
        text: (page) => historyText(page, runs, running, interventions),
      };
    } finally {
      await journal.close();
    }
  });
}

/** The runs of living processes: for each held supplier, the newest that has not ended. */
function runningAmong(runs: readonly RunEntry[], held: readonly Holder[]): ReadonlySet<number> {
  const newest = held.flatMap(
    ({ platform, supplier }) =>
      runs.find(
        (run) =>
          run.end === undefined &&
          run.platform === platform &&
          (run.supplier === undefined || run.supplier === supplier),
      ) ?? [],
  );
  return new Set(newest.map(({ id }) => id));
}
