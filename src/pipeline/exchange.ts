import type { Answer } from '../client/platform-client.ts';
import type { StepName } from '../domain/steps.ts';
import type { RunContext } from './context.ts';
import { backoff, pause } from './retry.ts';
import type { RequestEnded } from './run-events.ts';

/** An answer that says what the platform did, or did not do. */
export type Said<T> = Extract<Answer<T>, { kind: 'ok' | 'refused' | 'not-found' }>;
/** An answer that says nothing of the kind. */
export type Missed = Exclude<Answer<never>, { kind: 'ok' | 'refused' | 'not-found' }>;

/**
 * What came of a request with all its repetitions.
 *
 * - `said`: the platform answered; `afterUnknown` when an earlier attempt may have had the effect already
 * - `lost`: the effect of an attempt is unknown, and the policy says not to repeat
 * - `gave-up`: tried as often as configured; `unknown` when one of the attempts may have had its effect
 * - `stopped`: the run is draining; the same holds of `unknown`
 */
export type Exchange<T> =
  | { readonly kind: 'said'; readonly answer: Said<T>; readonly afterUnknown: boolean }
  | { readonly kind: 'lost'; readonly cause: string }
  | { readonly kind: 'gave-up'; readonly cause: string; readonly unknown: boolean }
  | { readonly kind: 'stopped'; readonly unknown: boolean };

export interface ExchangeRequest<T> {
  readonly account: string;
  readonly step: StepName;
  send(signal: AbortSignal): Promise<Answer<T>>;
  /** Before each attempt leaves; its intent is durable when this resolves. */
  before?(): Promise<void>;
  /** After each attempt that is not `said`: `unknown` when the effect of any attempt so far is unknown. */
  missed?(answer: Missed, unknown: boolean): void;
  /** An earlier attempt, of this run or another, may have had its effect. */
  readonly afterUnknown?: boolean;
  /** How many lost answers are repeated; then the exchange ends as `lost`. */
  readonly lostRepeats?: number;
  /** An `unknown` that is known to have had no effect after all (interface, section 4, rule 8). */
  harmless?(answer: Extract<Missed, { kind: 'unknown' }>): boolean;
}

/**
 * Sends a request until the platform has said something, by class of failure: what never left and what was throttled
 * is repeated freely, what was lost only as far as the request allows.
 */
export async function exchange<T>(context: RunContext, request: ExchangeRequest<T>): Promise<Exchange<T>> {
  const { settings, stop, tally, random, clock } = context;
  let unknown = request.afterUnknown ?? false;
  let lost = 0;
  let failures = 0;
  let throttles = 0;
  let renewed = false;
  for (;;) {
    if (stop.draining.aborted) return { kind: 'stopped', unknown };
    await request.before?.();
    tally.requests += 1;
    const sentAt = clock.now();
    const answer = await request.send(stop.aborting);
    context.emit(requestEnded(request, answer, sentAt, clock.now()));
    if (isThePlatforms(answer)) tally.answered += 1;
    if (answer.kind === 'ok' || answer.kind === 'refused' || answer.kind === 'not-found')
      return { kind: 'said', answer, afterUnknown: unknown };

    const effectUnknown = answer.kind === 'unknown' && request.harmless?.(answer) !== true;
    unknown ||= effectUnknown;
    request.missed?.(answer, unknown);

    let waitMs = 0;
    if (answer.kind === 'unauthorized') {
      if (renewed) {
        stop.stop('credentials', answer.detail);
        return { kind: 'stopped', unknown };
      }
      renewed = true;
      context.client.discardToken(answer.tokenId);
    } else if (answer.kind === 'throttled') {
      throttles += 1;
      if (throttles >= settings.retry.throttledAttempts)
        return { kind: 'gave-up', cause: 'throttled', unknown };
      waitMs = answer.retryAfterMs ?? backoff(throttles, settings.retry, random);
    } else {
      if (effectUnknown) lost += 1;
      if (lost > (request.lostRepeats ?? Infinity)) return { kind: 'lost', cause: answer.cause };
      failures += 1;
      if (failures >= settings.retry.attempts) {
        if (answer.kind !== 'not-sent') return { kind: 'gave-up', cause: answer.cause, unknown };
        // Nobody is there: no account is to blame, and none would fare better.
        stop.stop('unavailable', answer.cause);
        return { kind: 'stopped', unknown };
      }
      waitMs = backoff(failures, settings.retry, random);
    }
    const cause = 'cause' in answer ? answer.cause : answer.kind;
    context.emit({ type: 'retry', account: request.account, step: request.step, cause, waitMs });
    if (!(await pause(context.clock, waitMs, stop.draining))) return { kind: 'stopped', unknown };
    tally.retries += 1;
  }
}

function requestEnded(
  { account, step }: Pick<ExchangeRequest<unknown>, 'account' | 'step'>,
  answer: Answer<unknown>,
  sentAt: number,
  endedAt: number,
): RequestEnded {
  return {
    type: 'request',
    account,
    step,
    outcome: answer.kind,
    ...('status' in answer ? { status: answer.status } : {}),
    ...('cause' in answer ? { cause: answer.cause } : {}),
    sentAt,
    tookMs: endedAt - sentAt,
  };
}

/** A refusal in no words of the interface: a proxy or another server may have said it, and nothing of the data. */
export function isWordless(answer: Answer<unknown>): boolean {
  return 'refusal' in answer && answer.refusal.code === `http_${answer.status}`;
}

/** Whether an answer is one that the interface knows (section 7), and so the platform's own. */
function isThePlatforms(answer: Answer<unknown>): boolean {
  if (answer.kind === 'unknown') return answer.status === 500;
  return answer.kind !== 'not-sent' && !isWordless(answer);
}
