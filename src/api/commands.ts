import { accountStates, type AccountState } from '../domain/account-state.ts';
import { stepNames, type StepName } from '../domain/steps.ts';
import { commandCall } from './command-call.ts';
import { atLeastOne, file, flag, kind, oneOf, text, texts } from './checks.ts';
import type { CommandEnding, CommandLines, CommandOptions } from './command-options.ts';

export interface StatusOptions extends CommandOptions {
  /** Also ask the platform for its counts. */
  readonly remote?: boolean;
}

export interface ListOptions extends CommandOptions {
  readonly state?: AccountState;
  readonly code?: string;
  readonly step?: StepName;
  /** Accounts whose rows a run found changed: the last run, or the one with this number. */
  readonly changed?: true | number;
  readonly limit?: number;
  /** Also ask the platform for its account numbers, and when it created the accounts. */
  readonly remote?: boolean;
}

export interface ShowOptions extends CommandOptions {
  readonly account: string;
  /** Also ask the platform's list for its account number, and when it created the account. */
  readonly remote?: boolean;
  /** Read this export too, and tell the cells of every part that was sent. */
  readonly export?: string;
}

export interface PlanOptions extends CommandOptions {
  readonly export: string;
  readonly with?: readonly string[];
  readonly documents?: string;
  readonly skipUnreadable?: boolean;
  /** Write the plan to this file. */
  readonly out?: string;
  readonly force?: boolean;
}

export interface OutputOptions extends CommandOptions {
  /** The file to write. */
  readonly out: string;
  /** Overwrite a file of another kind. */
  readonly force?: boolean;
}

export interface RetryOptions extends CommandOptions {
  /** Default: both. */
  readonly state?: 'rejected' | 'failed' | 'both';
  readonly code?: string;
  readonly step?: StepName;
  /** A file of external account numbers, one per line. */
  readonly accounts?: string;
}

export interface ResolveOptions extends CommandOptions {
  readonly account?: string;
  /** A file of external account numbers, one per line, instead of one account. */
  readonly accounts?: string;
  readonly step?: StepName;
  readonly as?: 'done' | 'repeat' | 'skip' | 'corrected' | 'gone';
  /** From 1. */
  readonly part?: number;
  /** With process and done: the number that the platform assigned. */
  readonly number?: string;
  /** A file of rulings that `list` wrote on the command line, instead of all of these. It is recorded without a question. */
  readonly from?: string;
}

export interface ReconcileOptions extends CommandOptions {
  readonly export?: string;
  readonly with?: readonly string[];
}

const state = oneOf(accountStates);
const step = oneOf(stepNames);

/** The progress of the book, as `migrate status` tells it. */
export async function status(options: StatusOptions = {}): Promise<CommandEnding> {
  return commandCall({ name: 'status', flags: { remote: flag } }, options).ending;
}

/** The verdict on the last night, as `migrate morning` tells it. */
export async function morning(options: CommandOptions = {}): Promise<CommandEnding> {
  return commandCall({ name: 'morning', flags: {} }, options).ending;
}

/** The accounts of the journal, each part that is not done as one line (`type` is `part`). */
export function list(options: ListOptions = {}): CommandLines {
  const changed = kind(
    'true or the number of a run',
    (value) => value === true || atLeastOne(value) === undefined,
  );
  return commandCall(
    {
      name: 'list',
      flags: { ...{ state, code: text, step, changed }, limit: atLeastOne, remote: flag },
    },
    options,
  );
}

/** Everything that the journal knows of one account. */
export async function show(options: ShowOptions): Promise<CommandEnding> {
  return commandCall(
    { name: 'show', argument: 'account', isNeeded: true, flags: { export: text, remote: flag } },
    options,
  ).ending;
}

/** What a run would do, account by account; sends nothing. */
export function plan(options: PlanOptions): CommandLines {
  const flags = { with: texts, documents: text, skipUnreadable: flag, out: file, force: flag };
  return commandCall({ name: 'plan', argument: 'export', isNeeded: true, flags }, options);
}

/** Writes old and new account numbers to a file. */
export async function numbers(options: OutputOptions): Promise<CommandEnding> {
  return commandCall({ name: 'numbers', flags: { out: file, force: flag }, needed: ['out'] }, options).ending;
}

/** Writes the report page. */
export async function report(options: OutputOptions): Promise<CommandEnding> {
  return commandCall({ name: 'report', flags: { out: file, force: flag }, needed: ['out'] }, options).ending;
}

/** Lets the next run send rejected and failed accounts again. */
export async function retry(options: RetryOptions = {}): Promise<CommandEnding> {
  const flags = { state: oneOf(['rejected', 'failed', 'both']), code: text, step, accounts: text };
  return commandCall({ name: 'retry', flags }, options).ending;
}

/** Records a ruling on one account, on a list, or those of a file. */
export async function resolve(options: ResolveOptions): Promise<CommandEnding> {
  const flags = {
    ...{
      accounts: text,
      step,
      as: oneOf(['done', 'repeat', 'skip', 'corrected', 'gone']),
      part: atLeastOne,
      number: text,
      from: text,
    },
  };
  const always = options.from === undefined ? [] : ['--yes'];
  return commandCall({ name: 'resolve', argument: 'account', flags, always }, options).ending;
}

/** Compares export, journal and platform; each difference is one line (`type` is `difference`). */
export function reconcile(options: ReconcileOptions = {}): CommandLines {
  return commandCall({ name: 'reconcile', argument: 'export', flags: { with: texts } }, options);
}
