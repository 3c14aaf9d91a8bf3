import type { Answer } from '../../client/platform-client.ts';
import type { StepName } from '../../domain/steps.ts';
import type { RequestEnded } from '../run-events.ts';

/** What is told of a request, without anything of its data; `sentAt` in ms since the epoch, `tookMs` in ms. */
export function requestEnded(
  { account, step }: { readonly account: string; readonly step: StepName },
  answer: Answer<unknown>,
  sentAt: number,
  tookMs: number,
): RequestEnded {
  return {
    type: 'request',
    account,
    step,
    outcome: answer.kind,
    ...('status' in answer ? { status: answer.status } : {}),
    ...('cause' in answer ? { cause: answer.cause } : {}),
    sentAt,
    tookMs,
  };
}
