import type { Answer } from '../../client/platform-client.ts';
import { Attempts } from './attempts.ts';
import type { RequestContext } from '../run/context.ts';
import { contradictionCode, type ContradictingAnswer } from '../account/contradiction.ts';
import type { FlowRequest } from '../flow/flow.ts';
import { isThePlatforms } from './liveness.ts';
import { requestTooLarge } from '../../domain/request-too-large.ts';
import { saysTooLarge } from './body-sizes.ts';
import { atRest } from './quiet-period.ts';
import type { Missed, RetriedRequest, Said, SendOutcome } from './retried-request.ts';

export type { Missed, Said } from './retried-request.ts';

/**
 * Sends a request until the platform has answered, by class of failure: what never left and what was throttled is
 * repeated freely, what was lost, only if the request allows it, and a refusal of the access, or one that denies what
 * the platform has acknowledged, with patience. Failures while the platform is unavailable do not count: they are not
 * the account's fault.
 */
export async function sendWithRetry<T>(
  context: RequestContext,
  request: RetriedRequest<T>,
): Promise<SendOutcome<T>> {
  const { flow, answers, tally, clock, sizes } = context;
  const { size } = request;
  const attempts = new Attempts(context, request, atRest);
  const stopped = () => ({ kind: 'stopped', unknown: attempts.unknown }) as const;
  const gaveUp = (cause: string) => ({ kind: 'gave-up', cause, unknown: attempts.unknown }) as const;
  let sentAt = atRest;
  const sent: FlowRequest<T> = {
    account: request.account,
    step: request.step,
    isProcess: request.isProcess ?? false,
    isDelicate: request.isDelicate ?? false,
    before: () => request.before?.() ?? Promise.resolve(),
    send: (signal) => {
      sentAt = clock.monotonic();
      return request.send(signal);
    },
  };
  if (size !== undefined && sizes.forbids(request.step, size.bytes, size.isHarmless))
    return gaveUp(requestTooLarge);
  for (;;) {
    if (!(await isAdmitted(context, request, attempts))) return stopped();
    const answer = await flow.send(sent);
    if (answer.kind === 'stopped' || answer.kind === 'overdue') {
      answers.see(request.step, undefined);
      return answer.kind === 'stopped' ? stopped() : gaveUp('step_timeout');
    }
    const isTooLarge = learnFrom(context, request, answer);
    if (isSaid(answer) && (answer.kind === 'ok' || request.contradicts?.(answer) !== true))
      return { kind: 'said', answer, afterUnknown: attempts.unknown };
    if (isTooLarge && !isSaid(answer)) return attempts.tooLarge(answer);

    const next = await attempts.after(answer, sentAt);
    if ('ends' in next) return next.ends;
    const { waitMs, isAside } = next;
    context.emit({
      type: 'retry',
      account: request.account,
      step: request.step,
      cause: missedCode(answer),
      waitMs,
    });
    const isOver = isAside === true ? flow.waitAside(request, waitMs) : flow.pause(request, waitMs);
    if (!(await isOver)) return stopped();
    tally.retries += 1;
  }
}

/** Waits until the request may leave; false if the run stops before. */
async function isAdmitted<T>(
  { flow, answers, credentials, clock }: RequestContext,
  request: RetriedRequest<T>,
  attempts: Attempts,
): Promise<boolean> {
  const quietMs = request.quietUntil === undefined ? 0 : attempts.quietUntil - clock.monotonic();
  return (
    (quietMs <= 0 || (await flow.waitAside(request, quietMs))) &&
    (await credentials.pass((ms) => flow.waitInPlace(request, ms))) &&
    (await answers.admits(request.step, (ms) => flow.waitAside(request, ms)))
  );
}

/** What an answer shows of the platform, the credentials and the bodies on this way; whether this body is too large. */
function learnFrom<T>(
  { answers, credentials, tally, sizes, emit }: RequestContext,
  { step, size }: RetriedRequest<T>,
  answer: Answer<T>,
): boolean {
  if (isThePlatforms(answer)) {
    tally.answered += 1;
    credentials.accepted();
  }
  answers.see(step, answer);
  if (size === undefined) return false;
  const isDisproved = hasArrived(answer) && sizes.passed(step, size.bytes);
  const isTooLarge = saysTooLarge(answer) && sizes.refused(step, size.bytes);
  // What the profile calls not delivered is not in doubt: the next run may try it.
  const isDoubtful = isTooLarge && answer.kind !== 'throttled';
  if (isDisproved || isDoubtful) emit({ type: 'body-limit', limit: sizes.limit });
  return isTooLarge;
}

function isSaid<T>(answer: Answer<T>): answer is Said<T> {
  return answer.kind === 'ok' || answer.kind === 'refused' || answer.kind === 'not-found';
}

/** Whether the platform had the whole request. */
function hasArrived(answer: Answer<unknown>): boolean {
  return (isSaid(answer) && !saysTooLarge(answer)) || (answer.kind === 'unknown' && answer.isOver === true);
}

/** A machine code for an answer without a result. */
export function missedCode(answer: Missed | ContradictingAnswer): string {
  if ('refusal' in answer) return contradictionCode(answer);
  return 'cause' in answer ? answer.cause : answer.kind;
}
