import type { Origin } from './expected-account.ts';

export type DifferenceKind =
  | 'amount'
  | 'sign'
  | 'moved_date'
  | 'type'
  | 'value'
  /** Expected, and not held. */
  | 'missing'
  /** Held, not expected, and from before the account was created on the platform. */
  | 'extra'
  /** Held more often than expected. */
  | 'doubled';

/** One difference between what was sent and what the platform holds. */
export interface ReadDifference {
  /** `balance`, `transactions`, `notes.body`... */
  readonly field: string;
  readonly kind: DifferenceKind;
  /** Where the expected value comes from; absent if nothing like it was sent. */
  readonly origin?: Origin | undefined;
  /** Both values, for those who ask for them. */
  readonly expected?: string | undefined;
  readonly held?: string | undefined;
}

/**
 * Something that is told, and is no difference: a date that the platform said it moved, what happened since, a balance that
 * follows from the transactions that differ, or one that does not have all that happened since yet.
 */
export interface ReadRemark {
  readonly field: string;
  readonly kind: 'moved_date' | 'since' | 'follows' | 'pending';
  readonly origin?: Origin | undefined;
}

export interface Comparison {
  readonly differences: readonly ReadDifference[];
  readonly remarks: readonly ReadRemark[];
  /** Fields that could not be read, with the reason; without those that the configuration leaves out. */
  readonly hidden: ReadonlyMap<string, string>;
  /** Fields that the configuration leaves out. */
  readonly notCompared: ReadonlySet<string>;
}
