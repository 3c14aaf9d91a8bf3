import { uncountedOf, withTotal, zeroCounts, accountStates } from '../../domain/account-state.ts';
import { counted, formatCount, formatShare, formatTime } from '../format.ts';
import type { RunEntry } from '../../journal/journal.ts';
import { howStopped } from '../how-stopped.ts';
import { paceOfNights, type NightPace } from '../morning/pace-of-nights.ts';
import { nightsLeftText } from '../morning/morning-text.ts';
import { isRehearsal } from '../rehearsals.ts';
import { activeRun, runLine } from '../run-state.ts';
import { runLineOf } from './run-line.ts';
import { bookCounts } from '../partly-read.ts';
import { dataTable, html, nested, type Html, type Piece } from './markup.ts';
import { currencySections } from './currency-sections.ts';
import { causesTogether } from './failures-section.ts';
import { allOpenSteps, firstSteps } from './first-steps.ts';
import { stepsWaitText } from './headline-box.ts';
import { pageDocument } from './page-document.ts';
import { bookParts, isActive, readInTurn, reportFooter } from './report-page.ts';
import { toDoText } from '../to-do.ts';
import { section, type ReportView } from './sections.ts';

/** The report of all import suppliers of a journal: together, then each. */
export function booksPage(views: readonly ReportView[]): string {
  const [first] = views;
  if (first === undefined) throw new Error('a report of no supplier');
  const { at, timeZone, version } = first;
  const places = [...new Set(views.flatMap(({ platformLabel }) => platformLabel ?? []))].map(placeName);
  const where = places.length === 0 ? '' : ` to ${places.join(' and ')}`;
  const title = `Migration of ${formatCount(views.length)} import suppliers${where}`;
  const body = html`<header>
      <h1>${title}</h1>
      <p class="faint">
        State of the journal on ${formatTime(at, timeZone).slice(0, 16)} (${timeZone}). First all suppliers
        together, then each.${views.some(isActive) ? ` ${readInTurn}` : ''}
      </p>
    </header>
    <main>
      ${togetherSection(views)} ${firstSteps(views)} ${causesTogether(views, first.sentences)}
      ${suppliersSection(views)} ${currencySections(views, first.timeZone)} ${views.map(bookOf)}
    </main>
    ${reportFooter(version)}`;
  return pageDocument(title, body);
}

/** A platform in a title. */
function placeName(platformLabel: string): string {
  return platformLabel === 'embedded' ? 'the embedded platform (a rehearsal)' : platformLabel;
}

function bookOf(view: ReportView, at: number): Html {
  const { supplier = '', platformLabel = '' } = view;
  const id = `book-${at + 1}`;
  const where = placeName(platformLabel);
  return html`<section class="book" aria-labelledby="${id}">
    <h2 id="${id}">${supplier} on ${where}</h2>
    ${nested(bookParts(view), { suffix: String(at + 1), heading: id, about: supplier })}
  </section> `;
}

/** The sums over all of them. */
function sumsOf(views: readonly ReportView[]) {
  const accounts = zeroCounts();
  for (const { overview } of views)
    for (const state of accountStates) accounts[state] += overview?.accounts[state] ?? 0;
  const uncounted = uncountedOf(views.flatMap(({ overview }) => overview?.partlyRead ?? []));
  return { accounts, uncounted, total: withTotal(accounts).total + (uncounted ?? 0) };
}

function togetherSection(views: readonly ReportView[]): Html {
  const { accounts, uncounted, total } = sumsOf(views);
  const { completed, rejected, failed, uncertain, skipped } = accounts;
  const isDone = completed === total && uncounted === 0;
  const tone = isDone ? 'good' : rejected + failed + uncertain > 0 ? 'bad' : 'warn';
  const size = `${uncounted === null ? 'at least ' : ''}${counted(total, 'account')}`;
  const share = uncounted === null || total === 0 ? '' : ` (${formatShare(completed, total, 1)})`;
  const others = (
    [
      [rejected, 'rejected'],
      [failed, 'failed'],
      [uncertain, 'uncertain'],
      [skipped, 'skipped'],
      [uncounted ?? 0, 'not counted'],
    ] as const
  )
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${formatCount(count)} ${name}`);
  const rest = [...others, toDoText(accounts)].filter((text) => text !== '');
  const active = views.filter(({ runs, running }) => activeRun(runs, running) !== undefined);
  return html`<section class="headline ${tone}" aria-labelledby="headline">
    <h2 id="headline">
      ${isDone ? `Complete: all of ${size}` : `Not complete: ${formatCount(completed)} of ${size}${share}`}
    </h2>
    ${runsTogether(views)} ${active.length === 0 ? html`<p>${stepsWaitText(allOpenSteps(views))}</p>` : ''}
    ${rest.length === 0 ? '' : html`<p>The others: ${rest.join(', ')}.</p>`}
  </section> `;
}

/** More stops than these are told with their suppliers. */
const mostStops = 3;

/** What the last run of the suppliers does or how it ended, with the pace; where they have runs of their own, which are under way, and how the others stopped. */
function runsTogether(views: readonly ReportView[]): Html {
  const lasts = new Map<number, RunEntry>();
  for (const { runs, running } of views) {
    const last = activeRun(runs, running) ?? runs.find(({ dryRun }) => !dryRun);
    if (last !== undefined) lasts.set(last.id, last);
  }
  const [only, ...others] = [...lasts.values()].sort((one, other) => other.id - one.id);
  const [{ running, timeZone } = { running: new Set<number>(), timeZone: 'UTC' }] = views;
  if (only === undefined) return html`<p class="run">No run yet.</p>`;
  if (others.length === 0) {
    const lines = runLineOf({ runs: [only], running, timeZone }, nightsLeftText(paceTogether(views, only)));
    const stopped = running.has(only.id) ? '' : howStopped(only);
    return html`${lines}${stopped === '' ? '' : html`<p>${stopped}</p>`}`;
  }
  const active = views.filter((view) => activeRun(view.runs, view.running) !== undefined);
  const now =
    active.length === 0
      ? 'No run is under way.'
      : `Under way: ${active.map(({ supplier = '' }) => supplier).join(', ')}.`;
  const isRehearsed = [only, ...others].every(isRehearsal);
  const stops = [only, ...others]
    .filter(({ id }) => !running.has(id))
    .flatMap((run) => (howStopped(run) === '' ? [] : [howStopped(run)]));
  return html`<p class="run">${now}${isRehearsed ? ' All were rehearsals on the embedded platform.' : ''}</p>
    ${stops.slice(0, mostStops).map((text) => html`<p>${text}</p>`)}`;
}

/** The pace of runs that took all of the suppliers; undefined if the last one did not. */
function paceTogether(views: readonly ReportView[], last: RunEntry): NightPace | undefined {
  if (last.supplier !== undefined || views.some(({ runs }) => !runs.some(({ id }) => id === last.id)))
    return undefined;
  const runs = (views[0]?.runs ?? []).filter(({ supplier }) => supplier === undefined);
  const partlyRead = views.flatMap(({ overview }) => overview?.partlyRead ?? []);
  return paceOfNights(runs, { accounts: sumsOf(views).accounts, partlyRead });
}

function suppliersSection(views: readonly ReportView[]): Html {
  const number = (title: string) => ({ title, isNumber: true });
  const columns = [
    { title: 'Supplier' },
    ...['Accounts', 'Completed', 'Need attention', 'Skipped', 'Wait for a run'].map(number),
    { title: 'Run' },
  ];
  const figures = (accounts: ReturnType<typeof zeroCounts>, total: number, isMore: boolean): string[] => {
    const { completed, rejected, failed, uncertain, skipped } = accounts;
    const trouble = rejected + failed + uncertain;
    const left = total - completed - trouble - skipped;
    return [
      `${formatCount(total)}${isMore ? '+' : ''}`,
      ...[completed, trouble, skipped, left].map(formatCount),
    ];
  };
  const rows = views.map((view): Piece[] => {
    const { supplier = '', overview, runs, running, timeZone } = view;
    const accounts = overview?.accounts ?? zeroCounts();
    const book = overview === undefined ? undefined : bookCounts(overview);
    return [
      supplier,
      ...figures(accounts, book?.total ?? 0, book?.uncounted === null),
      runLine({ runs, running, timeZone }),
    ];
  });
  const { accounts, uncounted, total } = sumsOf(views);
  return section('suppliers', 'Suppliers', [
    dataTable('Suppliers, and all together', columns, [
      ...rows,
      ['all together', ...figures(accounts, total, uncounted === null), ''],
    ]),
    html`<p class="faint">
      Need attention: rejected, failed or uncertain. Wait for a run: pending, staged, scheduled or imported,
      or not counted yet.
    </p>`,
  ]);
}
