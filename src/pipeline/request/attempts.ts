import { requestTooLarge } from '../../domain/request-too-large.ts';
import type { RequestContext } from '../run/context.ts';
import {
  contradictionCode,
  pauseAfterContradiction,
  type ContradictingAnswer,
} from '../account/contradiction.ts';
import type { AccessRefusals } from '../run/credential-watch.ts';
import { isThePlatforms } from './liveness.ts';
import { waitAfter } from './retry.ts';
import type { Missed, RetriedRequest, SendOutcome } from './retried-request.ts';

/**
 * Answers about something else, after which the outcome of the request counts as lost: another repeat would say no
 * more.
 */
const mostMismatches = 2;

/** Stands for an account in a question about access; the platform has none of this name. */
const nobody = 'migrate-asks-for-access';

/** What follows an attempt without a result: the end of the request, or a repeat after a wait. `isAside`: see Flow. */
export type NextAttempt =
  | { readonly ends: Exclude<SendOutcome<never>, { kind: 'said' }> }
  | { readonly waitMs: number; readonly isAside?: true };

/** Counts the attempts of one request by class of failure, and decides after each whether there is another. */
export class Attempts {
  /** Whether an attempt may have had its effect. */
  unknown: boolean;
  /** Until when one may be under way, in ms on the monotonic clock. */
  quietUntil: number;
  readonly #context: RequestContext;
  readonly #request: Omit<RetriedRequest<unknown>, 'send'>;
  readonly #access: AccessRefusals = { count: 0, since: 0 };
  #lost = 0;
  #mismatches = 0;
  #failures = 0;
  #throttles = 0;
  #contradictions = 0;
  #contradictedSince = 0;
  #outages: number;

  constructor(context: RequestContext, request: Omit<RetriedRequest<unknown>, 'send'>, atRest: number) {
    this.#context = context;
    this.#request = request;
    this.#outages = context.flow.outages;
    this.unknown = request.afterUnknown ?? false;
    this.quietUntil = request.quietUntil ?? atRest;
  }

  /** A gateway refused the body for its size: a repeat would have the same answer. */
  tooLarge(answer: Missed): Extract<SendOutcome<never>, { kind: 'gave-up' }> {
    this.unknown ||= answer.kind === 'unknown';
    this.#request.missed?.(answer, this.unknown);
    return { kind: 'gave-up', cause: requestTooLarge, unknown: this.unknown };
  }

  /** `sentAt`: when the attempt left, in ms on the monotonic clock. */
  async after(answer: Missed | ContradictingAnswer, sentAt: number): Promise<NextAttempt> {
    const mayRepeat = answer.kind === 'unknown' && this.#request.mayRepeat?.(answer) === true;
    const isLost = answer.kind === 'unknown' && !mayRepeat;
    // What denies the staged data may come from a server that does not know of the account yet either.
    const isDenied = 'refusal' in answer && this.#request.isProcess === true;
    this.unknown ||= isLost || isDenied || (mayRepeat && this.#request.isRepeatHarmless !== true);
    this.#request.missed?.(answer, this.unknown);
    if (answer.kind === 'unknown' && answer.isOver !== true)
      this.quietUntil = Math.max(this.quietUntil, this.#context.quiet.afterLoss(sentAt));
    switch (answer.kind) {
      case 'unauthorized':
        return this.#afterRefusedAccess(answer);
      case 'throttled':
        return this.#afterThrottle(answer);
      case 'refused':
      case 'not-found':
        return this.#afterContradiction(answer);
      case 'not-sent':
      case 'unknown':
        return this.#afterFailure(answer, isLost);
    }
  }

  async #afterRefusedAccess(answer: Extract<Missed, { kind: 'unauthorized' }>): Promise<NextAttempt> {
    const { credentials, stop, answers } = this.#context;
    const verdict = await credentials.refused(answer, this.#access, () => this.#isAcceptedElsewhere());
    if (verdict === 'again') return { waitMs: 0 };
    if (verdict === 'own') {
      answers.denied(this.#request.step, this.#request.account, answer.status);
      return this.#gaveUp(`http_${answer.status}`);
    }
    stop.stop('credentials', answer.detail);
    return { ends: { kind: 'stopped', unknown: this.unknown } };
  }

  /** Asks for the status of an account that nobody has, which no rule about an account can refuse. */
  async #isAcceptedElsewhere(): Promise<boolean> {
    const { flow, client } = this.#context;
    const { supplier } = this.#request;
    const answer = await flow.send({
      account: this.#request.account,
      step: this.#request.step,
      isQuestion: true,
      send: (signal) => client.transferStatus({ supplier, account: nobody }, { signal }),
    });
    return answer.kind !== 'stopped' && answer.kind !== 'overdue' && isThePlatforms(answer);
  }

  #afterThrottle({ retryAfterMs }: Extract<Missed, { kind: 'throttled' }>): NextAttempt {
    const { flow, random, settings } = this.#context;
    const { retry } = settings;
    this.#throttles += 1;
    if (this.#throttles >= retry.throttledAttempts) return this.#gaveUp('throttled');
    const waitMs = waitAfter(retryAfterMs, this.#throttles, retry, random);
    flow.refusedFor(waitMs, this.#request);
    return { waitMs };
  }

  #afterContradiction(answer: ContradictingAnswer): NextAttempt {
    const { clock, settings } = this.#context;
    const now = clock.monotonic();
    if (this.#contradictions === 0) this.#contradictedSince = now;
    const leftMs = this.#contradictedSince + settings.patience.laggingMs - now;
    if (leftMs <= 0) return this.#gaveUp(contradictionCode(answer));
    const waitMs = Math.min(leftMs, pauseAfterContradiction(this.#contradictions));
    this.#contradictions += 1;
    return { waitMs, isAside: true };
  }

  async #afterFailure(
    answer: Extract<Missed, { kind: 'not-sent' | 'unknown' }>,
    isLost: boolean,
  ): Promise<NextAttempt> {
    const { flow, random, settings } = this.#context;
    if (isLost) this.#lost += 1;
    if (answer.cause === 'answer_mismatch') this.#mismatches += 1;
    if (this.#lost > (this.#request.lostRepeats?.() ?? Infinity) || this.#mismatches >= mostMismatches)
      return { ends: { kind: 'lost', cause: answer.cause, quietUntil: this.quietUntil } };
    if (!(await flow.platformIsBack(this.#request)))
      return { ends: { kind: 'stopped', unknown: this.unknown } };
    this.#failures = flow.outages === this.#outages ? this.#failures + 1 : 0;
    this.#outages = flow.outages;
    if (this.#failures >= settings.retry.attempts) return this.#gaveUp(answer.cause);
    // Stryker disable next-line ConditionalExpression: what was not sent has no Retry-After
    const askedFor = answer.kind === 'unknown' ? answer.retryAfterMs : undefined;
    return { waitMs: waitAfter(askedFor, Math.max(1, this.#failures), settings.retry, random) };
  }

  #gaveUp(cause: string): NextAttempt {
    return { ends: { kind: 'gave-up', cause, unknown: this.unknown } };
  }
}
