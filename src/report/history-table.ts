import { withUncounted } from '../domain/account-state.ts';
import { aboutStop, stopReasons } from '../domain/stop-reason.ts';
import type { InterventionEntry, RunEnd, RunEntry, UpgradeEntry } from '../journal/journal.ts';
import { actorText, formatCount, formatDuration, formatTime, isoTime } from './format.ts';
import { interventionsText } from './interventions.ts';
import { paragraph } from './paragraph.ts';
import { isRehearsal } from './rehearsals.ts';
import { table, type Column } from './table.ts';
import { upgradesText } from './upgrades.ts';
import type { Page } from './terminal.ts';

/** A run as one JSON line. Times are UTC. `running`: the runs of living processes. */
export function runRecord(entry: RunEntry, running: ReadonlySet<number> = new Set()): object {
  const { id, platform, platformLabel, supplier = null, dryRun, startedAt, by, facts, end } = entry;
  return {
    type: 'run',
    run: id,
    platform,
    platformLabel,
    profile: facts?.profile ?? null,
    rehearsal: isRehearsal(entry),
    supplier,
    dryRun,
    by: by ?? null,
    state: runState(entry, running),
    export: entry.export,
    startedAt: isoTime(startedAt),
    endedAt: end === undefined ? null : isoTime(end.endedAt),
    durationMs: end === undefined ? null : end.endedAt - startedAt,
    exit: end?.exit ?? null,
    reason: end === undefined || end.reason === '' ? null : end.reason,
    accounts: end === undefined ? null : withUncounted(end.accounts, end.uncounted),
    driven: end?.driven ?? null,
    withoutSupplier: end?.withoutSupplier ?? null,
    detail: end?.detail ?? null,
    requests: end?.requests ?? null,
    retries: end?.retries ?? null,
  };
}

/** For people, newest first. Times are in the page's zone, which is named. */
export function historyText(
  page: Page,
  runs: readonly RunEntry[],
  running: ReadonlySet<number> = new Set(),
  interventions: readonly InterventionEntry[] = [],
  upgrades: readonly UpgradeEntry[] = [],
): string {
  const byHand = [
    ...(interventions.length === 0 ? [] : ['', interventionsText(page, interventions)]),
    ...(upgrades.length === 0 ? [] : ['', upgradesText(page, upgrades)]),
  ];
  const zone = paragraph(page, `Times are in ${page.timeZone}.`);
  if (runs.length === 0)
    return ['No runs yet.', ...(byHand.length === 0 ? [] : [...byHand, zone])].join('\n');
  const columns: Column[] = [
    { title: 'Run', align: 'right' },
    { title: 'Started', whole: true },
    { title: 'Took', align: 'right', whole: true, spare: true },
    { title: 'Done', align: 'right', whole: true, spare: true },
    { title: 'Trouble', align: 'right', whole: true, spare: true },
    // Short enough beside the figures in 80 columns.
    { title: 'Ended', wrap: true, least: page.columns >= 60 ? 23 : 6 },
    { title: 'Exit', align: 'right', whole: true, spare: true },
    { title: 'Accounts', align: 'right', whole: true, spare: true },
    { title: 'Supplier', whole: true, spare: true },
    { title: 'Requests', align: 'right', whole: true, spare: true },
    { title: 'Platform', whole: true, spare: true },
  ];
  const hasReal = runs.some((entry) => !isRehearsal(entry));
  const rows = runs.map((entry) => row(page, entry, { running, marksRehearsals: hasReal }));
  const actors = actorLines(runs).map((line) => paragraph(page, line));
  const partly = runs.some(({ end }) => end?.uncounted === null)
    ? [paragraph(page, '+: at least this many accounts. No run had read the export to its end.')]
    : [];
  return [table(page, columns, rows), ...partly, ...actors, ...byHand, zone].join('\n');
}

/** Who started which runs: a line for each person. */
function actorLines(runs: readonly RunEntry[]): string[] {
  const byActor = new Map<string, number[]>();
  for (const { id, by } of runs) {
    if (by === undefined) continue;
    const actor = actorText(by);
    byActor.set(actor, [...(byActor.get(actor) ?? []), id]);
  }
  return [...byActor].map(([actor, ids]) =>
    ids.length === runs.length
      ? `Started by ${actor}.`
      : `Started by ${actor}: ${ids.length === 1 ? 'run' : 'runs'} ${ids.toReversed().join(', ')}.`,
  );
}

interface RowOptions {
  readonly running: ReadonlySet<number>;
  /** Whether other runs are none. */
  readonly marksRehearsals: boolean;
}

function row(page: Page, entry: RunEntry, { running, marksRehearsals }: RowOptions): string[] {
  const isMarked = marksRehearsals && isRehearsal(entry);
  const kind = entry.dryRun ? 'dry run: ' : isMarked ? 'rehearsal: ' : '';
  const { id, startedAt, platformLabel, supplier = 'all', end } = entry;
  const figures = end === undefined ? ['', '', '', '', '', ''] : figuresOf(end, startedAt);
  const [took = '', completed = '', trouble = '', exit = '', book = '', requests = ''] = figures;
  return [
    String(id),
    formatTime(startedAt, page.timeZone).slice(0, 16),
    took,
    completed,
    trouble,
    `${kind}${runOutcome(entry, running)}`,
    exit,
    book,
    supplier,
    requests,
    platformLabel.replace(/^https:\/\//, ''),
  ];
}

function figuresOf({ endedAt, accounts, uncounted, exit, requests }: RunEnd, startedAt: number): string[] {
  const { completed, rejected, failed, uncertain } = accounts;
  return [
    formatDuration(endedAt - startedAt),
    formatCount(completed),
    formatCount(rejected + failed + uncertain),
    String(exit),
    `${formatCount(withUncounted(accounts, uncounted).total)}${uncounted === null ? '+' : ''}`,
    formatCount(requests),
  ];
}

/** A journal may hold a reason of a later version. */
const told: ReadonlyMap<string, string> = new Map<string, string>([
  ...stopReasons.map((reason) => [reason, aboutStop(reason).words] as const),
  ['not-begun', 'could not start'],
]);

const endings: Readonly<Record<number, string>> = {
  0: 'all done',
  3: 'some rejected, failed or not ours',
  8: 'some uncertain',
};

/** How a run ended, in a few words; `running`: as below. */
export function runOutcome(
  { id, end, stopping }: Pick<RunEntry, 'id' | 'end' | 'stopping'>,
  running: ReadonlySet<number>,
): string {
  if (end === undefined)
    return stopping !== undefined && running.has(id) ? 'stopping' : runState({ id, end }, running);
  return end.reason === '' ? (endings[end.exit] ?? `exit ${end.exit}`) : (told.get(end.reason) ?? end.reason);
}

/** `running`: the runs of living processes. A run that has not ended and has no process was killed. */
function runState(
  { id, end }: Pick<RunEntry, 'id' | 'end'>,
  running: ReadonlySet<number>,
): 'ended' | 'running' | 'killed' {
  if (end !== undefined) return 'ended';
  return running.has(id) ? 'running' : 'killed';
}
