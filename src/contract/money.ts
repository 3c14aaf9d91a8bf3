import { parseDecimal } from '../domain/decimal.ts';
import { numberText, type JsonObject, type JsonValue } from '../domain/json.ts';
import { MoneySum, type Money } from '../domain/money.ts';
import type { StepName } from '../domain/steps.ts';
import { objects } from './rules/account-rules.ts';

/**
 * The exact totals of the amounts in a step's payload, by kind (sections 2.3, 2.6, 2.8 and 2.9). The account
 * payload's own money counts as that of process, which creates the account. undefined if an amount cannot be read.
 */
export function moneyIn(step: StepName, payload: JsonObject): Money | undefined {
  const reading = new Reading();
  switch (step) {
    case 'process':
      reading.amount('transfer_balance', payload['transfer_balance']);
      for (const [, ledger] of objects(payload['ledgers'])) {
        reading.amount('ledger_balance', ledger['ledger_balance']);
        reading.transactions(ledger['current_statement_transactions']);
        reading.transactions(ledger['historical_statement_transactions']);
      }
      break;
    case 'transactions':
      reading.transactions(payload['transactions']);
      break;
    case 'billing-documents':
      for (const [, document] of objects(payload['historical_billing_documents']))
        reading.transactions(document['transactions']);
      reading.transactions(payload['additional_historical_transactions']);
      break;
    case 'statements':
      for (const [, statement] of objects(payload['statements']))
        reading.amount('gross_amount', statement['gross_amount']);
      break;
    default:
  }
  return reading.isWhole ? reading.sum.totals : undefined;
}

class Reading {
  readonly sum = new MoneySum();
  isWhole = true;

  amount(kind: string, value: JsonValue | undefined): void {
    if (value === undefined) return;
    const amount = parseDecimal(numberText(value) ?? '');
    if (amount === undefined) this.isWhole = false;
    else this.sum.add(kind, amount);
  }

  transactions(list: JsonValue | undefined): void {
    for (const [, { type, amount }] of objects(list)) {
      if (typeof type === 'string') this.amount(type, amount);
      else this.isWhole = false;
    }
  }
}
