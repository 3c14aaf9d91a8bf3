import type { FlowReason, RunEvent } from '../pipeline/run-events.ts';
import { formatTime } from './format.ts';

const words: Readonly<Record<FlowReason, string>> = {
  starting: 'rising',
  ceiling: 'ceiling',
  rate: 'rate',
  throttled: 'throttled: platform answers 429',
  timeouts: 'answers time out',
  latency: 'latency rises',
};

/** How fast a run is now, and what limits it, in a few words. */
export function flowNote(
  { requests, process, isDead, waitsUntil }: Extract<RunEvent, { type: 'flow' }>,
  timeZone: string,
): string {
  if (isDead) return 'held: the platform is unavailable';
  if (waitsUntil !== undefined)
    return `waits until ${formatTime(waitsUntil, timeZone).slice(11)} (${timeZone}): requests with lost answers may still be under way`;
  const platformHolds = ['throttled', 'timeouts', 'latency'].includes(process.reason);
  return [
    `${requests.limit} at once (${words[requests.reason]})`,
    ...(platformHolds ? [`${process.limit} in process (${words[process.reason]})`] : []),
  ].join(', ');
}
