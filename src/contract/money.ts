import { parseDecimal } from '../domain/decimal.ts';
import { numberText, type JsonObject, type JsonValue } from '../domain/json.ts';
import { inMinorUnits, MoneySum, type Money } from '../domain/money.ts';
import type { StepName } from '../domain/steps.ts';
import { forObjects } from './rules/account-rules.ts';
import type { TenancyContract } from './tenancy/tenancy-contract.ts';

/** Fields whose amounts are whole numbers of the currency's minor unit: `statements.gross_amount`. */
export type MinorUnits = ReadonlySet<string>;

/** Where a payload has the amounts of each field. */
const amountsAt = {
  'process.transfer_balance': 'transfer_balance',
  'process.ledger_balance': 'ledgers.0.ledger_balance',
  'process.amount': 'ledgers.0.current_statement_transactions.0.amount',
  'transactions.amount': 'transactions.0.amount',
  'billing-documents.amount': 'historical_billing_documents.0.transactions.0.amount',
  'statements.gross_amount': 'statements.0.gross_amount',
};

/** The amounts that a contract has as integers: published ones give those in the currency's lowest denomination. */
export function minorUnitsUnder(contract: Pick<TenancyContract, 'at'>): MinorUnits {
  const found = Object.entries(amountsAt).filter(([field, path]) => {
    const [step = ''] = field.split('.');
    const types = contract.at(step === 'process' ? 'stage' : (step as StepName), path)?.types;
    return types?.has('integer') === true && !types.has('number') && !types.has('string');
  });
  return new Set(found.map(([field]) => field));
}

/**
 * The exact totals of the amounts in a step's payload, by kind (sections 2.3, 2.6, 2.8 and 2.9). The account
 * payload's own money counts as that of process, which creates the account. Amounts in minor units are kinds of their
 * own. `minorUnits` is undefined without a contract. undefined if an amount cannot be read.
 */
export function moneyIn(step: StepName, payload: JsonObject, minorUnits?: MinorUnits): Money | undefined {
  const reading = new Reading(step, minorUnits);
  switch (step) {
    case 'process':
      reading.amount('transfer_balance', payload['transfer_balance']);
      forObjects(payload['ledgers'], (ledger) => {
        reading.amount('ledger_balance', ledger['ledger_balance']);
        reading.transactions(ledger['current_statement_transactions']);
        reading.transactions(ledger['historical_statement_transactions']);
      });
      break;
    case 'transactions':
      reading.transactions(payload['transactions']);
      break;
    case 'billing-documents':
      forObjects(payload['historical_billing_documents'], (document) => {
        reading.transactions(document['transactions']);
      });
      reading.transactions(payload['additional_historical_transactions']);
      break;
    case 'statements':
      forObjects(payload['statements'], (statement) => {
        reading.amount('gross_amount', statement['gross_amount']);
      });
      break;
    default:
  }
  return reading.isWhole ? reading.sum.totals : undefined;
}

class Reading {
  readonly #step: StepName;
  readonly #minorUnits: MinorUnits | undefined;
  readonly sum = new MoneySum();
  isWhole = true;

  constructor(step: StepName, minorUnits: MinorUnits | undefined) {
    this.#step = step;
    this.#minorUnits = minorUnits;
  }

  amount(kind: string, value: JsonValue | undefined, field = kind): void {
    if (value === undefined) return;
    // A contract may allow null, which is no amount.
    if (value === null && this.#minorUnits !== undefined) return;
    const amount = parseDecimal(numberText(value) ?? '');
    if (amount === undefined) this.isWhole = false;
    else
      this.sum.add(
        this.#minorUnits?.has(`${this.#step}.${field}`) === true ? inMinorUnits(kind) : kind,
        amount,
      );
  }

  transactions(list: JsonValue | undefined): void {
    forObjects(list, ({ type, amount }) => {
      if (typeof type === 'string') this.amount(type, amount, 'amount');
      else this.isWhole = false;
    });
  }
}
