import { refusedBy, type Verdict } from '../part.ts';
import type { PayloadsStep } from './payloads.ts';

/**
 * Adds the payment instruction (endpoint 13). 500 is intermittent vendor trouble and repeated as it is; 400 is
 * persistent and never repeated (section 4, rule 8). A lost answer is repeated once: accepted is done, refused leaves
 * open what the first attempt did.
 */
export function paymentInstruction(): PayloadsStep {
  return {
    kind: 'payloads',
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
  };
}
