import type { Answer } from '../../client/platform-client.ts';

/**
 * A refusal in another format than the interface's: a proxy or another server may have sent it, without regard to the
 * data.
 */
export function isWordless(answer: Answer<unknown>): boolean {
  return 'refusal' in answer && answer.refusal.code === `http_${answer.status}`;
}

/** Whether an answer is one of the interface (section 7) to a request that the platform accepted. */
export function isThePlatforms(answer: Answer<unknown>): boolean {
  if (answer.kind === 'unknown') return answer.status === 500;
  return answer.kind !== 'not-sent' && answer.kind !== 'unauthorized' && !isWordless(answer);
}

/** Causes on this side, which say nothing about the platform. */
const ours: ReadonlySet<string> = new Set(['aborted', 'closed', 'lease_lost', 'step_timeout']);

/**
 * What an answer says about the platform: available (`alive`), nothing (`ours`), or why it may not be available. A
 * 500 is the platform's own answer to one request; if nothing else comes, it counts as silence. A cause is followed by
 * the target of a redirect.
 */
export function signOf(answer: Answer<unknown>): 'alive' | 'ours' | { readonly cause: string } {
  if (answer.kind === 'not-sent' || answer.kind === 'unknown') {
    if (ours.has(answer.cause)) return 'ours';
    const target = 'target' in answer ? answer.target : undefined;
    return { cause: target === undefined ? answer.cause : `${answer.cause} to ${target}` };
  }
  // A gateway refused it before the platform, for lack of a platform or because there are too many.
  if (answer.kind === 'throttled' && answer.status >= 500) return { cause: `http_${answer.status}` };
  return isWordless(answer) ? { cause: `http_${answer.status}` } : 'alive';
}
