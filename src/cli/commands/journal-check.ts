import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { numberOfAnotherAccount } from '../../domain/shared-codes.ts';
import { givenFlags } from '../../report/command-line.ts';
import { counted } from '../../report/format.ts';
import type { AnyCommand } from '../commander.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type CommonFlags } from '../usage.ts';

const usage = () =>
  new Usage('check')
    .description('Check the integrity and consistency of the journal')
    .example('migrate journal check', 'migrate journal check --journal backup.db');

export function journalCheckCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (flags) => ended(await journalCheck(shell, flags)));
}

const mostNamed = 20;

/** `migrate journal check`: checks the journal's integrity and consistency. */
async function journalCheck(shell: Shell, flags: CommonFlags): Promise<ExitCode> {
  const { journalOf } = await import('../../app/journal-of.ts');
  const { conclude } = await import('../conclude.ts');
  const { resolveSettings } = await import('../resolve-settings.ts');
  return conclude(shell, 'journal', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { journal } = config;
    const byCode = new Map<string, number>();
    let faults = 0;
    for await (const fault of journalOf(shell, config).faults()) {
      const { code, detail, supplier = null, account = null } = fault;
      faults += 1;
      byCode.set(code, (byCode.get(code) ?? 0) + 1);
      const whose = [account, supplier].filter((part) => part !== null).join(' of ');
      printer.line(
        { type: 'fault', code, supplier, account, detail },
        ...(faults <= mostNamed ? [`${whose === '' ? '' : `${whose}: `}${detail} (${code})`] : []),
      );
    }
    const shared = byCode.get(numberOfAnotherAccount) ?? 0;
    const named = faults > mostNamed ? ` The first ${mostNamed} are named; --json lists all.` : '';
    const errors = [];
    if (faults > shared)
      errors.push(
        `${journal} has ${counted(faults - shared, 'fault')}. Restore a backup: migrate journal restore FILE${givenFlags(flags)}.`,
      );
    if (shared > 0)
      errors.push(
        `${counted(shared, 'account')} ${shared === 1 ? 'has' : 'have'} the platform number of another account. ` +
          'Run the export again: the run asks the platform which of them has it. Settle what stays uncertain with `migrate resolve`.',
      );
    return {
      exit: faults === 0 ? exitCodes.done : faults > shared ? exitCodes.usage : exitCodes.uncertain,
      summary: { action: 'check', journal, faults, byCode: Object.fromEntries(byCode) },
      text: () => (faults === 0 ? `${journal} is sound.` : ''),
      errors: errors.map((error, at) => (at === 0 ? error + named : error)),
    };
  });
}
