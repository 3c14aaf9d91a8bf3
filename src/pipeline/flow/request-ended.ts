import type { Answer } from '../../client/platform-client.ts';
import type { RequestEnded } from '../run-events.ts';

/** The facts about a request, without its data; `sentAt` in ms since the epoch, `tookMs` in ms. */
export function requestEnded(
  { account, step, isQuestion }: Pick<RequestEnded, 'account' | 'step' | 'isQuestion'>,
  answer: Answer<unknown>,
  sentAt: number,
  tookMs: number,
): RequestEnded {
  return {
    type: 'request',
    account,
    step,
    ...(isQuestion === undefined ? {} : { isQuestion }),
    outcome: answer.kind,
    ...('status' in answer ? { status: answer.status } : {}),
    ...('cause' in answer ? { cause: answer.cause } : {}),
    sentAt,
    tookMs,
  };
}
