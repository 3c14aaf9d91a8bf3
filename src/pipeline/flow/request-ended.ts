import type { Answer } from '../../client/platform-client.ts';
import type { RequestEnded } from '../run/run-events.ts';

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
    isQuestion,
    outcome: answer.kind,
    status: 'status' in answer ? answer.status : undefined,
    cause: 'cause' in answer ? answer.cause : undefined,
    sentAt,
    tookMs,
  };
}
