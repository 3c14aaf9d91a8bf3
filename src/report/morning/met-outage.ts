import { asStopReason, aboutStop } from '../../domain/stop-reason.ts';
import type { RunEntry } from '../../journal/journal.ts';

/** What the client calls a refusal for the number of requests. */
const tooMany = 'http_429';
/** Of something on the way that was too busy. */
const busy = 'http_503';

/**
 * Why a run that stopped where it was told to, or by somebody, could do nothing before: a cause of the client; '' if it could. The run
 * notes an outage with its stop; refusals of its requests for their number are counted.
 */
export function outageMet({ end, answered }: RunEntry): string {
  const stop = asStopReason(end?.reason);
  if (end === undefined || stop === undefined) return '';
  const { kind } = aboutStop(stop);
  if (kind === 'requested' && (end.detail ?? '') !== '') return end.detail ?? '';
  const isRefused = answered !== undefined && answered.refused > answered.accepted;
  const isStopped = kind === 'requested' || kind === 'planned';
  if (!isStopped || !isRefused || end.driven?.completed !== 0) return '';
  return 2 * answered.unclear > answered.refused ? busy : tooMany;
}
