import { resolve } from 'node:path';
import { CannotStart } from '../../app/cannot-start.ts';
import { actorOf } from '../../app/system/actor.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { RestoreLoss } from '../../journal/store.ts';
import { counted, formatDuration, formatTime, isoTime } from '../../report/format.ts';
import { paragraph } from '../../report/paragraph.ts';
import type { AnyCommand } from '../commander.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('restore')
    .description('Replace the journal by a backup; what is not done in the backup counts as unknown')
    .example('migrate journal restore backup.db')
    .argument('<file>', 'The backup')
    .option('--yes', 'Do not ask before replacing a journal that contains more than the backup');

type Flags = FlagsOf<typeof usage>;

export function journalRestoreCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (backup, flags) => ended(await journalRestore(shell, backup, flags)));
}

/** `migrate journal restore`: replaces the journal by a backup; the next run finds out what was done since. */
async function journalRestore(shell: Shell, backup: string, flags: Flags): Promise<ExitCode> {
  const { journalOf } = await import('../../app/journal-of.ts');
  const { conclude } = await import('../conclude.ts');
  const { isDead } = await import('../../app/system/process-identity.ts');
  const { resolveSettings } = await import('../resolve-settings.ts');
  const { stopDetail } = await import('../../app/stop-detail.ts');
  return conclude(shell, 'journal', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { journal, timeZone } = config;
    printer.showTimesIn(timeZone);
    const now = shell.clock.now();
    const approve = async (loss: RestoreLoss): Promise<void> => {
      const { page } = printer;
      const facts = [
        `${journal}: ${ageText(loss.journalAt, now, page.timeZone)}.`,
        `${backup}: ${ageText(loss.backupAt, now, page.timeZone)}.`,
        `The backup does not have ${lossText(loss)}.`,
      ];
      if (flags.yes === true) return;
      if (!shell.interactive)
        throw new CannotStart(exitCodes.usage, [
          ...facts,
          'Nothing is restored: there is no terminal to ask. Add --yes to restore all the same.',
        ]);
      for (const fact of facts) printer.warn(fact);
      if (!(await shell.confirm(`Replace ${journal} by ${backup}?`)))
        throw new CannotStart(exitCodes.stoppedEarly, 'Nothing is restored.');
    };
    const moment = { now, isDead: isDead(shell), by: actorOf(shell), approve };
    const restored = await journalOf(shell, config).restore(resolve(shell.cwd, backup), moment);
    if (restored.kind === 'held') {
      const { supplier, held } = restored.by;
      throw new CannotStart(
        exitCodes.supplierHeld,
        `Nothing is restored: ${stopDetail('held', supplier, held)}`,
      );
    }
    const { kept, loss } = restored;
    return {
      exit: exitCodes.done,
      summary: { action: 'restore', journal, backup, kept: kept ?? null, ...lossRecord(loss) },
      text: (page) =>
        [
          `${backup} is restored as ${journal}.`,
          ...(kept === undefined ? [] : [`The previous journal is ${kept}. ${keptText(loss)}`]),
          'What is not done in it may have been sent since the backup. The next run finds that out before it ' +
            'sends anything: it asks the platform whether an account exists, repeats what is harmless to repeat, and ' +
            'marks the rest as uncertain, for you to rule on.',
        ]
          .map((line) => paragraph(page, line, ''))
          .join('\n'),
    };
  });
}

function ageText(at: number | undefined, now: number, timeZone: string): string {
  if (at === undefined) return 'nothing was recorded in it yet';
  return `last written ${formatTime(at, timeZone)} (${timeZone}), ${formatDuration(Math.max(0, now - at))} ago`;
}

function lossText({ runs, accounts, rulings }: RestoreLoss): string {
  const parts = [
    ...(runs === 0 ? [] : [counted(runs, 'run')]),
    ...(accounts === 0 ? [] : [`the changes of ${counted(accounts, 'account')}`]),
    ...(rulings === 0 ? [] : [counted(rulings, 'ruling or retry', 'rulings and retries')]),
  ];
  const [last = '', ...others] = parts.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}

function keptText(loss: RestoreLoss | undefined): string {
  if (loss === undefined) return 'It is damaged, so what it has beyond the backup is not known.';
  if (loss.runs + loss.accounts + loss.rulings === 0) return 'It has nothing beyond the backup.';
  return `The backup does not have ${lossText(loss)}.`;
}

/** For programs. `lost` is null if the previous journal could not be read. */
function lossRecord(loss: RestoreLoss | undefined): object {
  const time = (at: number | undefined) => (at === undefined ? null : isoTime(at));
  if (loss === undefined) return { journalAt: null, backupAt: null, lost: null };
  const { journalAt, backupAt, runs, accounts, rulings } = loss;
  return { journalAt: time(journalAt), backupAt: time(backupAt), lost: { runs, accounts, rulings } };
}
