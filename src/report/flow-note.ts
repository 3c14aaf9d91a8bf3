import type { FlowReason, RunEvent } from '../pipeline/run/run-events.ts';
import { counted, formatDuration, formatRate, formatTime } from './format.ts';

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
  { requests, process, pace: found, isDead, waitsUntil, pause }: Extract<RunEvent, { type: 'flow' }>,
  timeZone: string,
): string {
  if (isDead) return 'held: the platform is unavailable';
  if (pause !== undefined)
    return `paused for ${formatDuration(pause.ms)}, until ${formatTime(pause.until, timeZone).slice(11)} (${timeZone}): the platform answers 429 to everything`;
  if (waitsUntil !== undefined)
    return `waits until ${formatTime(waitsUntil, timeZone).slice(11)} (${timeZone}): requests with lost answers may still be under way`;
  const rate = found?.perSecond;
  const platformHolds = ['throttled', 'timeouts', 'latency'].includes(process.reason);
  return [
    `${counted(requests.limit, 'request')} at once (${words[requests.reason]})`,
    ...(rate === undefined ? [] : [`the platform takes ${formatRate(rate)}`]),
    ...(platformHolds ? [`${counted(process.limit, 'account')} in process (${words[process.reason]})`] : []),
  ].join(', ');
}
