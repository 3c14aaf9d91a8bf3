import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { limitHeap } from '../heap-limits.ts';
import type { Shell } from '../shell.ts';
import { placeExport } from '../../run/reading/place-export.ts';
import { accountList } from '../../run/listed-accounts.ts';
import { conclude, resolveSettings } from '../conclude.ts';
import { connectRecorded } from '../connect-recorded.ts';
import { openToChange } from '../../run/session/open-to-change.ts';
import { settleUncertain } from '../settle-uncertain.ts';
import type { SettleFlags } from '../usages/settle.ts';

/** `migrate settle`: asks by reading what became of everything that is uncertain. */
export async function settle(shell: Shell, named: string, flags: SettleFlags): Promise<ExitCode> {
  limitHeap();
  return conclude(shell, 'settle', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const chosen = flags.accounts === undefined ? undefined : await accountList(shell, flags.accounts);
    const choice = { path: named, snapshot: flags.snapshot, config, purpose: 'proof' } as const;
    const placed = await placeExport(shell, printer, choice);
    try {
      if (placed?.path === undefined)
        throw new CannotStart(
          exitCodes.usage,
          'Name the export: its data says what the platform should hold.',
        );
      const { path, name } = placed;
      const journal = await openToChange(shell, config, printer, { create: false });
      try {
        const recorded = await connectRecorded(shell, config, journal);
        try {
          const work = { shell, printer, config, journal, path, name, fixes: flags.with ?? [], recorded };
          return await settleUncertain({ ...work, chosen, isDryRun: flags.dryRun ?? false });
        } finally {
          await recorded.connection.close();
        }
      } finally {
        await journal.close();
      }
    } finally {
      await placed?.close();
    }
  });
}
