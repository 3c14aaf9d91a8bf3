import { formatDecimal, parseDecimal, roundDecimal, type RoundingMode } from '../domain/decimal.ts';
import { numberText } from '../domain/json.ts';
import type { Convert } from './convert.ts';
import type { DecimalFormat } from './decimal-format.ts';

export interface Rounding {
  /** Decimal places that are kept. */
  readonly places: number;
  readonly mode: RoundingMode;
}

/** Rounds an amount, then converts it; one that cannot be read is left to `unrounded`. */
export function rounded(
  { places, mode }: Rounding,
  format: DecimalFormat,
  convert: Convert,
  unrounded: Convert,
): Convert {
  return (raw) => {
    const plain = typeof raw === 'string' ? format(raw) : numberText(raw);
    const amount = plain === undefined ? undefined : parseDecimal(plain);
    if (amount === undefined) return unrounded(raw);
    return convert(formatDecimal(roundDecimal(amount, places, mode), places));
  };
}
