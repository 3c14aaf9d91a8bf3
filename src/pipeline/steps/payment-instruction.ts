import type { Settings } from '../settings.ts';
import type { PayloadsStep } from './payloads.ts';

/**
 * Adds the payment instruction (endpoint 13). 500 is intermittent vendor trouble and repeated as it is; 400 is
 * persistent and never repeated (section 4, rule 8). A lost answer is repeated once: accepted is done, refused leaves
 * open what the first attempt did, and so does a refusal after a 500 unless this tenancy's are known to have no effect.
 */
export function paymentInstruction({ tenancy }: Settings): PayloadsStep {
  return {
    kind: 'payloads',
    step: 'payment-instruction',
    endpoint: 'paymentInstruction',
    policy: () => ({
      whenLost: 'once',
      // A success does, a refusal does not.
      namesNothing: true,
      isIrrevocable: true,
      mayRepeat: (status) => status === 500,
      isRepeatHarmless: tenancy.paymentRefusalAfter500,
    }),
  };
}
