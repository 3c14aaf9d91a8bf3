import { exitCodes } from '../domain/exit-codes.ts';
import { isJsonObject } from '../domain/json.ts';
import { remedyFor } from '../domain/nearest.ts';
import { stepNames } from '../domain/steps.ts';
import { CannotStart } from '../host/cannot-start.ts';
import type { ExportOptions, MigrationOptions } from './options.ts';

/** What is wrong with a value; undefined: nothing. */
type Check = (value: unknown) => string | undefined;

const kind =
  (expected: string, isOne: (value: unknown) => boolean): Check =>
  (value) =>
    isOne(value) ? undefined : `must be ${expected}`;

const text = kind('a text that is not empty', (value) => typeof value === 'string' && value !== '');
const flag = kind('true or false', (value) => typeof value === 'boolean');
const plain = kind(
  'an object',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
const listener = kind('a function', (value) => typeof value === 'function');
const signal = kind('an AbortSignal', (value) => value instanceof AbortSignal);
const atLeastOne = kind('a whole number of at least 1', (value) => isWhole(value) && Number(value) >= 1);
const texts = kind(
  'a list of texts',
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== ''),
);
/** Its items are checked as they are read: an iterable may be readable once. */
const iterable = kind(
  'a list, a set or another iterable of texts, not one text',
  (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
);
const failures = kind(
  '{ count } of at least 1, or { percent } above 0 and up to 100',
  (value) => isJsonObject(value) && isFailures(value),
);

function isWhole(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function isFailures({ count, percent }: { readonly count?: unknown; readonly percent?: unknown }): boolean {
  if (percent === undefined) return isWhole(count) && Number(count) >= 1;
  return count === undefined && typeof percent === 'number' && percent > 0 && percent <= 100;
}

const exportChecks = {
  export: text,
  settings: plain,
  configFile: text,
  profile: text,
  env: plain,
  cwd: text,
  onEvent: listener,
  with: texts,
  withNew: flag,
  documents: text,
  problems: text,
  rejects: text,
  values: flag,
  bom: flag,
  force: flag,
} as const satisfies Record<keyof ExportOptions, Check>;

const runChecks = {
  ...exportChecks,
  dryRun: flag,
  limit: atLeastOne,
  maxFailures: failures,
  adopt: flag,
  checksum: flag,
  acceptShrinkage: flag,
  skipUnreadable: flag,
  steps: iterable,
  accounts: iterable,
  signal,
  abortSignal: signal,
} as const satisfies Record<keyof MigrationOptions, Check>;

/** The names of all options. */
export const optionNames: readonly string[] = Object.keys(runChecks);

/** Throws CannotStart (`invalid_option`) if options of a check of an export are unknown, or have wrong values. */
export function checkExportOptions(options: unknown): void {
  // The two may share their options.
  refuse(options, runChecks);
}

/** The same for a run. */
export function checkRunOptions(options: unknown): void {
  refuse(options, runChecks);
}

function refuse(options: unknown, checks: Readonly<Record<string, Check>>): void {
  if (typeof options !== 'object' || options === null)
    throw invalid(['The options must be an object with the option `export`.']);
  const given = Object.entries(options);
  const lines = given.flatMap(([name, value]) => {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined)
      return [`There is no option \`${name}\`. ${remedyFor(name, Object.keys(checks))}`];
    const wrong = value === undefined ? undefined : check(value);
    return wrong === undefined ? [] : [`The option \`${name}\` ${wrong}.`];
  });
  if (!('export' in options) || options.export === undefined) lines.push('The option `export` is missing.');
  if (lines.length > 0) throw invalid(lines);
}

/** The steps of a run. Throws CannotStart (`invalid_option`) for a name that is none. */
export function checkedSteps<Step>(steps: Iterable<Step>): ReadonlySet<Step> {
  const chosen = new Set(steps);
  const known: ReadonlySet<unknown> = new Set(stepNames);
  const wrong = [...chosen].filter((step) => !known.has(step));
  if (wrong.length > 0)
    throw invalid(
      wrong.map((step) => `There is no step \`${String(step)}\`. ${remedyFor(String(step), stepNames)}`),
    );
  if (chosen.size === 0) throw invalid(['The option `steps` names no step. Leave it out for all.']);
  return chosen;
}

/** The accounts of a run. Throws CannotStart (`invalid_option`) for a number that is no text. */
export function checkedAccounts(accounts: Iterable<string>): ReadonlySet<string> {
  const chosen = new Set<unknown>(accounts);
  if (![...chosen].every((account) => typeof account === 'string'))
    throw invalid(['The option `accounts` must have texts: a number loses its leading zeros.']);
  return chosen as ReadonlySet<string>;
}

function invalid(lines: readonly string[]): CannotStart {
  return new CannotStart(exitCodes.usage, lines, [], 'invalid_option');
}
