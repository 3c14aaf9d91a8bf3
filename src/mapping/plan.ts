import type { AccountKey } from '../domain/account-key.ts';
import type { Unread } from '../contract/rules/guarded.ts';
import type { Cell } from '../domain/cell.ts';
import type { Fix } from '../domain/fix.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Problem } from '../domain/problem.ts';
import type { ExtraStepName, StepName } from '../domain/steps.ts';
import type { Bundle, Table, TableSpec } from '../source/export.ts';
import type { LookupSpec, ModuleSpec } from './spec.ts';

/** Everything that is to be sent for one account. */
export interface AccountPlan {
  readonly key: AccountKey;
  /** Where its data came from, if not from the export itself. */
  readonly fix?: Fix;
  /** Account payload (interface, section 2.3). */
  readonly payload: JsonObject;
  /**
   * The request payloads of each further step, identification fields included. Notes, transactions and statements:
   * at most one payload, holding the whole array. Billing documents: one for each ledger. Agreements and payment
   * instructions: one for each record.
   */
  readonly extras: Readonly<Record<ExtraStepName, readonly JsonObject[]>>;
  /** What reading and mapping found wrong; an account with an error here is not sent. */
  readonly problems: readonly Problem[];
  /** Rows that the mapping leaves out on purpose. */
  readonly ignoredRows: number;
  /** Whether everything could be read, so that `unread` says nothing of any payload. */
  readonly isWhole: boolean;
  /**
   * What of a payload could not be read, and is told among the problems; undefined for a payload that was read whole.
   * The arguments are those of `locate`.
   */
  readonly unread: (step: StepName, request: number) => Unread | undefined;
  /**
   * Where a value of a payload was read; a constant's line in the mapping. For a path that is not in the payload (a
   * missing field): the cell or the record that would have held it, or the line of the mapping that says nothing of it. `step` says which payload (validate, stage and process: the account payload),
   * `request` which of the step's payloads, from zero. undefined for what neither gives.
   */
  readonly locate: (step: StepName, path: string, request?: number) => Cell | undefined;
}

/** A mapping that was read and checked, before it meets an export. */
export interface Mapping {
  /** The tables that it reads. */
  readonly tables: readonly TableSpec[];
  /** The code tables that it reads, in files of their own. */
  readonly lookups: readonly LookupSpec[];
  /** The module whose functions it calls. */
  readonly module?: ModuleSpec;
  /** What deserves a word before the export is read and holds nothing back, such as a file that nobody reads. */
  readonly warnings: readonly Problem[];
  /**
   * Fits the mapping to the export's tables: a function from bundle to plan, pure; or what does not fit (a column that
   * the mapping names and the file lacks), each problem naming the mapping's file and line and the remedy. `lookups` is
   * what its code tables hold, `functions` what its module exports.
   */
  bind(tables: readonly Table[], lookups?: Lookups, functions?: Functions): BoundMapping | MappingProblems;
}

/** The exports of a mapping's module, by name. */
export type Functions = Readonly<Record<string, unknown>>;

/** What each code of a code table means, by the table's name. */
export type Lookups = ReadonlyMap<string, ReadonlyMap<string, string>>;

export type BoundMapping = (bundle: Bundle) => AccountPlan;

export interface MappingProblems {
  readonly problems: readonly Problem[];
}

export interface MappingOptions {
  /** Names the supplier of accounts whose data gives none (`--supplier`). */
  readonly supplier?: string;
}
