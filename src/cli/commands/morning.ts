import type { SupplierReadings } from '../../report/readings.ts';
import type { ExitCode } from '../../domain/exit-codes.ts';
import type { CommandResult } from '../../report/printer.ts';
import type { NightVerdict } from '../../report/morning/verdict.ts';
import type { Shell } from '../shell.ts';
import { morningSummary, morningText } from '../../report/morning/morning-text.ts';
import { journalOf } from '../../run/session/journal-of.ts';
import { conclude, resolveSettings } from '../conclude.ts';
import { verdictWithoutJournal } from '../../run/night-verdict.ts';
import { judgedNight } from '../judged-night.ts';
import { readingsOf, readingsRecord, withReadings } from '../../report/readings.ts';
import { recordedSuppliers } from '../recorded-suppliers.ts';
import { openRecorded } from '../open-to-read.ts';
import type { MorningFlags } from '../usages/morning.ts';

/** `migrate morning`: the last night of a book, from the journal alone. Ends with 0 only for a good night. */
export async function morning(shell: Shell, flags: MorningFlags): Promise<ExitCode> {
  return conclude(shell, 'morning', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    printer.showTimesIn(config.timeZone);
    const told = (verdict: NightVerdict, readings: readonly SupplierReadings[] = []): CommandResult => ({
      exit: verdict.exit,
      summary: { ...morningSummary(verdict, flags), ...readingsRecord(readings) },
      text: (page) => withReadings(page, morningText(page, verdict, { ...flags, here: shell.cwd }), readings),
      evenIfQuiet: true,
    });
    const journal = await openRecorded(shell, config, printer);
    if (journal === undefined)
      return told(verdictWithoutJournal(await journalOf(shell, config).isGone(), shell.clock.now()));
    try {
      const readings = await readingsOf(journal, await recordedSuppliers(journal, config));
      return told(await judgedNight(shell, config, journal), readings);
    } finally {
      await journal.close();
    }
  });
}
