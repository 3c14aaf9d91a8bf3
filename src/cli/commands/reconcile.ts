import { CannotStart } from '../../host/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { limitHeap } from '../heap-limits.ts';
import type { Shell } from '../shell.ts';
import { placeExport } from '../../run/reading/place-export.ts';
import { conclude, resolveSettings } from '../conclude.ts';
import { compare } from '../reconcile-accounts.ts';
import { connectRecorded } from '../connect-recorded.ts';
import { openToRead } from '../open-to-read.ts';
import { openToChange } from '../../run/session/open-to-change.ts';
import { selectionWords } from '../../run/read-back/selection.ts';
import type { ReconcileFlags } from '../usages/reconcile.ts';

/** `migrate reconcile`: compares export, journal and platform, account by account, to the last penny. */
export async function reconcile(
  shell: Shell,
  named: string | undefined,
  flags: ReconcileFlags,
): Promise<ExitCode> {
  limitHeap();
  return conclude(shell, 'reconcile', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const chosen = flags.readBack && selectionWords(flags.readBack);
    const [behind = named, ...more] = chosen?.rest ?? [];
    if (more.length > 0 || (named !== undefined && behind !== named))
      throw new CannotStart(exitCodes.usage, 'Name one export.');
    const choice = { path: behind, snapshot: flags.snapshot, config, purpose: 'proof' } as const;
    const placed = await placeExport(shell, printer, choice);
    try {
      const { path, name } = placed ?? {};
      if (path === undefined && flags.with !== undefined)
        throw new CannotStart(
          exitCodes.usage,
          '--with replaces accounts of an export, but no export was named. Name one, or remove --with.',
        );
      if (path === undefined && chosen !== undefined)
        throw new CannotStart(
          exitCodes.usage,
          '--read-back compares the platform with the export, but no export was named. Name it.',
        );
      const journal =
        chosen === undefined
          ? await openToRead(shell, config, printer)
          : await openToChange(shell, config, printer, { create: false });
      try {
        const recorded = await connectRecorded(shell, config, journal);
        try {
          const work = { shell, printer, config, journal, name, fixes: flags.with ?? [], recorded };
          const compared = await compare({ ...work, path });
          if (chosen === undefined || path === undefined) return compared;
          const { readBack } = await import('../read-back.ts');
          const { seed, values: withValues = false } = flags;
          return await readBack({ ...work, path, chosen, seed, withValues }, compared);
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
