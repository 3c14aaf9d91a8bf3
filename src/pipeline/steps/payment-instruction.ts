import type { AccountRun } from '../account-run.ts';
import type { RunContext } from '../context.ts';
import { refusedBy, type Verdict } from '../part.ts';
import { deliverPayloads } from './payloads.ts';
import type { StepResult } from './step-result.ts';

/**
 * Adds the payment instruction (endpoint 13). 500 is intermittent vendor trouble and repeated as it is; 400 is
 * persistent and never repeated (section 4, rule 8). A lost answer is repeated once: accepted is done, refused leaves
 * open what the first attempt did.
 */
export function paymentInstruction(context: RunContext, run: AccountRun): Promise<StepResult> {
  return deliverPayloads(context, run, {
    step: 'payment-instruction',
    endpoint: 'paymentInstruction',
    policy: () => ({
      whenLost: 'once',
      harmless: (answer) => answer.status === 500,
      judge: (answer, afterUnknown): Verdict => {
        if (answer.kind === 'ok') return { state: 'done' };
        const verdict = refusedBy(answer);
        return afterUnknown ? { ...verdict, state: 'uncertain' } : verdict;
      },
    }),
  });
}
