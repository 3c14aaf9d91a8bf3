import type { NightVerdict } from '../morning/judge-night.ts';
import { accountStates, uncountedOf, type AccountState } from '../../domain/account-state.ts';
import { stepNames, type StepName } from '../../domain/steps.ts';
import type { RunEntry, StepCounts, SupplierOverview } from '../../journal/journal.ts';
import type { EmptyJournal } from '../empty-journal.ts';
import { actorText, formatCount, formatDuration, formatRate, formatTime } from '../format.ts';
import type { SupplierReadings } from '../readings.ts';
import { runOutcome } from '../history-table.ts';
import type { MoneyTotals } from '../reconciliation/money-totals.ts';
import { notBegunOrRead } from '../not-begun.ts';
import { meaningIn } from '../state-table.ts';
import { stepCountNames } from '../status-table.ts';
import { legend, shareBar, timeChart, type Fill } from './charts.ts';
import { dataTable, html, type Html } from './markup.ts';
import type { SurveyedGroup, Survey } from './survey.ts';
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

/** A code or a field's name, which may break after each of its words. */
export function machineName(name: string): Html {
  const words = name.split(/(?<=_)/).map((word) => html`${word}<wbr />`);
  return html`<code>${words}</code>`;
}

const fills: Readonly<Record<AccountState, Fill>> = {
  completed: 'completed',
  imported: 'imported',
  staged: 'staged',
  scheduled: 'staged',
  pending: 'pending',
  rejected: 'rejected',
  failed: 'failed',
  uncertain: 'uncertain',
  skipped: 'skipped',
};

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
      .map((state) => ({ name: state, count: accounts[state], fill: fills[state] })),
    ...(unread === 0 || unread === null
      ? []
      : [{ name: 'not counted', count: unread, fill: 'unread' as const }]),
  ];
  const bar = html`<div class="wide">${shareBar(shares)}</div>
    ${legend(shares)}`;
  const rows = there.map((state) => [
    state,
    formatCount(accounts[state]),
    meaningIn(state, accounts, overview),
  ]);
  if (unread !== 0)
    rows.push(['not counted', unread === null ? '?' : formatCount(unread), 'no run has read them yet']);
  const columns = [{ title: 'State' }, { title: 'Accounts', isNumber: true }, { title: 'Meaning' }];
  return section('accounts', 'Accounts', [
    bar,
    dataTable(
      'Accounts by state',
      columns,
      rows,
      rows.map(([state = '']) => state),
    ),
  ]);
}

export function timeSection({ timeline }: Survey, runs: readonly RunEntry[], timeZone: string): Html {
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
          timeZone,
        })
      : html`<p>No account was created yet.</p>`,
    has('refused', 'failed', 'unknown')
      ? timeChart({
          title: `Unsuccessful responses per ${each}`,
          description: `Stacked bars: how many requests were refused, failed or had an unknown outcome in each ${each}. The table below has the figures.`,
          series: [
            { mark: 'refused', name: 'refused', fill: 'rejected' },
            { mark: 'failed', name: 'failed, had no effect', fill: 'failed' },
            { mark: 'unknown', name: 'effect unknown at first', fill: 'uncertain' },
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
    ...['Done', 'Not accepted', 'Uncertain', 'Waiting', ...(notBegun > 0 ? ['Not begun'] : [])].map(number),
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
    ...(leftOut.length === 0
      ? []
      : [html`<p>Not offered by the tenancy's contract: ${leftOut.join(', ')}.</p>`]),
  ]);
}

/** `commands`: that list every account, with all its cells. */
export function failuresSection(
  { failures, otherFailures }: Survey,
  commands: readonly string[],
  sentences: ReadonlyMap<string, string>,
): Html {
  if (failures.length === 0)
    return section(
      'failures',
      'What went wrong',
      html`<p>Nothing: no account was rejected, failed or skipped.</p>`,
    );
  const more =
    otherFailures === 0
      ? []
      : [html`<p>Further reasons, ${formatCount(otherFailures)} times, are not in this table.</p>`];
  return section('failures', 'What went wrong', [
    reasonsTable(
      'Accounts that did not arrive completely, or whose data in the export is refused now, by reason',
      failures,
      sentences,
    ),
    ...more,
    html`<p>
      An account with several reasons is in the row of each. These commands list every account with all its
      cells:
    </p>`,
    ...commands.map((command) => html`<pre><code>${command}</code></pre>`),
    html`<p class="faint">
      An example is an account number and the faulty cell: file, line and column, or a path in its data.
    </p>`,
  ]);
}

/** What held nothing back: the platform's changes, and data that looks wrong. `listing`: the command, up to the code. */
export function warningsSection(
  { warnings }: Survey,
  listing: string,
  sentences: ReadonlyMap<string, string>,
): Html {
  const [first] = warnings;
  if (first === undefined) return html``;
  return section('warnings', 'Warnings', [
    html`<p>These accounts were sent. What the platform changed in them, or what looks wrong, by code:</p>`,
    reasonsTable('Accounts with warnings, by code', warnings, sentences),
    html`<p>This command lists every account with its cells:</p>`,
    html`<pre><code>${listing} ${first.code}</code></pre>`,
  ]);
}

function reasonsTable(
  caption: string,
  groups: readonly SurveyedGroup[],
  sentences: ReadonlyMap<string, string>,
): Html {
  const columns = [{ title: 'Reason' }, { title: 'Accounts', isNumber: true }, { title: 'For example' }];
  const rows = groups.map(({ state, code, accounts, examples }) => {
    const shown = examples.map(({ account, places }) => {
      const where = places.map((place) => html` <code>${place}</code>`);
      return html`<li>${accountNumber(account)}${where}</li>`;
    });
    const sentence = sentences.get(code);
    const said = sentence === undefined ? '' : html`<br /><span class="meaning">${sentence}</span>`;
    const reason =
      code === '' ? state : html`${machineName(code)} <span class="faint">${state}</span>${said}`;
    return [
      reason,
      formatCount(accounts),
      html`<ul>
        ${shown}
      </ul>`,
    ];
  });
  return dataTable(caption, columns, rows);
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

/** An exact amount with thousands separators; it is no number of the language, which could not hold it. */
function separated(amount: string): string {
  const [whole = '', ...places] = amount.split('.');
  return [whole.replaceAll(/\B(?=(\d{3})+$)/g, ','), ...places].join('.');
}

export function moneySection(money: MoneyTotals): Html {
  const kinds = [...money.byKind(false)];
  const unknown = Math.max(money.unknown.acknowledged, money.unknown.unconfirmed);
  const columns = [
    { title: 'Kind' },
    { title: 'Acknowledged', isNumber: true },
    { title: 'Unconfirmed', isNumber: true },
  ];
  const rows = kinds.map(([kind, { acknowledged, unconfirmed }]) => [
    machineName(kind),
    separated(acknowledged),
    separated(unconfirmed),
  ]);
  return section('money', 'Money', [
    kinds.length === 0
      ? html`<p>No request contained an amount.</p>`
      : dataTable('Exact totals of what was sent', columns, rows),
    html`<p class="faint">
      Acknowledged: in requests that the platform accepted. Unconfirmed: in requests whose effect is not
      known. The interface has no way to read amounts back.
    </p>`,
    ...(unknown === 0
      ? []
      : [
          html`<p>
            The amounts of ${formatCount(unknown)} accounts are not known and are in no total: adopted, or
            sent by a version that did not record them.
          </p>`,
        ]),
  ]);
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
    { title: 'By' },
    ...['Took', 'Completed', 'Need attention', 'Requests', 'Pace', 'Retries'].map(number),
    { title: 'Ended' },
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
      journal knew at the run's end.
    </p>`,
  ]);
}

function runRow(run: RunEntry, timeZone: string, running: ReadonlySet<number>): readonly (string | number)[] {
  const { id, startedAt, dryRun, by, end } = run;
  const started = formatTime(startedAt, timeZone).slice(0, 16);
  const who = by === undefined ? '' : actorText(by);
  const outcome = `${dryRun ? 'dry run: ' : ''}${runOutcome(run, running)}`;
  if (end === undefined) return [id, started, who, '', '', '', '', '', '', outcome];
  const { completed, rejected, failed, uncertain } = end.accounts;
  const ms = end.endedAt - startedAt;
  return [
    id,
    started,
    who,
    formatDuration(ms),
    formatCount(completed),
    formatCount(rejected + failed + uncertain),
    formatCount(end.requests),
    ms > 0 ? formatRate((end.requests / ms) * 1000) : '',
    formatCount(end.retries),
    outcome,
  ];
}
