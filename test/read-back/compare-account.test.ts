import { expect, it } from 'vitest';
import { parseDecimal } from '../../src/domain/decimal.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { ofEachStep } from '../../src/domain/steps.ts';
import { compareAccount } from '../../src/read-back/compare-account.ts';
import { expectedAccount } from '../../src/read-back/expected-account.ts';
import {
  absent,
  notReadable,
  present,
  type PlatformAccount,
  type ReadTransaction,
} from '../../src/read-back/platform-account.ts';

const money = (text: string) => present(parseDecimal(text) ?? expect.fail(text));

function transaction(date: string, amount: string, type: string): ReadTransaction {
  const none = notReadable('not_configured');
  return {
    ...{ id: none, reason: none, reference: none, note: none, document: absent },
    ...{ date: present(date), amount: money(amount), type: present(type) },
  };
}

const sent = (id: string, date: string, amount: string, type: string): JsonObject => ({
  transaction_id: id,
  transaction_date: date,
  amount,
  type,
});

const payload = { transfer_balance: '10.00', ledgers: [{ ledger_code: 'E', ledger_balance: 10 }] };
const extras = {
  ...{ notes: [], agreements: [], 'billing-documents': [], statements: [], 'payment-instruction': [] },
  transactions: [
    { transactions: [sent('1', '2024-05-01', '4.50', 'PAYMENT'), sent('2', '2024-05-02', '1.00', 'CHARGE')] },
  ],
};

/** The account as it should be held, with changes. */
function held(changes: Partial<PlatformAccount> = {}): PlatformAccount {
  const list = present([]);
  return {
    ...{ number: 'A-1', balance: money('13.50'), createdAt: present('2024-07-01T10:00:00Z') },
    ledgers: present([{ number: absent, code: present('E'), balance: money('13.50') }]),
    transactions: present([
      transaction('2024-05-01', '4.5', 'Payment'),
      transaction('2024-05-02', '-1', 'Charge'),
    ]),
    ...{ notes: list, bills: list, agreements: list, paymentInstructions: list, metadata: list },
    ...changes,
  };
}

function compared(account: PlatformAccount, datesMoved = false) {
  const steps = ofEachStep(() => 'done' as const);
  const found = compareAccount(expectedAccount({ payload, extras, steps, datesMoved }, 2), account);
  return {
    differences: found.differences.map(({ field, kind }) => `${field} ${kind}`),
    remarks: found.remarks.map(({ field, kind }) => `${field} ${kind}`),
    hidden: [...found.hidden.keys()],
  };
}

it('an account that holds what was sent has no difference', () => {
  expect(compared(held())).toEqual({ differences: [], remarks: [], hidden: [] });
});

it.each([
  ['an amount', ['4.51', 'Payment'], 'transactions.amount amount', '13.51'],
  ['a sign', ['-4.5', 'Charge'], 'transactions.amount sign', '4.50'],
  ['a type', ['4.5', 'Credit'], 'transactions.type type', '13.50'],
] as const)(
  '%s that differs is told once, and not again by the balances',
  (_what, [amount, type], told, balance) => {
    const account = held({
      balance: money(balance),
      ledgers: present([{ number: absent, code: present('E'), balance: money(balance) }]),
      transactions: present([
        transaction('2024-05-01', amount, type),
        transaction('2024-05-02', '-1', 'Charge'),
      ]),
    });
    expect(compared(account).differences).toEqual([told]);
  },
);

it('a moved date is a difference, unless the platform said that it moved some', () => {
  const transactions = present([
    transaction('2024-06-30', '4.5', 'Payment'),
    transaction('2024-05-02', '-1', 'Charge'),
  ]);
  expect(compared(held({ transactions })).differences).toEqual(['transactions.date moved_date']);
  expect(compared(held({ transactions }), true)).toMatchObject({
    differences: [],
    remarks: ['transactions.date moved_date'],
  });
});

it('a moved date is none that is missing and one that nobody sent where amounts are not readable', () => {
  const amount = notReadable('unexpected_form');
  const transactions = present([
    { ...transaction('2024-06-30', '4.5', 'Payment'), amount },
    { ...transaction('2024-05-02', '-1', 'Charge'), amount },
  ]);
  expect(compared(held({ transactions }), true)).toMatchObject({
    differences: [],
    remarks: ['transactions.date moved_date'],
    hidden: ['transactions.amount'],
  });
});

it('a payment since is told apart, and the balance may have it', () => {
  const transactions = present([
    transaction('2024-05-01', '4.5', 'Payment'),
    transaction('2024-05-02', '-1', 'Charge'),
    transaction('2024-07-09', '20', 'Payment'),
  ]);
  const balance = money('33.50');
  const ledgers = present([{ number: absent, code: present('E'), balance }]);
  expect(compared(held({ transactions, balance, ledgers }))).toEqual({
    differences: [],
    remarks: ['transactions since'],
    hidden: [],
  });
});

it('a payment since that the balance does not have yet is no difference of it', () => {
  const payments = ['2024-07-09', '2024-07-10'].map((date) => transaction(date, '20', 'Payment'));
  const account = (balance: string) =>
    held({
      transactions: present([
        ...payments,
        transaction('2024-05-01', '4.5', 'Payment'),
        transaction('2024-05-02', '-1', 'Charge'),
      ]),
      balance: money(balance),
      ledgers: present([{ number: absent, code: present('E'), balance: money(balance) }]),
    });
  const pending = ['balance pending', 'ledgers.balance pending'];
  for (const [balance, more] of [
    ['13.50', pending],
    ['33.50', pending],
    ['53.50', []],
  ] as const)
    expect([balance, compared(account(balance))]).toEqual([
      balance,
      { differences: [], remarks: ['transactions since', 'transactions since', ...more], hidden: [] },
    ]);
  expect(compared(account('23.50')).differences).toEqual(['balance amount', 'ledgers.balance amount']);
});

it('what cannot be read is neither equal nor a difference, and the balance cannot be judged by it', () => {
  const transactions = notReadable('KT-CT-4177');
  expect(compared(held({ transactions, balance: money('99') }))).toEqual({
    differences: [],
    remarks: [],
    hidden: ['transactions', 'balance'],
  });
});

it('a balance that nothing explains is a difference', () => {
  expect(compared(held({ balance: money('13.49') })).differences).toEqual(['balance amount']);
});

it('a transaction that is held twice, or not at all, is told as that', () => {
  const all = [transaction('2024-05-01', '4.5', 'Payment'), transaction('2024-05-02', '-1', 'Charge')];
  const of = (transactions: ReadTransaction[], balance: string) =>
    compared(
      held({
        transactions: present(transactions),
        balance: money(balance),
        ledgers: present([{ number: absent, code: present('E'), balance: money(balance) }]),
      }),
    ).differences;
  expect(of([...all, transaction('2024-05-01', '4.5', 'Payment')], '18.00')).toEqual([
    'transactions doubled',
  ]);
  expect(of(all.slice(1), '9.00')).toEqual(['transactions missing']);
});

it('a transaction that is held twice, and whose date the platform moved, is told as held twice', () => {
  const moved = transaction('2024-06-30', '4.5', 'Payment');
  const account = held({
    transactions: present([moved, moved, transaction('2024-05-02', '-1', 'Charge')]),
    balance: money('18.00'),
    ledgers: present([{ number: absent, code: present('E'), balance: money('18.00') }]),
  });
  expect(compared(account, true)).toMatchObject({
    differences: ['transactions doubled'],
    remarks: ['transactions.date moved_date', 'balance follows', 'ledgers.balance follows'],
  });
});
