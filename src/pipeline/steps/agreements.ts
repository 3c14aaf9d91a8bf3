import type { Settings } from '../settings.ts';
import type { PayloadsStep } from './payloads.ts';

/**
 * Adds the historical agreements (endpoint 10). The effect of a repeat is not defined, so a lost answer is left to a
 * person unless this tenancy is configured to allow a repeat.
 */
export function agreements({ tenancy }: Settings): PayloadsStep {
  return {
    kind: 'payloads',
    step: 'agreements',
    endpoint: 'agreements',
    policy: () => ({
      whenLost: tenancy.agreementsMayRepeat ? 'repeat' : 'uncertain',
      isRecognised: tenancy.agreementsMayRepeat,
      namesNothing: true,
      isIrrevocable: true,
    }),
  };
}
