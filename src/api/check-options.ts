import { isJsonObject } from '../domain/json.ts';
import { remedyFor } from '../domain/nearest.ts';
import { stepNames } from '../domain/steps.ts';
import {
  atLeastOne,
  checkOptions,
  flag,
  invalid,
  isWhole,
  kind,
  listener,
  plain,
  signal,
  text,
  texts,
  type OptionCheck,
} from './checks.ts';
import type { ExportOptions, MigrationOptions } from './options.ts';

/** Its items are checked as they are read: an iterable may be readable once. */
const iterable = kind(
  'a list, a set or another iterable of texts, not one text',
  (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
);
const failures = kind(
  '{ count } of at least 1, or { percent } above 0 and up to 100',
  (value) => isJsonObject(value) && isFailures(value),
);

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
} as const satisfies Record<keyof ExportOptions, OptionCheck>;

const runChecks = {
  ...exportChecks,
  dryRun: flag,
  limit: atLeastOne,
  maxFailures: failures,
  adopt: flag,
  checksum: flag,
  acceptShrinkage: flag,
  acceptChanges: flag,
  skipUnreadable: flag,
  steps: iterable,
  accounts: iterable,
  signal,
  abortSignal: signal,
} as const satisfies Record<keyof MigrationOptions, OptionCheck>;

/** The names of all options. */
export const optionNames: readonly string[] = Object.keys(runChecks);

/** Throws CannotStart (`invalid_option`) if options of a check of an export are unknown, or have wrong values. */
export function checkExportOptions(options: unknown): void {
  // The two may share their options.
  checkOptions(options, runChecks, ['export']);
}

/** The same for a run. */
export function checkRunOptions(options: unknown): void {
  checkOptions(options, runChecks, ['export']);
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
