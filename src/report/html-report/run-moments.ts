import type { RunEntry } from '../../journal/journal.ts';
import { runOutcome } from '../history-table.ts';
import type { Moment } from './charts.ts';

/** Runs whose moments are drawn: more would hide the bars. */
const most = 20;

/** When runs began and ended, or stopped early, for a chart; dry runs are left out. `runs`: newest first. */
export function runMoments(runs: readonly RunEntry[], running: ReadonlySet<number>): readonly Moment[] {
  return runs
    .filter(({ dryRun }) => !dryRun)
    .slice(0, most)
    .flatMap((run): Moment[] => {
      const began: Moment = { at: run.startedAt, kind: 'began', name: `run ${run.id} begins` };
      if (run.end === undefined) return [began];
      const hasStopped = run.end.reason !== '';
      const name = `run ${run.id} ${hasStopped ? 'stops' : 'ends'}: ${runOutcome(run, running)}`;
      return [began, { at: run.end.endedAt, kind: hasStopped ? 'stopped' : 'ended', name }];
    });
}
