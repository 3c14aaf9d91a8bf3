import { hashOf } from './hash-of.ts';

/** Codes whose values are recorded: all of them in a small table. */
const mostCodes = 256;
/** Six bits each. */
const digits = 5;

/**
 * Prints of the values of codes, of those with the smallest hashes if there are many: enough to see how many have other values, and
 * none can be read from it. `codes`: each with its value.
 */
export function sampleOfCodes(codes: Iterable<readonly [code: string, value: string]>): string {
  const sample = [...codes].map(([code, value]) => [hashOf(code), hashOf(value)] as const);
  return sample
    .sort(([one], [other]) => one - other)
    .slice(0, mostCodes)
    .map(([code, value]) => `${written(code)}${written(value)}`)
    .join('');
}

/** How the values of codes differ that two samples have. */
export interface CodeChanges {
  /** The codes that both have. */
  readonly codes: number;
  /** Of these, those with another value. */
  readonly changed: number;
  /** Whether these have each other's values, which no other code has: they changed places. */
  readonly isExchange: boolean;
}

export function codeChanges(before: string, now: string): CodeChanges {
  const [old, current] = [valuesIn(before), valuesIn(now)];
  const both = [...current].flatMap(([code, value]) => {
    const earlier = old.get(code);
    return earlier === undefined ? [] : [{ earlier, value }];
  });
  const changed = both.filter(({ earlier, value }) => earlier !== value);
  const sorted = (values: readonly string[]): string => values.toSorted().join('');
  const isExchange =
    changed.length > 1 &&
    sorted(changed.map(({ earlier }) => earlier)) === sorted(changed.map(({ value }) => value)) &&
    // Of values that many codes have, such as yes and no, independent corrections look the same.
    changed.every(({ value }) => isOnly(old, value) && isOnly(current, value));
  return { codes: both.length, changed: changed.length, isExchange };
}

function isOnly(values: ReadonlyMap<string, string>, value: string): boolean {
  return [...values.values()].filter((other) => other === value).length === 1;
}

function valuesIn(sample: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (let at = 0; at < sample.length; at += 2 * digits)
    values.set(sample.slice(at, at + digits), sample.slice(at + digits, at + 2 * digits));
  return values;
}

/** The hash without its lowest bits. */
function written(hash: number): string {
  return Math.floor(hash / 128)
    .toString(36)
    .padStart(digits, '0');
}
