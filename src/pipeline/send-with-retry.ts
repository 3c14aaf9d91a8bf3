import type { Answer } from '../client/platform-client.ts';
import type { RunContext } from './context.ts';
import type { FlowRequest } from './flow/flow.ts';
import { atRest } from './quiet-period.ts';
import { waitAfter } from './retry.ts';
import { isThePlatforms } from './liveness.ts';

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
 * - `gave-up`: tried as often as configured; `unknown` if one of the attempts may have had its effect
 * - `stopped`: the run is draining, or the step is held; `unknown` as above
 */
export type SendOutcome<T> =
  | { readonly kind: 'said'; readonly answer: Said<T>; readonly afterUnknown: boolean }
  | { readonly kind: 'lost'; readonly cause: string; readonly quietUntil: number }
  | { readonly kind: 'gave-up'; readonly cause: string; readonly unknown: boolean }
  | { readonly kind: 'stopped'; readonly unknown: boolean };

/** `before` is called before each attempt: its intent is durable when that resolves. */
export interface RetriedRequest<T> extends FlowRequest<T> {
  /** After each attempt that is not `said`: `unknown` if the effect of any attempt so far is unknown. */
  missed?(answer: Missed, unknown: boolean): void;
  /** An earlier attempt, of this run or another, may have had its effect. */
  readonly afterUnknown?: boolean;
  /**
   * Until then (ms on the monotonic clock) an earlier attempt may be under way. Present if a repeat must not meet a
   * lost attempt: it waits until none can be under way, and gives up its place in the meantime.
   */
  readonly quietUntil?: number | undefined;
  /** How many lost answers are repeated; then the result is `lost`. */
  lostRepeats?(): number;
  /** An `unknown` after which the request is repeated unchanged (section 4, rule 8): not one of the `lostRepeats`. */
  mayRepeat?(answer: Extract<Missed, { kind: 'unknown' }>): boolean;
  /** Whether such an answer is known to have had no effect. */
  readonly isRepeatHarmless?: boolean;
}

/**
 * Answers about something else, after which the outcome of the request counts as lost: another repeat would say no
 * more.
 */
const mostMismatches = 2;

/** The most tokens that one request may use up. */
const mostRenewals = 3;

/**
 * Sends a request until the platform has answered, by class of failure: what never left and what was throttled is
 * repeated freely, what was lost, only if the request allows it. Failures while the platform is unavailable
 * do not count: they are not the account's fault.
 */
export async function sendWithRetry<T>(
  context: RunContext,
  request: RetriedRequest<T>,
): Promise<SendOutcome<T>> {
  const { flow, answers, settings, stop, tally, random, clock, quiet } = context;
  const { retry } = settings;
  let unknown = request.afterUnknown ?? false;
  let lost = 0;
  let mismatches = 0;
  let failures = 0;
  let throttles = 0;
  let renewals = 0;
  let answeredBefore = tally.answered;
  let outages = flow.outages;
  let sentAt = atRest;
  let quietUntil = request.quietUntil ?? atRest;
  const sent: FlowRequest<T> = {
    account: request.account,
    step: request.step,
    isProcess: request.isProcess ?? false,
    before: () => request.before?.() ?? Promise.resolve(),
    send: (signal) => {
      sentAt = clock.monotonic();
      return request.send(signal);
    },
  };
  for (;;) {
    if (answers.isHeld(request.step)) return { kind: 'stopped', unknown };
    const quietMs = request.quietUntil === undefined ? 0 : quietUntil - clock.monotonic();
    if (quietMs > 0 && !(await flow.waitAside(request, quietMs))) return { kind: 'stopped', unknown };
    const answer = await flow.send(sent);
    if (answer.kind === 'stopped') return { kind: 'stopped', unknown };
    if (answer.kind === 'overdue') return { kind: 'gave-up', cause: 'step_timeout', unknown };
    if (isThePlatforms(answer)) tally.answered += 1;
    answers.see(request.step, answer);
    if (answer.kind === 'ok' || answer.kind === 'refused' || answer.kind === 'not-found')
      return { kind: 'said', answer, afterUnknown: unknown };

    const mayRepeat = answer.kind === 'unknown' && request.mayRepeat?.(answer) === true;
    const isLost = answer.kind === 'unknown' && !mayRepeat;
    unknown ||= isLost || (mayRepeat && request.isRepeatHarmless !== true);
    request.missed?.(answer, unknown);
    if (answer.kind === 'unknown' && answer.isOver !== true)
      quietUntil = Math.max(quietUntil, quiet.afterLoss(sentAt));

    let waitMs = 0;
    if (answer.kind === 'unauthorized') {
      // Others may have been answered with the new token, which has expired since.
      if (renewals >= mostRenewals || (renewals > 0 && tally.answered === answeredBefore)) {
        stop.stop('credentials', answer.detail);
        return { kind: 'stopped', unknown };
      }
      renewals += 1;
      answeredBefore = tally.answered;
      context.client.discardToken(answer.tokenId);
    } else if (answer.kind === 'throttled') {
      throttles += 1;
      if (throttles >= retry.throttledAttempts) return { kind: 'gave-up', cause: 'throttled', unknown };
      waitMs = waitAfter(answer.retryAfterMs, throttles, retry, random);
      flow.refusedFor(waitMs, request);
    } else {
      if (isLost) lost += 1;
      if (answer.cause === 'answer_mismatch') mismatches += 1;
      if (lost > (request.lostRepeats?.() ?? Infinity) || mismatches >= mostMismatches)
        return { kind: 'lost', cause: answer.cause, quietUntil };
      if (!(await flow.platformIsBack(request))) return { kind: 'stopped', unknown };
      failures = flow.outages === outages ? failures + 1 : 0;
      outages = flow.outages;
      if (failures >= retry.attempts) return { kind: 'gave-up', cause: answer.cause, unknown };
      const askedFor = answer.kind === 'unknown' ? answer.retryAfterMs : undefined;
      waitMs = waitAfter(askedFor, Math.max(1, failures), retry, random);
    }
    const cause = 'cause' in answer ? answer.cause : answer.kind;
    context.emit({ type: 'retry', account: request.account, step: request.step, cause, waitMs });
    if (!(await flow.pause(request, waitMs))) return { kind: 'stopped', unknown };
    tally.retries += 1;
  }
}
