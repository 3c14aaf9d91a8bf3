import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { InterventionEntry, RunEntry } from '../../journal/journal.ts';
import type { AnyCommand } from '../commander.ts';
import { wholeNumber } from '../options.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('history')
    .description('List the runs, newest first, with rulings, retries, restores and upgrades')
    .example('migrate history')
    .option('--limit <n>', 'At most this many of each', wholeNumber(1), 20);

type Flags = FlagsOf<typeof usage>;

export function historyCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (flags) => ended(await history(shell, flags)));
}

/** `migrate history`: lists the runs, newest first, and manual changes. */
async function history(shell: Shell, flags: Flags): Promise<ExitCode> {
  const { interventionRecord } = await import('../../report/interventions.ts');
  const { upgradeRecord } = await import('../../report/upgrades.ts');
  const { historyText, runRecord } = await import('../../report/history-table.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  const { openToRead } = await import('../open-to-read.ts');
  const { runningAmong } = await import('../recorded-suppliers.ts');
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
    } finally {
      await journal.close();
    }
  });
}
