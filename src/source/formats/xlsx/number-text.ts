/** A workbook keeps 15 digits of a number. */
const digitsKept = 15;
const plain = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** The decimal text of a stored number; undefined if it has more digits than a workbook keeps, or is no number. */
export function numberText(stored: string): string | undefined {
  if (plain.test(stored) && stored.length <= digitsKept) return stored === '-0' ? '0' : stored;
  const number = Number(stored);
  if (stored.trim() === '' || !Number.isFinite(number) || Math.abs(number) >= 10 ** digitsKept)
    return undefined;
  return shortest(number);
}

/** Without the digits that come of the binary form: 12.300000000000001 was entered as 12.3. */
function shortest(number: number): string {
  const [mantissa = '', exponent = '0'] = number.toExponential(digitsKept - 1).split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '').replace(/0+$/, '');
  if (digits === '') return '0';
  const point = Number(exponent) + 1;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits}${'0'.repeat(point - digits.length)}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
