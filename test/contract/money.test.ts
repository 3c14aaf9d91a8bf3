import { expect, it } from 'vitest';
import { moneyIn } from '../../src/contract/money.ts';
import { parseJson, type JsonObject } from '../../src/domain/json.ts';
import type { StepName } from '../../src/domain/steps.ts';

function money(step: StepName, payload: JsonObject): Record<string, string> | undefined {
  const totals = moneyIn(step, payload);
  return totals && Object.fromEntries([...totals].map(([kind, sum]) => [kind, sum.toFixed()]));
}

const transaction = (type: string, amount: number | string) => ({ type, amount });

it('is found in every field of the account payload that holds an amount of the account', () => {
  const payload = {
    transfer_balance: '-20.10',
    ledgers: [
      {
        ledger_balance: -30.2,
        last_statement_balance: 7,
        current_statement_transactions: [transaction('CHARGE', 0.1), transaction('PAYMENT', '12')],
        historical_statement_transactions: [transaction('CHARGE', 0.2)],
      },
      { ledger_balance: '10.10' },
    ],
  };
  expect(money('process', payload)).toEqual({
    transfer_balance: '-20.1',
    ledger_balance: '-20.1',
    CHARGE: '0.3',
    PAYMENT: '12',
  });
  expect(money('validate', payload)).toEqual({});
  expect(money('stage', payload)).toEqual({});
});

it('is found in transactions, billing documents and statements', () => {
  const charges = [transaction('CHARGE', '1'), transaction('SUPPLY_CHARGE', '2.50')];
  expect(money('transactions', { transactions: charges })).toEqual({ CHARGE: '1', SUPPLY_CHARGE: '2.5' });
  const documents = [{ transactions: charges }, {}, { transactions: [transaction('CREDIT', 4)] }];
  expect(
    money('billing-documents', {
      historical_billing_documents: documents,
      additional_historical_transactions: [transaction('CREDIT', 0.4)],
    }),
  ).toEqual({ CHARGE: '1', SUPPLY_CHARGE: '2.5', CREDIT: '4.4' });
  const statements = [{ gross_amount: 8.25 }, {}, { gross_amount: '-0.25' }];
  expect(money('statements', { statements })).toEqual({ gross_amount: '8' });
});

it('keeps every digit of a number that a float cannot hold', () => {
  const payload = parseJson(
    '{"transactions":[{"type":"CHARGE","amount":1234567890.0123456789}]}',
  ) as JsonObject;
  expect(money('transactions', payload)).toEqual({ CHARGE: '1234567890.0123456789' });
});

it('is not known where an amount cannot be read: it is never counted as nothing', () => {
  expect(money('transactions', { transactions: [transaction('CHARGE', '1,50')] })).toBeUndefined();
  expect(money('process', { transfer_balance: null })).toBeUndefined();
  expect(money('transactions', { transactions: [{ amount: 5 }] })).toBeUndefined();
});
