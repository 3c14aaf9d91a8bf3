import { expect, it } from 'vitest';
import { parseDecimal } from '../../../src/domain/decimal.ts';
import { booksPage } from '../../../src/report/html-report/books-page.ts';
import { MoneyTotals } from '../../../src/report/reconciliation/money-totals.ts';
import type { LastReconciled } from '../../../src/report/reconciliation/last-reconciled.ts';
import type { ReportView } from '../../../src/report/html-report/sections.ts';
import { viewOf } from './report-view.ts';

function withMoney(supplier: string, acknowledged: string, reconciled?: LastReconciled): ReportView {
  const view = viewOf(supplier);
  if (view.survey === undefined) throw new Error('a view without a survey');
  const money = new MoneyTotals();
  money.add('acknowledged', new Map([['CHARGE', parseDecimal(acknowledged)!]]));
  return { ...view, survey: { ...view.survey, money }, currency: 'GBP', reconciled };
}

const compared = (
  supplier: string,
  source: string,
  missing: string,
  acknowledged: string,
): LastReconciled => ({
  ...{ platform: supplier, supplier, at: 0, export: '/srv/export', differences: 3 },
  money: { CHARGE: { source, acknowledged, unconfirmed: '0.00' } },
  missing: [{ state: 'rejected', who: 'data', accounts: 3, money: { CHARGE: missing } }],
});

/** The cells of the rows of charges, in the tables of a currency. */
function charges(page: string): string[][] {
  const [, currency = ''] = page.split(/Money in GBP[^<]*<\/h2>/);
  const [own = ''] = currency.split('class="book"');
  return [...own.matchAll(/data-key="CHARGE">([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<td[^>]*>([^<]*)</g)].map(([, cell = '']) => cell),
  );
}

it('tells what is missing of the suppliers that were compared, and names the others', () => {
  const page = booksPage([
    withMoney('A', '1200', compared('A', '1300.00', '100.00', '1200.00')),
    withMoney('B', '50'),
    withMoney('C', '2000', compared('C', '2005.00', '5.00', '2000.00')),
  ]);
  expect(charges(page)).toEqual([
    ['3,305.00', '3,200.00', '105.00', '0.00'],
    ['50.00', '0.00'],
  ]);
  expect(page).toContain(
    'All figures are as last reconciled: A 1970-01-01 01:00, C 1970-01-01 01:00 (Europe/London).',
  );
  expect(page).not.toContain('has changed since');
  expect(page.replaceAll(/\s+/g, ' ')).toContain('Not compared with its export: B.');
});

it('adds up the figures of one moment, and says whose journal has changed since', () => {
  const page = booksPage([
    withMoney('A', '1300', { ...compared('A', '1300.00', '1300.00', '0.00'), unread: 3 }),
    withMoney('C', '2000', compared('C', '2005.00', '5.00', '2000.00')),
  ]);
  expect(charges(page)).toEqual([['3,305.00', '2,000.00', '1,305.00', '0.00']]);
  expect(page).toContain('The journal has changed since, so they are not those of now: reconcile A again.');
  expect(page.split('class="book"')[0]).toContain('Amounts of 3 accounts of the export cannot be read');
  expect(page).toContain('Money in GBP, as last reconciled</h2>');
  expect(page).toContain('Missing, at least');
});

it('says nothing of suppliers that were not compared where all were', () => {
  const page = booksPage([withMoney('A', '1200', compared('A', '1300.00', '100.00', '1200.00'))]);
  expect(charges(page)).toEqual([['1,300.00', '1,200.00', '100.00', '0.00']]);
  expect(page).not.toContain('Not compared');
});

it('says that more steps are with their suppliers', () => {
  const page = booksPage([viewOf('A', { rejected: 1, failed: 1, pending: 2 }), viewOf('B')]);
  expect(page.replaceAll(/\s+/g, ' ')).toContain('1 more step is with the suppliers.');
});

it('has the causes of all suppliers together, and whether all can wait, at its top', () => {
  const page = booksPage([viewOf('A'), viewOf('B')]);
  const [top = ''] = page.split('class="book"');
  expect(top).toContain('It can wait until the working day.');
  const [, causes = ''] = top.split('What went wrong</h2>');
  for (const supplier of ['A', 'B']) expect(causes).toContain(`data-key="${supplier} rejected ${supplier}"`);
});

it('has the run of all suppliers, its stop and the runs left at its top', () => {
  const whole = (supplier: string): ReportView => {
    const view = viewOf(supplier, { completed: 3, pending: 9 });
    const [first] = view.runs;
    if (first?.end === undefined) throw new Error('a view without a run');
    const { supplier: _supplier, ...run } = first;
    const driven = { ...first.end.accounts, completed: 6 };
    const end = { ...first.end, reason: 'limit', detail: '12', driven };
    return { ...view, runs: [{ ...run, platformLabel: 'embedded', end }] };
  };
  const [top = ''] = booksPage([whole('A'), whole('B')])
    .replaceAll(/\s+/g, ' ')
    .split('What to do next');
  expect(top).toContain('Migration of 2 import suppliers to A and B');
  expect(top).toContain('the embedded platform (a rehearsal)');
  expect(top).toContain('Run 1 stopped early, as planned: the limit of 12 accounts is reached.');
  expect(top).toContain('At this pace, the 18 accounts to do take 3h more.');
});
