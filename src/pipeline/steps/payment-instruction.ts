import { activeInstructionCode } from '../../domain/shared-codes.ts';
import { hasCode } from '../../contract/refusal.ts';
import type { Settings } from '../settings.ts';
import type { PayloadsStep } from './payloads.ts';

/**
 * Adds the payment instruction (endpoint 13). 500 is a temporary failure of the vendor and repeated unchanged; 400 is
 * final and never repeated (section 4, rule 8). A lost answer is repeated once: accepted is done, refused leaves the
 * effect of the first attempt open, and so does a refusal after a 500 unless a 500 of this tenancy is known to have
 * no effect.
 */
export function paymentInstruction({ tenancy }: Settings): PayloadsStep {
  return {
    kind: 'payloads',
    step: 'payment-instruction',
    endpoint: 'paymentInstruction',
    policy: (_payload, all) => ({
      whenLost: 'once',
      saysThere: (refusal) => hasCode(refusal, activeInstructionCode) && all().length === 1,
      // A success does, a refusal does not.
      namesNothing: true,
      isIrrevocable: true,
      mayRepeat: (status) => status === 500,
      isRepeatHarmless: tenancy.paymentRefusalAfter500,
    }),
  };
}
