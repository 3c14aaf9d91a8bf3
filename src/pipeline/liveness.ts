import type { Answer } from '../client/platform-client.ts';

/** A refusal in no words of the interface: a proxy or another server may have said it, and nothing of the data. */
export function isWordless(answer: Answer<unknown>): boolean {
  return 'refusal' in answer && answer.refusal.code === `http_${answer.status}`;
}

/** Whether an answer is one that the interface knows (section 7) to a request that the platform let in. */
export function isThePlatforms(answer: Answer<unknown>): boolean {
  if (answer.kind === 'unknown') return answer.status === 500;
  return answer.kind !== 'not-sent' && answer.kind !== 'unauthorized' && !isWordless(answer);
}

/** Causes of this side, which tell nothing of the platform. */
const ours: ReadonlySet<string> = new Set(['aborted', 'closed', 'lease_lost', 'step_timeout']);

/**
 * What an answer tells of the platform: that it is there (`alive`), nothing (`ours`), or why it may not be. A 500 is the
 * platform's own word on one request; when nothing but that comes, it is no better than silence.
 */
export function signOf(answer: Answer<unknown>): 'alive' | 'ours' | { readonly cause: string } {
  if (answer.kind === 'not-sent' || answer.kind === 'unknown')
    return ours.has(answer.cause) ? 'ours' : { cause: answer.cause };
  return isWordless(answer) ? { cause: `http_${answer.status}` } : 'alive';
}
