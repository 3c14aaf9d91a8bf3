import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { InterventionEntry, RunEntry } from '../../journal/journal.ts';
import type { Shell } from '../shell.ts';
import { interventionRecord } from '../../report/interventions.ts';
import { upgradeRecord } from '../../report/upgrades.ts';
import { historyText, runRecord } from '../../report/history-table.ts';
import { concludeReading } from '../open-to-read.ts';
import { runningAmong } from '../../run/running-runs.ts';
import type { HistoryFlags } from '../usages/history.ts';

/** `migrate history`: lists the runs, newest first, and manual changes. */
export async function history(shell: Shell, flags: HistoryFlags): Promise<ExitCode> {
  return concludeReading(shell, 'history', flags, async ({ printer, config, journal }) => {
    const runs: RunEntry[] = [];
    for await (const entry of journal.runs(flags.limit)) runs.push(entry);
    const interventions: InterventionEntry[] = [];
    for await (const entry of journal.interventions()) {
      if (interventions.length === flags.limit) break;
      interventions.push(entry);
    }
    const upgrades = (await journal.upgrades.all()).slice(0, flags.limit);
    const running = await runningAmong(shell, config, journal, runs);
    for (const entry of runs) printer.line(runRecord(entry, running));
    for (const entry of interventions) printer.line(interventionRecord(entry));
    for (const entry of upgrades) printer.line(upgradeRecord(entry));
    return {
      exit: exitCodes.done,
      summary: { runs: runs.length, interventions: interventions.length, upgrades: upgrades.length },
      text: (page) => historyText(page, runs, running, interventions, upgrades),
      evenIfQuiet: true,
    };
  });
}
