import type { KnownEndpointName } from '../contract/endpoints.ts';
import type { Trial } from './trial.ts';

/** Validate of v1, or of v2 where the contract has only that: `Trial.validate` asks it. */
export const anyValidate = 'anyValidate';

/** One check of a platform, and the sentence that it comes from. */
export interface ConformanceCheck {
  /** Section of docs/interface.md, `contract`, or `read-back`. */
  readonly section: string;
  /** As docs/interface.md has it, or what the tenancy's contract says. */
  readonly sentence: string;
  /** What of the sentence it checks, where several checks have the same one. */
  readonly subject?: string;
  /** Endpoints without which it cannot be made. */
  readonly asks: readonly (KnownEndpointName | typeof anyValidate)[];
  /**
   * The account that it begins with: a number that the platform has never had, one that is staged, one that is imported,
   * or the imported one that all of these checks share.
   */
  readonly account: 'new' | 'staged' | 'imported' | 'shared';
  /** Creates the account that it began with. */
  readonly creates?: true;
  /** Under a tenancy's contract, the contract decides this. */
  readonly withoutContract?: true;
  readonly run: (trial: Trial) => Promise<void>;
}

export type CheckOutcome = 'passed' | 'failed' | 'not_offered' | 'not_checked';

export interface CheckResult {
  readonly section: string;
  readonly sentence: string;
  readonly subject: string | undefined;
  readonly outcome: CheckOutcome;
  /** What was found, or why it could not be checked; none for a check that passed. */
  readonly details: readonly string[];
}
