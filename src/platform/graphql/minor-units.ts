import { parseDecimal, zero, type Decimal } from '../../domain/decimal.ts';
import { ExactNumber, numberText, type JsonValue } from '../../domain/json.ts';

/** An amount of a payload; zero if there is none. */
export function amountOf(value: JsonValue | undefined): Decimal {
  return parseDecimal(numberText(value) ?? '') ?? zero;
}

/** An amount in hundredths, rounded half to even, as a JSON number that loses no digit. */
export function minorUnits(amount: Decimal): number | ExactNumber {
  const text = amount.times(100).round(0, 2).toFixed();
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : new ExactNumber(text);
}

/** Adds to a balance (1), or subtracts from it (-1). */
export function signOf(type: JsonValue | undefined): 1 | -1 {
  return type === 'PAYMENT' || type === 'CREDIT' ? 1 : -1;
}
