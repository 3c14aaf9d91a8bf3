import { formatDecimal, parseDecimal, zero, type Decimal } from './decimal.ts';
import { isJsonObject, parseJson } from './json.ts';
import { extraStep, isExtraStep, type StepName } from './steps.ts';

/**
 * Exact totals by kind of amount, in the interface's terms: `transfer_balance`, `ledger_balance`, each type of
 * transaction (`CHARGE`, `PAYMENT`, ...), and `gross_amount` of statements. Amounts in minor units are kinds of their own
 * (`gross_amount_minor_units`). A total of zero is omitted.
 */
export type Money = ReadonlyMap<string, Decimal>;

const minorSuffix = '_minor_units';

/** The kind of the same amounts in the minor units of their currency. */
export function inMinorUnits(kind: string): string {
  return `${kind}${minorSuffix}`;
}

/** The least decimal places that a total of a kind is written with. */
export function placesOf(kind: string): number {
  return kind.endsWith(minorSuffix) ? 0 : 2;
}

/**
 * Recorded money under the kinds that the source has: earlier versions recorded minor units under the plain kind.
 */
export function asKindsOf(source: Money, recorded: Money): Money {
  const kinds = [...recorded].map(([kind, sum]) => {
    const minor = inMinorUnits(kind);
    const isEarlier = source.has(minor) && !source.has(kind) && !recorded.has(minor);
    return [isEarlier ? minor : kind, sum] as const;
  });
  return new Map(kinds);
}

/** Adds up amounts of any kind. */
export class MoneySum {
  readonly #totals = new Map<string, Decimal>();

  add(kind: string, amount: Decimal): void {
    this.#totals.set(kind, (this.#totals.get(kind) ?? zero).plus(amount));
  }

  addAll(money: Money): void {
    for (const [kind, amount] of money) this.add(kind, amount);
  }

  get totals(): Money {
    const totals = new Map<string, Decimal>();
    for (const [kind, amount] of this.#totals) if (!amount.eq(0)) totals.set(kind, amount);
    return totals;
  }
}

/** Stands for money that is not known. */
const unknown = '?';

/** Stands for no money, where a value is required. */
export const noMoney = '{}';

/** Whether a step's requests carry amounts. Those of process are the account's own, which were staged before. */
export function carriesMoney(step: StepName): boolean {
  return step === 'process' || (isExtraStep(step) && extraStep(step).hasAmounts === true);
}

/** Writes money as a short text to store; absent if there is none. `undefined` stands for unknown money. */
export function writeMoney(money: Money | undefined): string | undefined {
  if (money === undefined) return unknown;
  if (money.size === 0) return undefined;
  return JSON.stringify(Object.fromEntries([...money].map(([kind, sum]) => [kind, formatDecimal(sum)])));
}

/** Reads what `writeMoney` wrote; undefined if the money is not known. */
export function readMoney(text: string | undefined): Money | undefined {
  if (text === undefined) return new Map();
  if (text === unknown) return undefined;
  const stored = parseJson(text);
  const totals = new Map<string, Decimal>();
  for (const [kind, sum] of Object.entries(isJsonObject(stored) ? stored : {})) {
    const amount = typeof sum === 'string' ? parseDecimal(sum) : undefined;
    if (amount === undefined) throw new Error('Money was kept in a form that cannot be read.');
    totals.set(kind, amount);
  }
  return totals;
}
