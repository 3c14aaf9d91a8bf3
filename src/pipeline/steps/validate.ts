import type { AccountRun } from '../account-run.ts';
import type { RunContext } from '../context.ts';
import { exchange } from '../exchange.ts';
import { refusedBy } from '../part.ts';
import { supplierNotOngoing } from './stage.ts';
import { done, stepResult, stopped, type StepResult } from './step-result.ts';

/**
 * Has the platform validate the account payload (endpoint 1). It stores nothing, so it is repeated freely and its
 * attempts are recorded only once answered.
 */
export async function validate(context: RunContext, run: AccountRun): Promise<StepResult> {
  const { journal, clock } = context;
  const sentAt = clock.now();
  const outcome = await exchange(context, {
    account: run.plan.key.account,
    step: 'validate',
    send: (signal) => context.client.post('validate', run.payloadBody, { signal }),
  });
  if (outcome.kind === 'stopped') return stopped;
  if (outcome.kind !== 'said') return { state: 'failed', code: outcome.cause, problems: [] };
  const verdict = outcome.answer.kind === 'ok' ? { state: 'done' as const } : refusedBy(outcome.answer);
  if (verdict.state === 'refused' && supplierNotOngoing(context, verdict)) return stopped;
  if (!context.settings.dryRun) {
    const part = { accountId: run.progress.id, step: 'validate', part: 0 } as const;
    context.record(journal.intend(part, { hash: run.payloadHash, run: context.run, at: sentAt }));
    const { answer } = outcome;
    context.record(
      journal.settle(part, {
        state: verdict.state,
        outcome: answer.kind,
        status: answer.status,
        at: clock.now(),
        ...(verdict.code === undefined ? {} : { code: verdict.code }),
      }),
    );
  }
  if (verdict.state === 'done' && !context.settings.dryRun)
    void run.progress.change({ steps: { validate: 'done' } });
  return verdict.state === 'done'
    ? done
    : stepResult({ state: 'refused', code: verdict.code ?? '', problems: verdict.problems ?? [] });
}
