import { aboutStop, asStopReason } from '../domain/stop-reason.ts';
import type { RunEntry } from '../journal/journal.ts';
import { recordedDetail } from './advice/stop-detail.ts';
import { inSentence } from './format.ts';

/** Whether a stop was meant, as the end of a sentence. */
const meant = {
  planned: 'as planned',
  requested: 'because somebody stopped it',
  bound: 'as it was told to',
  fault: 'which nobody planned',
} as const;

/** The same for a headline that has named the stop; '' where its words leave no doubt. */
export function whetherPlanned(reason: string): string {
  const stop = asStopReason(reason);
  if (stop === undefined) return '';
  const { kind } = aboutStop(stop);
  return kind === 'planned' || kind === 'bound' ? `, and the run stopped ${meant[kind]}` : '';
}

/** Whether the stop of a run was planned, and what it was, in a sentence; '' if it did not stop early. */
export function howStopped({ id, end }: Pick<RunEntry, 'id' | 'end'>): string {
  const stop = asStopReason(end?.reason);
  if (end === undefined || stop === undefined) return '';
  const { kind, words } = aboutStop(stop);
  // The detail of a fault has its remedy, which comes with the steps.
  const detail = kind === 'fault' ? '' : recordedDetail(stop, end.detail ?? '');
  const why = kind === 'requested' ? '' : `: ${detail === '' ? `${words}.` : detail}`;
  return inSentence(`run ${id} stopped early, ${meant[kind]}${why === '' ? '.' : why}`);
}
