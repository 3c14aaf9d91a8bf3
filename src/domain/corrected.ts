import type { AccountState } from './account-state.ts';
import type { StepName } from './steps.ts';

/** The fingerprint of what the platform has of an account after a person put a plan's data there by hand. */
export function correctedHash(planHash: string): string {
  return `${planHash}, corrected`;
}

/**
 * Whether a person has corrected the account on the platform by hand, so that it has this plan's data. Unknown, and so false, if
 * something of another plan may have arrived since.
 */
export function isCorrected(
  {
    state,
    parts,
  }: {
    readonly state: AccountState;
    readonly parts: readonly { readonly step: StepName; readonly hash: string }[];
  },
  planHash: string,
): boolean {
  return (
    state !== 'uncertain' && parts.find(({ step }) => step === 'process')?.hash === correctedHash(planHash)
  );
}
