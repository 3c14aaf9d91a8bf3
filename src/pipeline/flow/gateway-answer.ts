import type { Answer } from '../../client/platform-client.ts';
import { saysTooLarge } from '../request/body-sizes.ts';

/** A gateway that refuses answers at once; one that waited for the platform did not refuse. In ms. */
const quickMs = 2000;

/**
 * What an answer says about the load that a platform takes:
 *
 * - `accepted`: the request was let through
 * - `refused`: it was not, and had no effect
 * - `refused-unknown`: a gateway answered at once, probably instead of the platform; whether it delivered the request is not known
 * - `neither`: nothing
 */
export type LoadAnswer = 'accepted' | 'refused' | 'refused-unknown' | 'neither';

export function loadAnswer(answer: Answer<unknown>, tookMs: number): LoadAnswer {
  if (saysTooLarge(answer)) return 'neither';
  if (answer.kind === 'throttled') return 'refused';
  if (answer.kind === 'not-sent') return 'neither';
  if (answer.kind !== 'unknown') return 'accepted';
  if (answer.cause === 'http_503' && tookMs < quickMs) return 'refused-unknown';
  return answer.isOver === true ? 'accepted' : 'neither';
}
