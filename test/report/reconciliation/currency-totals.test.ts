import { describe, expect, it } from 'vitest';
import { parseDecimal, zero } from '../../../src/domain/decimal.ts';
import type { Money } from '../../../src/domain/money.ts';
import { currencyTotals, type SupplierMoney } from '../../../src/report/reconciliation/currency-totals.ts';
import type { LastReconciled } from '../../../src/report/reconciliation/last-reconciled.ts';
import { MissingTotals, type MissingMoney } from '../../../src/report/reconciliation/missing-money.ts';
import { MoneyTotals } from '../../../src/report/reconciliation/money-totals.ts';
import type { AccountEntry } from '../../../src/journal/journal.ts';

const money = (amounts: Readonly<Record<string, string>>): Money =>
  new Map(Object.entries(amounts).map(([kind, amount]) => [kind, parseDecimal(amount) ?? zero]));

/** What the journal has of a supplier now. */
function surveyed(acknowledged: string, unconfirmed = '0') {
  const totals = new MoneyTotals();
  totals.add('acknowledged', money({ CHARGE: acknowledged }));
  totals.add('unconfirmed', money({ CHARGE: unconfirmed }));
  return { money: totals };
}

const lacking = (amount: string): MissingMoney => ({
  ...{ state: 'rejected', who: 'data', accounts: 1 },
  money: { CHARGE: amount },
});

function reconciled(supplier: string, more: Partial<LastReconciled> = {}): LastReconciled {
  return {
    ...{ platform: 'https://platform.example', supplier, at: 7, export: '/export', differences: 0 },
    money: { CHARGE: { source: '12.30', acknowledged: '10.00', unconfirmed: '1.00' } },
    missing: [lacking('1.30')],
    ...more,
  };
}

const kind = (kind: string, source: string, acknowledged: string, missing: string, unconfirmed: string) => ({
  ...{ kind, source, acknowledged, missing, unconfirmed },
});

describe('the amounts of suppliers of one currency', () => {
  it('are added up exactly, as they were last compared', () => {
    const suppliers: SupplierMoney[] = [
      { supplier: 'S', currency: 'GBP', reconciled: reconciled('S'), survey: surveyed('10', '1') },
      {
        ...{ supplier: 'T', currency: 'GBP' },
        reconciled: reconciled('T', {
          ...{ at: 8, unread: 2, missing: [lacking('0.10'), lacking('0.20')] },
          money: {
            CHARGE: { source: '0.30', acknowledged: '0.10', unconfirmed: '0.20' },
            gross_amount_minor_units: { source: '5', acknowledged: '5', unconfirmed: '0' },
          },
        }),
      },
    ];
    expect(currencyTotals(suppliers)).toEqual([
      {
        currency: 'GBP',
        compared: {
          ...{ suppliers: ['S', 'T'], outdated: [], unread: 2 },
          at: [
            { supplier: 'S', at: 7 },
            { supplier: 'T', at: 8 },
          ],
          kinds: [
            kind('CHARGE', '12.60', '10.10', '1.60', '1.20'),
            kind('gross_amount_minor_units', '5', '5', '0', '0'),
          ],
        },
        notCompared: undefined,
      },
    ]);
  });

  it('are never added to those of another currency, or of none', () => {
    const of = (currency?: string): SupplierMoney => ({ supplier: 'S', currency, survey: surveyed('1') });
    const totals = currencyTotals([of('GBP'), of(), of('EUR'), of('GBP')]);
    expect(
      totals.map(({ currency, notCompared }) => [currency, notCompared?.kinds[0]?.acknowledged]),
    ).toEqual([
      ['GBP', '2.00'],
      [undefined, '1.00'],
      ['EUR', '1.00'],
    ]);
  });

  it('are those of the journal, apart, where no export was compared', () => {
    const suppliers: SupplierMoney[] = [
      { supplier: 'S', survey: surveyed('10', '1'), reconciled: reconciled('S', { export: null }) },
      { survey: surveyed('2') },
      { supplier: 'U', reconciled: reconciled('U') },
      { supplier: 'V' },
    ];
    const [{ compared, notCompared } = {}] = currencyTotals(suppliers);
    expect(compared?.suppliers).toEqual(['U']);
    expect(notCompared).toMatchObject({
      ...{ suppliers: ['S', '', 'V'], at: [], outdated: [], unread: 0 },
      kinds: [{ kind: 'CHARGE', acknowledged: '12.00', unconfirmed: '1.00' }],
    });
  });

  it('of a kind that is new since a comparison without an export are there too', () => {
    const survey = { money: new MoneyTotals() };
    survey.money.add('acknowledged', money({ PAYMENT: '-3' }));
    const [{ notCompared } = {}] = currencyTotals([
      { survey, reconciled: reconciled('S', { export: null }) },
    ]);
    expect(notCompared?.kinds).toEqual([kind('PAYMENT', '0.00', '-3.00', '0.00', '0.00')]);
  });

  it.each([
    ['were answered since', surveyed('10.01', '1'), ['S']],
    ['are uncertain since', surveyed('10', '2'), ['S']],
    ['are as they were', surveyed('10', '1'), []],
    ['are not known now', undefined, []],
  ])('are called outdated only where requests %s', (_what, survey, outdated) => {
    const [{ compared } = {}] = currencyTotals([{ supplier: 'S', survey, reconciled: reconciled('S') }]);
    expect(compared?.outdated).toEqual(outdated);
  });

  it('of a supplier without a name are outdated too, and have their time', () => {
    const [{ compared } = {}] = currencyTotals([{ survey: surveyed('9'), reconciled: reconciled('') }]);
    expect(compared).toMatchObject({ suppliers: [''], at: [{ supplier: '', at: 7 }], outdated: [''] });
  });
});

describe('what is missing on the platform', () => {
  const entry = (state: AccountEntry['state'], code = '') => ({ state, code }) as AccountEntry;

  it('is told by state and by whom it waits for, the most accounts first', () => {
    const totals = new MissingTotals();
    const ten = money({ CHARGE: '10', PAYMENT: '1' });
    totals.add(entry('failed', 'lost_answer'), ten, money({}));
    totals.add(entry('rejected', 'required'), ten, money({ CHARGE: '0.5', PAYMENT: '1' }));
    totals.add(undefined, ten, money({ CHARGE: '10' }));
    totals.add(entry('rejected', 'blank'), ten, money({ PAYMENT: '1' }));
    totals.add(undefined, ten, money({}));
    totals.add(undefined, ten, money({}));
    totals.add(entry('pending'), ten, money({ CHARGE: '9', PAYMENT: '1' }));
    expect(totals.groups).toEqual([
      { state: null, who: 'us', accounts: 3, money: { CHARGE: '20.00', PAYMENT: '3.00' } },
      { state: 'rejected', who: 'data', accounts: 2, money: { CHARGE: '19.50' } },
      { state: 'failed', who: 'us', accounts: 1, money: { CHARGE: '10.00', PAYMENT: '1.00' } },
      { state: 'pending', who: 'us', accounts: 1, money: { CHARGE: '1.00' } },
    ]);
  });

  it('is nothing where all of it is there, or where one side is not known', () => {
    const totals = new MissingTotals();
    const ten = money({ CHARGE: '10' });
    totals.add(entry('completed'), ten, ten);
    totals.add(entry('pending'), undefined, ten);
    totals.add(entry('pending'), ten, undefined);
    expect(totals.groups).toEqual([]);
  });

  it('waits for whom the code of a failure names, and otherwise for us', () => {
    const totals = new MissingTotals();
    for (const state of ['rejected', 'failed', 'uncertain'] as const)
      totals.add(entry(state, 'throttled'), money({ CHARGE: '1' }), money({}));
    expect(totals.groups.map(({ state, who }) => [state, who])).toEqual([
      ['rejected', 'platform'],
      ['failed', 'platform'],
      ['uncertain', 'us'],
    ]);
  });
});
