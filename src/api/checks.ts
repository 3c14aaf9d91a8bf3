import { keysOf, settingsSchema } from '../config/schema.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { remedyFor } from '../domain/nearest.ts';
import { CannotStart } from '../host/cannot-start.ts';

/** What is wrong with a value; undefined: nothing. */
export type OptionCheck = (value: unknown) => string | undefined;

export const kind =
  (expected: string, isOne: (value: unknown) => boolean): OptionCheck =>
  (value) =>
    isOne(value) ? undefined : `must be ${expected}`;

export const text = kind('a text that is not empty', (value) => typeof value === 'string' && value !== '');
/** `-` is the standard output of a command, and a call has none. */
export const file = kind(
  'the path of a file',
  (value) => typeof value === 'string' && value !== '' && value !== '-',
);
export const flag = kind('true or false', (value) => typeof value === 'boolean');
export const plain = kind(
  'an object',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
export const listener = kind('a function', (value) => typeof value === 'function');
export const signal = kind('an AbortSignal', (value) => value instanceof AbortSignal);
export const atLeastOne = kind(
  'a whole number of at least 1',
  (value) => isWhole(value) && Number(value) >= 1,
);
export const texts = kind(
  'a list of texts',
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== ''),
);
/** Checks that a value is one of these names. */
export const oneOf = (names: readonly string[]): OptionCheck =>
  kind(`one of ${names.join(', ')}`, (value) => typeof value === 'string' && names.includes(value));
export function isWhole(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

/** Throws CannotStart (`invalid_option`) if options are unknown, have wrong values, or lack one that is needed. */
export function checkOptions(
  options: unknown,
  checks: Readonly<Record<string, OptionCheck>>,
  needed: readonly string[],
): void {
  if (typeof options !== 'object' || options === null) throw invalid(['The options must be an object.']);
  const given = Object.entries(options);
  const lines = given.flatMap(([name, value]) => {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined)
      return [`There is no option \`${name}\`. ${remedyOf(name, Object.keys(checks))}`];
    const wrong = value === undefined ? undefined : check(value);
    return wrong === undefined ? [] : [`The option \`${name}\` ${wrong}.`];
  });
  const there = new Map(given);
  for (const name of needed)
    if (there.get(name) === undefined) lines.push(`The option \`${name}\` is missing.`);
  if (lines.length > 0) throw invalid(lines);
}

/** A setting that is given as an option is the most frequent slip. */
function remedyOf(name: string, known: readonly string[]): string {
  const isSetting = known.includes('settings') && keysOf(settingsSchema([])).includes(name);
  return isSetting ? `It is a setting: give it in \`settings\`.` : remedyFor(name, known);
}

export function invalid(lines: readonly string[]): CannotStart {
  return new CannotStart(exitCodes.usage, lines, [], 'invalid_option');
}
