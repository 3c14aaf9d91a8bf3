/** Money, as a whole number of minor units (pence, cents): exact up to 2^53. */
export type Minor = number;

/** `1230` as the decimal string `12.30`. */
export function amountText(minor: Minor): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `1230` as the JSON number 12.3: a correctly rounded quotient prints as the decimal that was meant. */
export function amountNumber(minor: Minor): number {
  return minor / 100;
}
