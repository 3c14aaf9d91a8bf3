import type { NightVerdict } from '../morning/verdict.ts';
import { accountStates, uncountedOf, type AccountState } from '../../domain/account-state.ts';
import { stepNames, type StepName } from '../../domain/steps.ts';
import type { RunEntry, StepCounts, SupplierOverview } from '../../journal/journal.ts';
import type { EmptyJournal } from '../empty-journal.ts';
import { actorText, formatCount, formatDuration, formatRate, formatTime } from '../format.ts';
import type { SupplierReadings } from '../readings.ts';
import { runOutcome } from '../history-table.ts';
import type { LastReconciled } from '../reconciliation/last-reconciled.ts';
import { notBegunOrRead } from '../not-begun.ts';
import { meaningIn } from '../state-table.ts';
import { notSentTexts, stepCountNames } from '../status-table.ts';
import { legend, shareBar, timeChart, type Fill } from './charts.ts';
import { dataTable, html, type Html, type Piece } from './markup.ts';
import { runMoments } from './run-moments.ts';
import { stateFills, statePill } from './state-pill.ts';
import type { Survey } from './survey.ts';
import { requestsChart } from './requests-chart.ts';
import type { TimelineMark } from './timeline.ts';

/** The data of a report. */
export interface ReportView {
  /** Absent if the journal knows none. */
  readonly supplier?: string | undefined;
  /** The text to append to every suggested command: the flags of settings and journal, or ''. */
  readonly flags: string;
  /** The platform's address, or 'embedded'; absent if nothing was run. */
  readonly platformLabel?: string | undefined;
  /** The last night; absent if nothing was run. */
  readonly night?: NightVerdict | undefined;
  /** The time of the report, in ms since the epoch. */
  readonly at: number;
  /** Times are shown in this zone (IANA name). */
  readonly timeZone: string;
  /** The tool's version. */
  readonly version: string;
  readonly overview?: SupplierOverview | undefined;
  /** Why there is no overview; default: `new`. */
  readonly empty?: EmptyJournal | undefined;
  /** Newest first. */
  readonly runs: readonly RunEntry[];
  /** Those of living processes. */
  readonly running: ReadonlySet<number>;
  /** Whether there are more runs than these. */
  readonly hasOlderRuns: boolean;
  readonly survey?: Survey | undefined;
  /** What was read back; absent: nothing. */
  readonly readings?: readonly SupplierReadings[];
  /** The last comparison of the supplier; absent: none is known. */
  readonly reconciled?: LastReconciled | undefined;
  /** That of its amounts, such as GBP; absent: not known. */
  readonly currency?: string | undefined;
  /** What each problem code means, in a sentence; default: nothing is said. */
  readonly sentences?: ReadonlyMap<string, string>;
  /** Steps whose endpoint the tenancy's contract does not have. */
  readonly notOffered?: readonly StepName[];
}

/** A part of the page with its own heading. */
export function section(id: string, title: string, body: Html | readonly Html[]): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${body}
  </section> `;
}

/** Usual numbers are not broken; one as long as a line may be broken anywhere. */
export function accountNumber(account: string): Html {
  return html`<span class="${account.length <= 24 ? 'whole' : 'long'}">${account}</span>`;
}

/** A name that may break after each of its words, such as a supplier's. */
export function breakable(name: string): readonly Html[] {
  return name.split(/(?<=_)/).map((word) => html`${word}<wbr />`);
}

/** A code or a field's name, which may break after each of its words. */
export function machineName(name: string): Html {
  return html`<code>${breakable(name)}</code>`;
}

/** What is done comes first, and what is still to come last. */
const inBar: readonly AccountState[] = [
  ...(['completed', 'imported', 'scheduled', 'staged'] as const),
  ...(['rejected', 'failed', 'uncertain', 'skipped', 'pending'] as const),
];

export function accountsSection(overview: SupplierOverview): Html {
  const { accounts, partlyRead } = overview;
  const there = accountStates.filter((state) => accounts[state] > 0);
  const unread = uncountedOf(partlyRead);
  const shares = [
    ...inBar
      .filter((state) => accounts[state] > 0)
      .map((state) => ({ name: state, count: accounts[state], fill: stateFills[state] })),
    ...(unread === 0 || unread === null
      ? []
      : [{ name: 'not counted', count: unread, fill: 'unread' as const }]),
  ];
  const bar = html`<div class="wide">${shareBar(shares)}</div>
    ${legend(shares)}`;
  const rows: Piece[][] = there.map((state) => [
    statePill(state),
    formatCount(accounts[state]),
    meaningIn(state, accounts, overview),
  ]);
  if (unread !== 0)
    rows.push(['not counted', unread === null ? '?' : formatCount(unread), 'no run has read them yet']);
  const columns = [{ title: 'State' }, { title: 'Accounts', isNumber: true }, { title: 'Meaning' }];
  return section('accounts', 'Accounts', [
    bar,
    dataTable('Accounts by state', columns, rows, [...there, 'not counted'].slice(0, rows.length)),
  ]);
}

/** `running`: the ids of runs of living processes. */
export function timeSection(
  { timeline }: Survey,
  { runs, running, timeZone }: Pick<ReportView, 'runs' | 'running' | 'timeZone'>,
): Html {
  const moments = runMoments(runs, running);
  const { stretches, widthMs } = timeline;
  const each = formatDuration(widthMs);
  if (stretches.length === 0) return section('time', 'Over time', html`<p>No request was answered yet.</p>`);
  const has = (...wanted: readonly TimelineMark[]) =>
    stretches.some(({ counts }) => wanted.some((mark) => counts[mark] > 0));
  return section('time', 'Over time', [
    has('created')
      ? timeChart({
          title: `Accounts created, in each ${each}`,
          description: `Bars: how many accounts the platform created in each ${each}. The table below has the figures.`,
          series: [{ mark: 'created', name: 'created', fill: 'created' }],
          stretches,
          moments,
          timeZone,
        })
      : html`<p>No account was created yet.</p>`,
    has('refused', 'failed', 'unknown')
      ? timeChart({
          title: `Unsuccessful responses per ${each}`,
          description: `Stacked bars: how many requests were refused, failed, or had no answer that says their effect in each ${each}. The table below has the figures.`,
          series: [
            { mark: 'refused', name: 'refused', fill: 'rejected' },
            { mark: 'failed', name: 'failed, had no effect', fill: 'failed' },
            { mark: 'unknown', name: 'without an answer, or uncertain', fill: 'uncertain' },
          ],
          stretches,
          timeZone,
        })
      : html`<p>Every request succeeded.</p>`,
    requestsChart(timeline, runs, timeZone),
  ]);
}

const stepFills = [
  { count: 'done', name: stepCountNames.done, fill: 'completed' },
  { count: 'failed', name: stepCountNames.failed, fill: 'rejected' },
  { count: 'uncertain', name: stepCountNames.uncertain, fill: 'uncertain' },
  { count: 'pending', name: stepCountNames.pending, fill: 'pending' },
] as const satisfies readonly {
  readonly count: keyof StepCounts;
  readonly name: string;
  readonly fill: Fill;
}[];

/**
 * `durations`: of each step's answers; absent if they are not known. `notOffered`: steps whose endpoint the tenancy's
 * contract does not have.
 */
export function stepsSection(
  overview: Pick<SupplierOverview, 'steps' | 'accounts' | 'partlyRead'>,
  durations: Survey['durations'] | undefined,
  notOffered: readonly StepName[],
): Html {
  // What no run has begun is in the whole of every bar: which steps it needs is not known yet.
  const { steps } = overview;
  const notBegun = notBegunOrRead(overview);
  const begun = { name: 'not begun', count: notBegun, fill: 'unread' } as const;
  const number = (title: string) => ({ title, isNumber: true });
  const columns = [
    { title: 'Step' },
    { title: 'Share' },
    ...['Done', 'Not accepted', 'Uncertain', 'To do', ...(notBegun > 0 ? ['Not begun'] : [])].map(number),
    ...(durations === undefined ? [] : ['Median', '95% within', 'Slowest'].map(number)),
  ];
  const planned = stepNames.filter((step) => stepFills.some(({ count }) => steps[step][count] > 0));
  const rows = planned.map((step) => {
    const counts = steps[step];
    const took = durations?.get(step);
    const time = (share: number) =>
      took === undefined || took.count === 0 ? '' : formatDuration(took.within(share));
    return [
      step,
      shareBar([...stepFills.map(({ name, count, fill }) => ({ name, count: counts[count], fill })), begun]),
      ...stepFills.map(({ count }) => formatCount(counts[count])),
      ...(notBegun > 0 ? [formatCount(notBegun)] : []),
      ...(durations === undefined ? [] : [0.5, 0.95, 1].map(time)),
    ];
  });
  const leftOut = notOffered.filter((step) => !planned.includes(step));
  return section('steps', 'Steps', [
    dataTable(
      durations === undefined ? 'Accounts by step' : 'Accounts by step, and how long an answer took',
      columns,
      rows,
      planned,
    ),
    legend([...stepFills, ...(notBegun > 0 ? [begun] : [])]),
    ...notSentTexts(overview).map((text) => html`<p class="faint">${text}</p>`),
    ...(leftOut.length === 0
      ? []
      : [html`<p>Not offered by the tenancy's contract: ${leftOut.join(', ')}.</p>`]),
  ]);
}

export function slowestSection({ slowest }: Survey): Html {
  if (slowest.length === 0) return html``;
  const columns = [
    { title: 'Account' },
    { title: 'Took', isNumber: true },
    { title: 'Requests', isNumber: true },
    { title: 'Slowest step' },
  ];
  const rows = slowest.map(({ account, tookMs, requests, slowestStep }) => [
    accountNumber(account),
    formatDuration(tookMs),
    formatCount(requests),
    slowestStep,
  ]);
  return section(
    'slowest',
    'Slowest accounts',
    dataTable('Accounts whose answers took longest', columns, rows),
  );
}

export function runsSection({
  runs,
  running,
  hasOlderRuns,
  flags,
  timeZone,
}: Pick<ReportView, 'runs' | 'running' | 'hasOlderRuns' | 'flags' | 'timeZone'>): Html {
  if (runs.length === 0) return section('runs', 'Runs', html`<p>None yet.</p>`);
  const number = (title: string) => ({ title, isNumber: true });
  const columns = [
    { title: 'Run' },
    { title: `Started (${timeZone})` },
    { title: 'Ended', isSentence: true },
    ...['Took', 'Completed', 'Need attention', 'Requests', 'Per second', 'Retries'].map(number),
    { title: 'By' },
  ];
  return section('runs', 'Runs', [
    dataTable(
      'Runs, newest first',
      columns,
      runs.map((run) => runRow(run, timeZone, running)),
      runs.map(({ id }) => id),
    ),
    ...(hasOlderRuns ? [html`<p><code>migrate history${flags}</code> lists older runs.</p>`] : []),
    html`<p class="faint">
      The columns Completed and Need attention (rejected, failed, uncertain) count all accounts that the
      journal knew at the run's end, of every supplier that the run took; so do the requests.
    </p>`,
  ]);
}

function runRow(run: RunEntry, timeZone: string, running: ReadonlySet<number>): readonly (string | number)[] {
  const { id, startedAt, dryRun, by, end } = run;
  const started = formatTime(startedAt, timeZone).slice(0, 16);
  const who = by === undefined ? '' : actorText(by);
  const outcome = `${dryRun ? 'dry run: ' : ''}${runOutcome(run, running)}`;
  if (end === undefined) return [id, started, outcome, '', '', '', '', '', '', who];
  const { completed, rejected, failed, uncertain } = end.accounts;
  const ms = end.endedAt - startedAt;
  return [
    id,
    started,
    outcome,
    formatDuration(ms),
    formatCount(completed),
    formatCount(rejected + failed + uncertain),
    formatCount(end.requests),
    ms > 0 ? formatRate((end.requests / ms) * 1000) : '',
    formatCount(end.retries),
    who,
  ];
}
