import type { AccountRun } from '../account/account-run.ts';
import type { RunContext } from '../run/context.ts';
import { sendWithRetry } from '../request/send-with-retry.ts';
import { refusedBy, saidSettlement, wordsOf, type Verdict } from '../request/part.ts';
import { supplierNotOngoing } from './stage.ts';
import { gaveUp, judged, stopped, type StepResult } from './step-result.ts';

/**
 * Lets the platform validate the account payload (endpoint 1). It stores nothing, so it is repeated freely and its
 * attempts are recorded only once answered.
 */
export async function validate(context: RunContext, run: AccountRun): Promise<StepResult> {
  const { journal, clock } = context;
  const sentAt = clock.now();
  const bytes = Buffer.byteLength(run.payloadBody);
  const outcome = await sendWithRetry(context, {
    ...run.plan.key,
    step: 'validate',
    size: { bytes, isHarmless: true },
    send: (signal) =>
      context.client.post('validate', run.payloadBody, { signal, key: run.plan.key, about: run.sent }),
  });
  if (outcome.kind === 'stopped') return stopped;
  if (outcome.kind !== 'said') return gaveUp(context, outcome.cause, bytes);
  const verdict: Verdict = outcome.answer.kind === 'ok' ? { state: 'done' } : refusedBy(outcome.answer);
  if (supplierNotOngoing(context, run, verdict)) return stopped;
  if (!context.settings.dryRun) {
    const part = { accountId: run.progress.id, step: 'validate', part: 0 } as const;
    const intent = { hash: run.payloadHash, run: context.run, at: sentAt };
    const settlement = {
      ...saidSettlement(outcome.answer, verdict, clock.now()),
      words: wordsOf(context, outcome.answer, run.sent),
    };
    context.record(journal.recordSent(part, intent, settlement));
    if (verdict.state === 'done') run.progress.carry({ steps: { validate: 'done' } });
  }
  return judged(verdict);
}
