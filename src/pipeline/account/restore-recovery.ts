import { extraStepNames } from '../../domain/steps.ts';
import type { AccountRun } from './account-run.ts';
import type { RunContext } from '../run/context.ts';
import { restoredOutcome } from './open-attempts.ts';
import { openParts } from '../steps/extra-steps.ts';

/**
 * For an existing account after a restore from a backup: every part of its history that is not known to be done may
 * have been sent since. Each is recorded as sent with an unknown outcome, so that its step settles it as the table of
 * guarantees says; then the account is no longer in doubt. Durable when this resolves.
 */
export async function takeForSent(context: RunContext, run: AccountRun, restoredAt: number): Promise<void> {
  const { journal, settings, platform } = context;
  const { plan, progress } = run;
  for (const step of extraStepNames)
    for (const { part, hash, money, prints, prior } of openParts(step, plan, progress.parts, settings)) {
      if (prior?.outcome === restoredOutcome) continue;
      const ref = { accountId: progress.id, step, part };
      const intent = { hash, money, prints, run: context.run, at: restoredAt };
      const settlement = { state: 'sent', outcome: restoredOutcome, at: restoredAt } as const;
      context.record(journal.recordSent(ref, intent, settlement));
    }
  await progress.change({ isSettled: true });
  const { parts } = (await journal.find(platform, plan.key)) ?? progress;
  progress.parts = parts;
}
