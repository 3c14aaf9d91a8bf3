import { accountStates, type AccountState } from '../domain/account-state.ts';
import { nearest } from '../domain/nearest.ts';
import { parseStepName, stepNames, type StepName } from '../domain/steps.ts';
import { InvalidArgumentError, Option } from './commander.ts';

/** Reads a whole number of at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    if (!/^\d{1,15}$/.test(text) || Number(text) < least)
      throw new InvalidArgumentError(`Give a whole number of at least ${least}.`);
    return Number(text);
  };
}

/** Reads a TCP port; 0 means any free port. */
export function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('Give a port from 1 to 65535, or 0 for a free one.');
  return Number(text);
}

/** Reads `--max-failures`: a number of accounts, or a share such as `5%`. */
export function maxFailures(text: string): { readonly count: number } | { readonly percent: number } {
  const match = /^(\d{1,9})(%?)$/.exec(text);
  const number = Number(match?.[1]);
  if (match === null || number < 1 || (match[2] === '%' && number > 100))
    throw new InvalidArgumentError('Give a number of accounts of at least 1, or a share from 1% to 100%.');
  return match[2] === '%' ? { percent: number } : { count: number };
}

/** Reads `--steps`: names of steps, separated by commas. */
export function stepList(text: string): ReadonlySet<StepName> {
  return new Set(text.split(',').map(stepName));
}

/** Reads `--step`: the name of one step. */
export function stepName(name: string): StepName {
  const step = parseStepName(name);
  if (step !== undefined) return step;
  const near = nearest(name.trim(), stepNames);
  const hint = near === undefined ? `Steps are ${stepNames.join(', ')}.` : `Did you mean ${near}?`;
  throw new InvalidArgumentError(`There is no step '${name.trim()}'. ${hint}`);
}

/** Reads an option that may be given several times, each time with one value. */
export function eachValue(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** `--with-new`. */
export const withNewOption = new Option(
  '--with-new',
  'Also use accounts of --with that the export does not have',
);

/** `--threads N`. */
export const threadsOption = new Option(
  '--threads <n>',
  'Read accounts in this many threads; default: the number of processors minus one',
);

/** `--with DIR`, as often as there are directories. */
export const withOption = new Option(
  '--with <dir>',
  'Replace accounts of the export with those in this directory; repeatable, the last one wins',
).argParser(eachValue);

/** `--snapshot DIR`, where the mapping names a database. */
export const snapshotOption = new Option(
  '--snapshot <dir>',
  "Save the data of the mapping's database in this directory, and read it from there in later runs",
);

/** `--contract FILE`, once or several times. */
export const contractOption = new Option(
  '--contract <file>',
  "The tenancy's OpenAPI document, which defines the payloads; repeatable",
).argParser(eachValue);

/** `--strict-contract`. */
export const strictContractOption = new Option(
  '--strict-contract',
  'Also refuse what the contract leaves open (docs/tenancies.md)',
);

export const bomOption = new Option(
  '--bom',
  'Begin a CSV file with a byte order mark, for spreadsheets that need it',
);

/** The format of an export's files for which the mapping gives none. */
export const encodingOption = new Option(
  '--encoding <name>',
  'Encoding of files for which the mapping gives none, such as windows-1252; default: detected',
);
export const delimiterOption = new Option(
  '--delimiter <text>',
  'Delimiter of files for which the mapping gives none, such as ";" or \\t; default: detected',
);

/** An option that takes a state of accounts. */
export function accountState<const Flags extends string>(
  flags: Flags,
  description: string,
): Option<Flags, undefined, undefined, AccountState> {
  const option = new Option(flags, description).choices(accountStates);
  return option.argParser((text) => {
    const state = accountStates.find((known) => known === text);
    if (state !== undefined) return state;
    const near = nearest(text, accountStates);
    throw new InvalidArgumentError(
      near === undefined ? `States are ${accountStates.join(', ')}.` : `Did you mean ${near}?`,
    );
  });
}
