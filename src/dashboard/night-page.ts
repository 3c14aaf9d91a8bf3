import { withTotal } from '../domain/account-state.ts';
import type { RunEntry } from '../journal/journal.ts';
import { isRunOf } from '../domain/run-of.ts';
import { emptyJournalText, type EmptyJournal } from '../report/empty-journal.ts';
import { counted, formatCount, formatDuration, formatRate, formatTime, isoTime } from '../report/format.ts';
import { timeChart } from '../report/html-report/charts.ts';
import { causesTogether } from '../report/html-report/failures-section.ts';
import { firstSteps } from '../report/html-report/first-steps.ts';
import { dataTable, html, type Html } from '../report/html-report/markup.ts';
import { nightsSection } from '../report/html-report/nights-section.ts';
import { paceOfNights } from '../report/morning/pace-of-nights.ts';
import { rateText, requestsChart } from '../report/html-report/requests-chart.ts';
import { runMoments } from '../report/html-report/run-moments.ts';
import { statePill } from '../report/html-report/state-pill.ts';
import { pageDocument } from '../report/html-report/page-document.ts';
import {
  accountNumber,
  accountsSection,
  machineName,
  runsSection,
  section,
  stepsSection,
} from '../report/html-report/sections.ts';
import type { Timeline } from '../report/html-report/timeline.ts';
import { flagsOfBook, leftOfBook } from '../report/advice/of-book.ts';
import { directoryOf } from '../report/advice/run-directory.ts';
import { openSteps, type NextStep } from '../report/advice/remedies.ts';
import { headlineBox } from '../report/html-report/headline-box.ts';
import { headlineOf } from '../report/html-report/headline.ts';
import { isFirstNightOf } from '../report/morning/changed-platform.ts';
import { nextStepsList } from '../report/html-report/next-steps.ts';
import type { SupplierStatus } from '../report/status-table.ts';
import { countedSections, moneyTogether } from './counted-sections.ts';
import { pageScript } from './page-script.ts';
import type { FailedAccount, Night, SupplierChoice, WatchedSupplier } from './night.ts';

/** A part of the page that is replaced when its content changes. */
export interface Box {
  /** Unique in the page. */
  readonly id: string;
  readonly content: Html;
}

/** What happened to a supplier's accounts. */
export interface SeenCourse {
  readonly timeline: Timeline;
  /** When it was first seen, in ms since the epoch. */
  readonly from: number;
}

export interface NightView {
  readonly night: Night;
  /** The time of the look, in ms since the epoch; absent before the first one. */
  readonly at?: number | undefined;
  /** Times are shown in this zone (IANA name). */
  readonly timeZone: string;
  /** The supplier that is shown; absent: the only one, or a table of all. */
  readonly choice?: SupplierChoice | undefined;
  /** What happened to a supplier since the dashboard first saw it. */
  readonly courseOf: (supplier: SupplierStatus) => SeenCourse;
  /** Why the latest look failed; what is shown is of the one before. */
  readonly failure?: string | undefined;
}

/** The boxes of the page, in their order. */
export function nightBoxes(view: NightView): readonly Box[] {
  const { night, at, timeZone, failure } = view;
  const { suppliers, runs, running, empty } = night;
  const chosen = chosenAmong(view);
  const problems = failure === undefined ? night.warnings : [failure, ...night.warnings];
  const one = chosen === undefined ? [] : supplierBoxes(view, chosen);
  const read =
    at === undefined
      ? html`The journal was not read yet.`
      : html`State of the journal on
          <time datetime="${isoTime(at)}" data-clock="${formatTime(at, timeZone).slice(11)}"
            >${formatTime(at, timeZone)}</time
          >
          (${timeZone})`;
  const heading = [
    { id: 'box-time', content: read },
    { id: 'box-problems', content: html`${problems.map((text) => html`<p role="alert">${text}</p>`)}` },
  ];
  if (at === undefined) return heading;
  return [
    ...heading,
    ...(suppliers.length > 1 || chosen === undefined
      ? [{ id: 'box-suppliers', content: suppliersSection(suppliers, empty) }]
      : []),
    ...(suppliers.length > 1 && chosen === undefined ? togetherBoxes(view) : []),
    ...one,
    {
      id: 'box-runs',
      content: runsSection({
        runs: runs.filter((run) => chosen === undefined || isRunOf(run, chosen.status)),
        running,
        hasOlderRuns: false,
        flags: '',
        timeZone,
      }),
    },
  ];
}

/** The whole page, with its boxes as they are now; its script replaces them from then on. */
export function nightPage(view: NightView, version: string): string {
  const chosen = chosenAmong(view);
  const title = chosen === undefined ? 'Migration' : `Migration of ${chosen.status.supplier}`;
  const [time, ...boxes] = nightBoxes(view).map(
    ({ id, content }) => html`<div id="${id}" class="box">${content}</div>`,
  );
  const body = html`<header>
      <h1>${title}</h1>
      <div class="faint">${time ?? ''}</div>
      <p id="connection" class="faint" role="status">Reload the page for newer figures.</p>
      ${accountForm()}
    </header>
    <main>
      <section id="no-data" class="headline bad" role="alert" hidden>
        <h2></h2>
        <p>
          What is below is of that time. The run may still work: <code>migrate status</code> reads the
          journal.
        </p>
      </section>
      ${boxes}
    </main>
    <footer>
      <p>
        migrate ${version}. Read from the journal; nothing can be changed here. The page has account numbers,
        places in files, who started the runs, and sums of amounts: no customer names, no values of an
        account.
      </p>
    </footer>`;
  return pageDocument(title, body, { script: pageScript, sendsForms: true });
}

/** Finds an account by its number. */
export function accountForm(): Html {
  return html`<form action="account" method="get">
    <label for="account">Account number</label>
    <input id="account" name="account" required autocomplete="off" spellcheck="false" />
    <button>Show</button>
  </form>`;
}

function chosenAmong({ night: { suppliers }, choice }: NightView): WatchedSupplier | undefined {
  if (choice === undefined) return suppliers.length === 1 ? suppliers[0] : undefined;
  return suppliers.find(
    ({ status }) => status.supplier === choice.supplier && status.platform === choice.platform,
  );
}

/** One row for each supplier. */
function suppliersSection(suppliers: readonly WatchedSupplier[], empty: EmptyJournal = 'new'): Html {
  if (suppliers.length === 0)
    return section('suppliers', 'Suppliers', html`<p>${emptyJournalText(empty)}</p>`);
  const number = (title: string) => ({ title, isNumber: true });
  const columns = [
    { title: 'Supplier' },
    { title: 'Platform' },
    ...['Accounts', 'Completed', 'Need attention', 'Accounts a second', 'Left'].map(number),
  ];
  const rows = suppliers.map(({ status }) => {
    const { platform, platformLabel, supplier, accounts, partlyRead, watched } = status;
    const query = new URLSearchParams({ supplier, platform }).toString();
    const total = `${formatCount(withTotal(accounts).total)}${partlyRead.length === 0 ? '' : '+'}`;
    return [
      html`<a href="?${query}">${supplier}</a>`,
      platformLabel,
      total,
      formatCount(accounts.completed),
      formatCount(accounts.rejected + accounts.failed + accounts.uncertain),
      watched === undefined ? '' : formatRate(watched.perSecond),
      timeLeft(status) ?? '',
    ];
  });
  return section('suppliers', 'Suppliers', [
    dataTable(
      'Suppliers in the journal',
      columns,
      rows,
      suppliers.map(({ status: { supplier, platform } }) => `${platform} ${supplier}`),
    ),
    html`<p class="faint">
      Need attention: rejected, failed or uncertain. +: at least this many accounts; no run has read the
      export to its end. Left: at the rate of the last minute.
    </p>`,
  ]);
}

/** What all suppliers have to do, and their money: together, then each. */
function togetherBoxes({ night, timeZone }: NightView): readonly Box[] {
  const { suppliers, running, given = {} } = night;
  const ofOne = (status: SupplierStatus) => night.runs.filter((run) => isRunOf(run, status));
  const seen = suppliers.map(({ status, counted }) => ({
    ...{ supplier: status.supplier, overview: status, running, timeZone },
    ...{ runs: ofOne(status), flags: flagsOfBook(given, ofOne(status)) },
    isFirstThere: isFirstNightOf(status, night.runs),
    survey: counted?.survey,
  }));
  return [
    { id: 'box-next', content: firstSteps(seen) },
    { id: 'box-causes', content: causesTogether(seen, night.sentences) },
    { id: 'box-money', content: moneyTogether(suppliers, timeZone) },
  ];
}

function supplierBoxes(
  { night, at = 0, courseOf, timeZone }: NightView,
  watched: WatchedSupplier,
): readonly Box[] {
  const { status, failures, counted } = watched;
  const { running } = night;
  const runs = night.runs.filter((run) => isRunOf(run, status));
  const warned = counted?.isCurrent === true ? counted.survey.warned : undefined;
  const { causes, money } = countedSections(night, watched, runs, timeZone);
  const nights = nightsSection(
    { runs, running, timeZone },
    paceOfNights(runs, status, night.suppliers.length > 1),
  );
  const steps = stepsOf(watched, runs, night, timeZone);
  const box = headlineBox(headlineOf(status, runs, 'new', warned), {
    ...{ runs, running, timeZone, steps },
    ...foreseen(status, at, timeZone),
  });
  return [
    { id: 'box-headline', content: box },
    { id: 'box-next', content: nextSection(steps, runs) },
    { id: 'box-causes', content: causes },
    { id: 'box-pace', content: paceSection(status, runs) },
    { id: 'box-nights', content: nights },
    { id: 'box-accounts', content: accountsSection(status) },
    { id: 'box-money', content: money },
    { id: 'box-steps', content: stepsSection(status, undefined, status.notOffered ?? []) },
    { id: 'box-failures', content: failuresSection(status, failures) },
    {
      id: 'box-chart',
      content: chartSection(courseOf(status), at, { runs, running, timeZone }),
    },
  ];
}

/** What is to be mended, in the words of the report. */
function stepsOf(
  { status, counted }: WatchedSupplier,
  runs: readonly RunEntry[],
  { runs: all, running, given = {} }: Night,
  timeZone: string,
): readonly NextStep[] {
  const place = { supplier: status.supplier, flags: flagsOfBook(given, runs) };
  const isFirstThere = isFirstNightOf(status, all);
  const seen = { overview: status, runs, running, isFirstThere, survey: counted?.survey };
  return openSteps(leftOfBook({ place, ...seen, timeZone }));
}

function nextSection(steps: readonly NextStep[], runs: readonly RunEntry[]): Html {
  if (steps.length === 0) return html``;
  return section('next', 'What to do next', nextStepsList(steps, [directoryOf(runs)]));
}

/** When the accounts that are left end, at the rate of the last minute. */
function foreseen({ watched }: SupplierStatus, at: number, timeZone: string): { readonly end?: string } {
  if (watched === undefined || watched.perSecond <= 0 || watched.rest === 0) return {};
  return { end: formatTime(at + (watched.rest / watched.perSecond) * 1000, timeZone).slice(0, 16) };
}

/** How fast it goes, for how long still, and what limits it. */
function paceSection(status: SupplierStatus, [newest]: readonly RunEntry[]): Html {
  const { watched } = status;
  if (watched === undefined) return html``;
  const { perSecond, averagePerSecond, rest, flow } = watched;
  const left = timeLeft(status);
  const rows = [
    ['Rate', `${formatRate(perSecond)} over the last minute`],
    ['Average', `${formatRate(averagePerSecond)} since this page was started`],
    ['To do', counted(rest, 'account')],
    [
      'Time left',
      left === undefined ? 'not known: no account ended in the last minute' : `${left} at this rate`,
    ],
    ['Limited by', flow ?? 'no run is active'],
    ...(newest?.found?.perSecond === undefined
      ? []
      : [['The platform takes', `about ${rateText(newest.found.perSecond)}`]]),
  ];
  return section(
    'pace',
    'Pace',
    dataTable(
      'Rate, time left and limit',
      [{ title: 'Figure' }, { title: 'Now' }],
      rows,
      rows.map(([figure = '']) => figure),
    ),
  );
}

function timeLeft({ watched }: SupplierStatus): string | undefined {
  if (watched === undefined) return undefined;
  const { perSecond, rest } = watched;
  if (rest === 0) return 'none';
  return perSecond > 0 ? formatDuration((rest / perSecond) * 1000) : undefined;
}

function failuresSection(status: SupplierStatus, failures: readonly FailedAccount[]): Html {
  const { supplier, platform } = status;
  if (failures.length === 0)
    return section('latest', 'Latest failures', html`<p>No account is rejected, failed or uncertain.</p>`);
  const rows = failures.map(({ account, state, code, places }) => {
    const query = new URLSearchParams({ account, supplier, platform }).toString();
    return [
      html`<a href="account?${query}">${accountNumber(account)}</a>`,
      statePill(state),
      code === '' ? '' : machineName(code),
      places.map((place) => html`<code>${place}</code> `),
    ];
  });
  const columns = ['Account', 'State', 'Reason', 'Cells'].map((title) => ({ title }));
  return section(
    'latest',
    'Latest failures',
    dataTable(
      'Latest failures, newest first',
      columns,
      rows,
      failures.map(({ account }) => account),
    ),
  );
}

/** The axis ends at the latest look, so that a standstill shows; its unit is that of the rate. */
function chartSection(
  { timeline, from }: SeenCourse,
  until: number,
  { runs, running, timeZone }: Pick<Night, 'runs' | 'running'> & Pick<NightView, 'timeZone'>,
): Html {
  const { stretches, widthMs } = timeline;
  if (until <= from)
    return section('time', 'Since this page was started', html`<p>The first figures come in 2 seconds.</p>`);
  const each = formatDuration(widthMs);
  const span = { from, until, widthMs };
  return section('time', 'Since this page was started', [
    timeChart({
      title: `Accounts that ended, a second (bars of ${each})`,
      description: `Stacked bars: how many accounts a second were completed, and how many were rejected, failed, uncertain or skipped, in bars of ${each}, until the latest look at the journal. The table below has the counts.`,
      series: [
        { mark: 'completed', name: 'completed', fill: 'completed' },
        { mark: 'failed', name: 'rejected, failed, uncertain or skipped', fill: 'rejected' },
      ],
      stretches,
      span,
      moments: runMoments(runs, running),
      timeZone,
    }),
    requestsChart(timeline, runs, timeZone, span),
  ]);
}
