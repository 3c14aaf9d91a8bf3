import type { FlowReason, RunEvent } from '../pipeline/run-events.ts';

const words: Readonly<Record<FlowReason, string>> = {
  starting: 'rising',
  ceiling: 'ceiling',
  rate: 'rate',
  throttled: 'throttled: platform answers 429',
  timeouts: 'answers time out',
  latency: 'latency rises',
};

/** How fast a run is now, and what limits it, in a few words. */
export function flowNote({ requests, process, isDead }: Extract<RunEvent, { type: 'flow' }>): string {
  if (isDead) return 'held: the platform does not answer';
  const platformHolds = ['throttled', 'timeouts', 'latency'].includes(process.reason);
  return [
    `${requests.limit} at once (${words[requests.reason]})`,
    ...(platformHolds ? [`${process.limit} in process (${words[process.reason]})`] : []),
  ].join(', ');
}
