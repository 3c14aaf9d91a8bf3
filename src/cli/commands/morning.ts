import type { SupplierReadings } from '../../report/readings.ts';
import type { ExitCode } from '../../domain/exit-codes.ts';
import type { CommandResult } from '../../report/printer.ts';
import type { NightVerdict } from '../../report/morning/judge-night.ts';
import type { AnyCommand } from '../commander.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('morning')
    .description('Judge the last night: good or not, why, what is lost or uncertain, and the next command')
    .example('migrate morning', 'migrate morning --supplier TENTACLE_ENERGY --json')
    .option('--supplier <code>', 'Only this import supplier');

type Flags = FlagsOf<typeof usage>;

export function morningCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (flags) => ended(await morning(shell, flags)));
}

/** `migrate morning`: the last night of a book, from the journal alone. Ends with 0 only for a good night. */
async function morning(shell: Shell, flags: Flags): Promise<ExitCode> {
  const { morningSummary, morningText } = await import('../../report/morning/morning-text.ts');
  const { journalOf } = await import('../../run/session/journal-of.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  const { verdictWithoutJournal } = await import('../../run/night-verdict.ts');
  const { judgedNight } = await import('../judged-night.ts');
  const { readingsOf, readingsRecord, withReadings } = await import('../../report/readings.ts');
  const { recordedSuppliers } = await import('../recorded-suppliers.ts');
  const { openRecorded } = await import('../open-to-read.ts');
  return conclude(shell, 'morning', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    printer.showTimesIn(config.timeZone);
    const told = (verdict: NightVerdict, readings: readonly SupplierReadings[] = []): CommandResult => ({
      exit: verdict.exit,
      summary: { ...morningSummary(verdict, flags), ...readingsRecord(readings) },
      text: (page) => withReadings(page, morningText(page, verdict, flags), readings),
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
