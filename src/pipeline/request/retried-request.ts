import type { Answer } from '../../client/platform-client.ts';
import type { ContradictingAnswer } from '../account/contradiction.ts';
import type { FlowRequest } from '../flow/flow.ts';

/** An answer that says what the platform did or did not do. */
export type Said<T> = Extract<Answer<T>, { kind: 'ok' | 'refused' | 'not-found' }>;
/** An answer that does not. */
export type Missed = Exclude<Answer<never>, { kind: 'ok' | 'refused' | 'not-found' }>;

/**
 * The result of a request with all its retries.
 *
 * - `said`: the platform answered; `afterUnknown` if an earlier attempt may have had the effect already
 * - `lost`: the effect of an attempt is unknown, and the policy forbids a repeat; until `quietUntil` (ms on the
 *   monotonic clock) it may still be under way
 * - `gave-up`: tried as often as configured, or too large (`request_too_large`); `unknown` if one of the attempts may have had
 *   its effect
 * - `stopped`: the run is draining, or the step is held; `unknown` as above
 */
export type SendOutcome<T> =
  | { readonly kind: 'said'; readonly answer: Said<T>; readonly afterUnknown: boolean }
  | { readonly kind: 'lost'; readonly cause: string; readonly quietUntil: number }
  | { readonly kind: 'gave-up'; readonly cause: string; readonly unknown: boolean }
  | { readonly kind: 'stopped'; readonly unknown: boolean };

export interface BodySize {
  readonly bytes: number;
  /** See BodySizes. */
  readonly isHarmless: boolean;
}

/** `before` is called before each attempt: its intent is durable when that resolves. */
export interface RetriedRequest<T> extends FlowRequest<T> {
  /** Import supplier of the account. */
  readonly supplier: string;
  /** After each attempt that is not `said`: `unknown` if the effect of any attempt so far is unknown. */
  missed?(answer: Missed | ContradictingAnswer, unknown: boolean): void;
  /**
   * Whether a refusal denies what the platform has acknowledged: it is asked again for a while, and then given up.
   */
  contradicts?(answer: ContradictingAnswer): boolean;
  /** An earlier attempt, of this run or another, may have had its effect. */
  readonly afterUnknown?: boolean;
  /**
   * Until then (ms on the monotonic clock) an earlier attempt may be under way. Present if a repeat must not meet a
   * lost attempt: it waits until none can be under way, and gives up its place in the meantime.
   */
  readonly quietUntil?: number | undefined;
  /** Of the body, where its size may be the cause of a refusal. */
  readonly size?: BodySize;
  /** How many lost answers are repeated; then the result is `lost`. */
  lostRepeats?(): number;
  /** An `unknown` after which the request is repeated unchanged (section 4, rule 8): not one of the `lostRepeats`. */
  mayRepeat?(answer: Extract<Missed, { kind: 'unknown' }>): boolean;
  /** Whether such an answer is known to have had no effect. */
  readonly isRepeatHarmless?: boolean;
}
