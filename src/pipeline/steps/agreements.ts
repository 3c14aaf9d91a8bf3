import type { AccountRun } from '../account-run.ts';
import type { RunContext } from '../context.ts';
import { refusedBy } from '../part.ts';
import { deliverPayloads } from './payloads.ts';
import type { StepResult } from './step-result.ts';

/**
 * Adds the historical agreements (endpoint 10). Nothing is known of what a repeat does, so a lost answer is left to a
 * person unless this tenancy is configured to allow it.
 */
export function agreements(context: RunContext, run: AccountRun): Promise<StepResult> {
  return deliverPayloads(context, run, {
    step: 'agreements',
    endpoint: 'agreements',
    policy: () => ({
      whenLost: context.settings.tenancy.agreementsMayRepeat ? 'repeat' : 'uncertain',
      judge: (answer) => (answer.kind === 'ok' ? { state: 'done' } : refusedBy(answer)),
    }),
  });
}
