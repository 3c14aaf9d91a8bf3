import { parseDecimal } from '../domain/decimal.ts';
import { numberText, type JsonObject, type JsonValue } from '../domain/json.ts';
import { inMinorUnits, MoneySum, type Money } from '../domain/money.ts';
import { extraStepNames, isExtraStep, type StepName } from '../domain/steps.ts';
import { extraStepContract, type AmountReader } from './extra-steps.ts';
import { forObjects } from './rules/account-rules.ts';
import type { TenancyContract } from './tenancy/contract.ts';

/** Fields whose amounts are whole numbers of the currency's minor unit: `statements.gross_amount`. */
export type MinorUnits = ReadonlySet<string>;

/** Where the account's payload, which process creates the account from, has amounts. */
const amountsOfAccount = {
  transfer_balance: 'transfer_balance',
  ledger_balance: 'ledgers.0.ledger_balance',
  amount: 'ledgers.0.current_statement_transactions.0.amount',
};

/** The amounts that a contract has as integers: published ones give those in the currency's lowest denomination. */
export function minorUnitsUnder(contract: Pick<TenancyContract, 'at'>): MinorUnits {
  const found = (step: StepName, amounts: Readonly<Record<string, string>>, of = step): string[] =>
    Object.entries(amounts).flatMap(([field, path]) => {
      const types = contract.at(of, path)?.types;
      const isWhole = types?.has('integer') === true && !types.has('number') && !types.has('string');
      return isWhole ? [`${step}.${field}`] : [];
    });
  return new Set([
    ...found('process', amountsOfAccount, 'stage'),
    ...extraStepNames.flatMap((step) => found(step, extraStepContract(step).amounts ?? {})),
  ]);
}

/**
 * The exact totals of the amounts in a step's payload, by kind (sections 2.3, 2.6, 2.8 and 2.9). The account
 * payload's own money counts as that of process, which creates the account. Amounts in minor units are kinds of their
 * own. `minorUnits` is undefined without a contract. undefined if an amount cannot be read.
 */
export function moneyIn(step: StepName, payload: JsonObject, minorUnits?: MinorUnits): Money | undefined {
  const reading = new Reading(step, minorUnits);
  if (isExtraStep(step)) extraStepContract(step).readAmounts?.(payload, reading);
  else if (step === 'process') readAccount(payload, reading);
  return reading.isWhole ? reading.sum.totals : undefined;
}

function readAccount(payload: JsonObject, reading: Reading): void {
  reading.amount('transfer_balance', payload['transfer_balance']);
  forObjects(payload['ledgers'], (ledger) => {
    reading.amount('ledger_balance', ledger['ledger_balance']);
    reading.transactions(ledger['current_statement_transactions']);
    reading.transactions(ledger['historical_statement_transactions']);
  });
}

class Reading implements AmountReader {
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
    // A contract may allow null, which is not an amount.
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
