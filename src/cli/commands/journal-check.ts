import { numberOfAnotherAccount } from '../../domain/number-of-another-account.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { journalOf } from '../../app/journal-of.ts';
import { givenFlags } from '../../report/command-line.ts';
import { counted } from '../../report/format.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';

const mostNamed = 20;

/** `migrate journal check`: checks the journal's integrity and consistency. */
export function journalCheckCommand(shell: Shell, flags: CommonFlags): Promise<ExitCode> {
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
