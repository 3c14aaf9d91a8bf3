import { journalContradicted } from '../../domain/shared-codes.ts';
import { extraStepNames } from '../../domain/steps.ts';
import type { PartEntry } from '../../journal/journal.ts';
import type { AccountRun } from './account-run.ts';
import type { RunContext } from '../run/context.ts';
import { restoredOutcome } from './open-attempts.ts';
import { isUnsent } from './first-attempt.ts';
import { unrepeatableParts } from '../steps/extra-steps.ts';

/**
 * Leaves to a person every part of the account that cannot be repeated and that the journal calls never sent: it may have been, as
 * after a restore. Recorded before any later write. `isAtRisk`: by what the journal has of a part.
 */
export async function holdBack(
  context: RunContext,
  run: Pick<AccountRun, 'plan' | 'progress'>,
  isAtRisk: (prior: PartEntry | undefined) => boolean = isUnsent,
): Promise<void> {
  const { journal, settings, platform, clock } = context;
  const { plan, progress } = run;
  // With what this run has sent of it.
  const entry = await journal.find(platform, plan.key);
  if (entry === undefined) return;
  const at = clock.now();
  for (const step of extraStepNames)
    for (const { part, hash, money, prints, prior } of unrepeatableParts(step, plan, entry.parts, settings)) {
      if (!isAtRisk(prior)) continue;
      const intent = { hash, money, prints, run: context.run, at };
      const settlement = {
        state: 'uncertain',
        outcome: restoredOutcome,
        code: journalContradicted,
        at,
      } as const;
      context.record(journal.recordSent({ accountId: progress.id, step, part }, intent, settlement));
    }
  progress.parts = (await journal.find(platform, plan.key))?.parts ?? progress.parts;
}
