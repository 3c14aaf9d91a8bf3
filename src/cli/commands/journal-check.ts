import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { faultsIn } from '../../journal/sqlite/check-journal.ts';
import { givenFlags } from '../../report/command-line.ts';
import { counted } from '../../report/format.ts';
import type { CommonFlags } from '../common-flags.ts';
import { conclude } from '../conclude.ts';
import { settingsInForce } from '../settings-in-force.ts';
import type { Shell } from '../shell.ts';

const mostNamed = 20;

/** `migrate journal check`: whether the journal is whole, and what it says can be right. */
export function journalCheckCommand(shell: Shell, flags: CommonFlags): Promise<ExitCode> {
  return conclude(shell, 'journal', flags, async (printer) => {
    const { journal } = await settingsInForce(shell, flags);
    const byCode = new Map<string, number>();
    let faults = 0;
    for (const fault of faultsIn(journal)) {
      const { code, detail, supplier = null, account = null } = fault;
      faults += 1;
      byCode.set(code, (byCode.get(code) ?? 0) + 1);
      const whose = [account, supplier].filter((part) => part !== null).join(' of ');
      printer.line(
        { type: 'fault', code, supplier, account, detail },
        ...(faults <= mostNamed ? [`${whose === '' ? '' : `${whose}: `}${detail} (${code})`] : []),
      );
    }
    return {
      exit: faults === 0 ? exitCodes.done : exitCodes.usage,
      summary: { action: 'check', journal, faults, byCode: Object.fromEntries(byCode) },
      text: () => (faults === 0 ? `${journal} is sound.` : ''),
      errors:
        faults === 0
          ? []
          : [
              `${journal} has ${counted(faults, 'fault')}. Restore a backup: migrate journal restore FILE${givenFlags(flags)}.` +
                (faults > mostNamed ? ` The first ${mostNamed} are named; --json lists all.` : ''),
            ],
    };
  });
}
