import { alreadyImportedCode, hasCode, type Refusal } from '../../contract/refusal.ts';
import type { AccountRun } from '../account/account-run.ts';
import type { RunContext } from '../run/context.ts';
import { sendWithRetry } from '../request/send-with-retry.ts';
import { missedSettlement, refusedBy, saidSettlement, wordsOf, type Verdict } from '../request/part.ts';
import { atRest } from '../request/quiet-period.ts';
import { done, gaveUp, judged, stopped, type StepResult } from './step-result.ts';

/** Staging succeeded, was refused, or found that the account already exists. */
export type StageResult =
  StepResult | { readonly state: 'already-imported'; readonly krakenAccountNumber?: string | undefined };

/**
 * Stages the account payload (endpoint 2): an upsert, so it is repeated freely. From the moment it may leave until
 * its answer, it is not known what the platform has staged, and the journal says so. A dry run records only what it
 * staged.
 */
export async function stage(context: RunContext, run: AccountRun): Promise<StageResult> {
  const { journal, clock, settings, flow } = context;
  const { progress } = run;
  const part = { accountId: progress.id, step: 'stage', part: 0 } as const;
  const waitMs = await untilOthersArrived(context, run);
  const { account, supplier } = run.plan.key;
  if (waitMs > 0 && !(await flow.waitAside({ account, step: 'stage' }, waitMs))) return stopped;
  const bytes = Buffer.byteLength(run.payloadBody);
  const outcome = await sendWithRetry(context, {
    account,
    supplier,
    step: 'stage',
    size: { bytes, isHarmless: true },
    before: () => {
      const forgotten = progress.forgetStaged();
      if (settings.dryRun) return forgotten;
      return journal.intend(part, { hash: run.payloadHash, run: context.run, at: clock.now() });
    },
    send: (signal) =>
      context.client.post('stage', run.payloadBody, { signal, key: run.plan.key, about: run.sent }),
    missed: (answer, unknown) => {
      if (!settings.dryRun)
        context.record(journal.settle(part, missedSettlement(answer, unknown, clock.now())));
    },
  });
  if (outcome.kind === 'stopped') return stopped;
  if (outcome.kind !== 'said') return gaveUp(context, outcome.cause, bytes);
  const { answer } = outcome;
  const verdict: Verdict = answer.kind === 'ok' ? { state: 'done' } : refusedBy(answer);
  if (!settings.dryRun)
    context.record(
      journal.settle(part, {
        ...saidSettlement(answer, verdict, clock.now()),
        words: wordsOf(context, answer, run.sent),
      }),
    );
  if (answer.kind === 'ok') {
    const staged = { stagedHash: run.payloadHash };
    if (settings.dryRun) void progress.change(staged);
    else progress.carry({ ...staged, state: 'staged', code: '', steps: { stage: 'done' } });
    return done;
  }
  if (saysAlreadyImported(answer.refusal))
    return { state: 'already-imported', krakenAccountNumber: answer.refusal.krakenAccountNumber };
  if (supplierNotOngoing(context, run, verdict)) return stopped;
  return judged(verdict);
}

/** How long a lost attempt with other data may still be under way, and replace what is staged now; in ms. */
async function untilOthersArrived(
  context: RunContext,
  { progress, payloadHash }: AccountRun,
): Promise<number> {
  if (progress.prior('stage') === undefined) return 0;
  let quietUntil = atRest;
  for await (const attempt of context.journal.attempts(progress.id))
    if (attempt.step === 'stage' && attempt.state === 'sent' && attempt.hash !== payloadHash)
      quietUntil = Math.max(quietUntil, context.quiet.ofRecorded(attempt));
  return quietUntil - context.clock.monotonic();
}

/** The platform has this account (interface, section 4, rules 2 and 3). */
export function saysAlreadyImported(refusal: Refusal): boolean {
  return refusal.krakenAccountNumber !== undefined || hasCode(refusal, alreadyImportedCode);
}

/** Stops the import supplier if it is Paused or Complete: its other accounts would be refused as well. */
export function supplierNotOngoing(context: RunContext, run: AccountRun, verdict: Verdict): boolean {
  if (verdict.code !== 'import_supplier_migration_not_ongoing') return false;
  context.closeSupplier(run.plan.key.supplier, verdict.problems?.[0]?.detail ?? '');
  return true;
}
