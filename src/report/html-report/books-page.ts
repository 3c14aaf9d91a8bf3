import { uncountedOf, withTotal, zeroCounts, accountStates } from '../../domain/account-state.ts';
import { leftOfBook } from '../advice/of-book.ts';
import { nextSteps, openSteps } from '../advice/remedies.ts';
import { counted, formatCount, formatTime } from '../format.ts';
import { currencyTotals, type CurrencyTotals } from '../reconciliation/currency-totals.ts';
import { kindName, separated } from '../reconciliation/amounts.ts';
import { activeRun, runLine } from '../run-state.ts';
import { bookCounts } from '../partly-read.ts';
import { dataTable, html, nested, type Html, type Piece } from './markup.ts';
import { nextStepsList } from './next-steps.ts';
import { pageDocument } from './page-document.ts';
import { bookParts, reportFooter } from './report-page.ts';
import { machineName, section, type ReportView } from './sections.ts';

/** The report of all import suppliers of a journal: together, then each. */
export function booksPage(views: readonly ReportView[]): string {
  const [first] = views;
  if (first === undefined) throw new Error('a report of no supplier');
  const { at, timeZone, version } = first;
  const title = `Migration of ${formatCount(views.length)} import suppliers`;
  const body = html`<header>
      <h1>${title}</h1>
      <p class="faint">
        State of the journal on ${formatTime(at, timeZone).slice(0, 16)} (${timeZone}). First all suppliers
        together, then each.
      </p>
    </header>
    <main>
      ${togetherSection(views)} ${firstSteps(views)} ${suppliersSection(views)} ${currencySections(views)}
      ${views.map(bookOf)}
    </main>
    ${reportFooter(version)}`;
  return pageDocument(title, body);
}

function bookOf(view: ReportView, at: number): Html {
  const { supplier = '', platformLabel = '' } = view;
  const id = `book-${at + 1}`;
  const where = platformLabel === 'embedded' ? 'the embedded platform (a rehearsal)' : platformLabel;
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
  const share = uncounted === null || total === 0 ? '' : ` (${Math.floor((completed / total) * 1000) / 10}%)`;
  const others = (
    [
      [rejected, 'rejected'],
      [failed, 'failed'],
      [uncertain, 'uncertain'],
      [skipped, 'skipped'],
      [total - completed - rejected - failed - uncertain - skipped, 'not finished'],
    ] as const
  ).filter(([count]) => count > 0);
  const active = views.filter(({ runs, running }) => activeRun(runs, running) !== undefined);
  const running =
    active.length === 0
      ? 'No run is under way.'
      : `Under way: ${active.map(({ supplier = '' }) => supplier).join(', ')}.`;
  return html`<section class="headline ${tone}" aria-labelledby="headline">
    <h2 id="headline">
      ${isDone ? `Complete: all of ${size}` : `Not complete: ${formatCount(completed)} of ${size}${share}`}
    </h2>
    <p class="run">${running}</p>
    ${
      others.length === 0
        ? ''
        : html`<p>
            The others: ${others.map(([count, name]) => `${formatCount(count)} ${name}`).join(', ')}.
          </p>`
    }
  </section> `;
}

/** What comes first for each supplier, and for whom else there is something to do. */
function firstSteps(views: readonly ReportView[]): Html {
  const steps = views.flatMap((view) => {
    const { supplier = 'CODE', flags, survey, ...seen } = view;
    const left = leftOfBook({ ...seen, place: { supplier, flags }, survey });
    const open = openSteps(left);
    const all = open.length > 0 ? open : nextSteps(left).slice(0, 1);
    const firsts = all.filter(({ who }, at) => all.findIndex((one) => one.who === who) === at);
    return firsts.map((step) => ({
      ...step,
      sentence: `${supplier}: ${step.sentence}`,
      commands: step.commands.slice(0, 1),
    }));
  });
  return section('next', 'What to do next', nextStepsList(steps));
}

function suppliersSection(views: readonly ReportView[]): Html {
  const number = (title: string) => ({ title, isNumber: true });
  const columns = [
    { title: 'Supplier' },
    ...['Accounts', 'Completed', 'Need attention', 'Not finished'].map(number),
    { title: 'Run' },
  ];
  const figures = (accounts: ReturnType<typeof zeroCounts>, total: number, isMore: boolean): string[] => {
    const { completed, rejected, failed, uncertain, skipped } = accounts;
    const trouble = rejected + failed + uncertain;
    const left = total - completed - trouble - skipped;
    return [`${formatCount(total)}${isMore ? '+' : ''}`, ...[completed, trouble, left].map(formatCount)];
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
    html`<p class="faint">Need attention: rejected, failed or uncertain.</p>`,
  ]);
}

/** Amounts of one currency are added up over its suppliers, and never over currencies. */
function currencySections(views: readonly ReportView[]): readonly Html[] {
  return currencyTotals(views).map((totals, at) => {
    const { currency, suppliers } = totals;
    const title = currency === undefined ? 'Money of suppliers without a currency' : `Money in ${currency}`;
    return section(`currency-${at + 1}`, title, [
      html`<p>${suppliers.join(', ')}. ${comparedText(totals)}</p>`,
      currencyTable(totals, title),
    ]);
  });
}

function comparedText({ notCompared }: CurrencyTotals): string {
  return notCompared.length === 0
    ? 'Export and missing are as last reconciled.'
    : `Not reconciled with their exports: ${notCompared.join(', ')}. What is missing is not known.`;
}

function currencyTable({ kinds, notCompared }: CurrencyTotals, title: string): Html {
  if (kinds.length === 0) return html`<p>No request contained an amount.</p>`;
  const isCompared = notCompared.length === 0;
  const titles = ['Export', 'Acknowledged', 'Missing', 'Unconfirmed'];
  const shown = isCompared ? titles : ['Acknowledged', 'Unconfirmed'];
  const rows = kinds.map(({ kind, source, acknowledged, missing, unconfirmed }): Piece[] => {
    const plain = kindName(kind);
    return [
      plain === undefined
        ? machineName(kind)
        : html`${plain} <span class="faint">${machineName(kind)}</span>`,
      ...(isCompared ? [source, acknowledged, missing, unconfirmed] : [acknowledged, unconfirmed]).map(
        separated,
      ),
    ];
  });
  return dataTable(
    `${title}, exact totals by kind`,
    [{ title: 'Kind' }, ...shown.map((name) => ({ title: name, isNumber: true }))],
    rows,
  );
}
