import type { RunEntry } from '../../journal/journal.ts';
import { formatCount, formatDuration, formatTime } from '../format.ts';
import { runOutcome } from '../history-table.ts';
import { workedNights, type NightPace } from '../morning/pace-of-nights.ts';
import { paceText } from '../morning/morning-text.ts';
import { dataTable, html, type Html } from './markup.ts';
import { section } from './sections.ts';

const hourMs = 3_600_000;
/** Seconds are too few to say what an hour would bring. */
const shortestMs = 60_000;

export interface NightsSeen {
  /** Of the supplier, newest first. */
  readonly runs: readonly RunEntry[];
  /** Those of living processes. */
  readonly running: ReadonlySet<number>;
  /** IANA name. */
  readonly timeZone: string;
}

/** How many nights the rest takes, and the nights that say so, side by side; nothing before a run has completed an account. */
export function nightsSection({ runs, running, timeZone }: NightsSeen, pace: NightPace | undefined): Html {
  const nights = workedNights(runs);
  if (nights.length === 0 || pace === undefined) return html``;
  const number = (title: string) => ({ title, isNumber: true });
  const hasHours = nights.some(({ durationMs }) => durationMs >= shortestMs);
  const columns = [
    { title: 'Run' },
    { title: `Began (${timeZone})` },
    ...['Took', 'Completed', ...(hasHours ? ['Accounts an hour'] : [])].map(number),
    { title: 'Ended', isSentence: true },
  ];
  const rows = nights.map(({ run, completed, durationMs }) => [
    run.id,
    formatTime(run.startedAt, timeZone).slice(0, 16),
    formatDuration(durationMs),
    formatCount(completed),
    ...(hasHours ? [durationMs < shortestMs ? '' : formatCount((completed / durationMs) * hourMs)] : []),
    runOutcome(run, running),
  ]);
  const oldest = nights.at(-1)?.run.id ?? 0;
  const killed = runs.filter((run) => run.id > oldest && !run.dryRun && hasNoEnd(run, running));
  return section('nights', 'Runs compared', [
    html`<p>${paceText(pace)}</p>`,
    ...(killed.length === 0 ? [] : [html`<p>${withoutText(killed)}</p>`]),
    dataTable(
      'Runs that completed accounts, newest first',
      columns,
      rows,
      nights.map(({ run }) => run.id),
    ),
  ]);
}

function hasNoEnd({ id, end }: RunEntry, running: ReadonlySet<number>): boolean {
  return end === undefined && !running.has(id);
}

/** What a killed run completed is in the book, and in no record of the run. */
function withoutText(killed: readonly RunEntry[]): string {
  const ids = killed.map(({ id }) => id).join(', ');
  return killed.length === 1
    ? `Without run ${ids}, which has no end: how many accounts it completed is not recorded.`
    : `Without the runs ${ids}, which have no end: how many accounts they completed is not recorded.`;
}
