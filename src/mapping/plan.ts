import type { AccountKey } from '../domain/account-key.ts';
import type { MinorUnits } from '../contract/money.ts';
import type { Unread } from '../contract/rules/guarded.ts';
import type { Cell } from '../domain/cell.ts';
import type { Fix } from '../domain/fix.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Problem } from '../domain/problem.ts';
import type { ExtraStepName, StepName } from '../domain/steps.ts';
import type { Bundle, Table, TableSpec } from '../source/export.ts';
import type { PayloadShape } from './payload-shape.ts';
import type { CodeValue } from './code-value.ts';
import type { LookupSpec, ModuleSpec } from './spec.ts';

/** Everything that is to be sent for one account. */
export interface AccountPlan {
  readonly key: AccountKey;
  /** The source of its data, if not the export itself. */
  readonly fix?: Fix;
  /** Account payload (interface, section 2.3). */
  readonly payload: JsonObject;
  /**
   * The request payloads of each further step, with the identification fields. Notes, transactions and statements: at
   * most one payload with the whole array. Billing documents: one for each ledger. Agreements and payment
   * instructions: one for each record.
   */
  readonly extras: Readonly<Record<ExtraStepName, readonly JsonObject[]>>;
  /**
   * Number of payloads, by step, of steps that the tenancy does not offer: they are reported, and not sent.
   */
  readonly notOffered?: ReadonlyMap<ExtraStepName, number>;
  /** The amounts of it that are in minor units; absent without a tenancy's contract. */
  readonly minorUnits?: MinorUnits;
  /** What reading and mapping found wrong; an account with an error here is not sent. */
  readonly problems: readonly Problem[];
  /** Rows that the mapping excludes on purpose. */
  readonly ignoredRows: number;
  /** The fingerprint of its rows, if requested. */
  readonly rows?: Bundle['rows'];
  /** Whether everything could be read, so that `unread` is undefined for every payload. */
  readonly isWhole: boolean;
  /**
   * The parts of a payload that could not be read, which are among the problems; undefined for a payload that was
   * read completely. The arguments are those of `locate`.
   */
  readonly unread: (step: StepName, request: number) => Unread | undefined;
  /**
   * Where a value of a payload was read; for a constant, its line in the mapping. For a path that is not in the
   * payload (a missing field): the cell or the record that would have it, or the line of the mapping that does not
   * mention it. `step` selects the payload (validate, stage and process: the account payload), `request` one of the
   * step's payloads, from zero. undefined if there is no such place.
   */
  readonly locate: (step: StepName, path: string, request?: number) => Cell | undefined;
}

/** A database that a mapping's tables are read from. */
export interface SourceSpec {
  /** `postgres`, `mysql`, `sqlite`, or the path of a module, relative to the mapping file. */
  readonly driver: string;
  /** Without a password. */
  readonly url?: string;
  /** SQLite: the database's file, relative to the mapping file. */
  readonly file?: string;
  /** Passed to a module. */
  readonly options?: JsonObject;
  readonly origin: Cell;
  /** The query of each table. */
  readonly queries: readonly QuerySpec[];
}

export interface QuerySpec {
  /** The table's name. */
  readonly name: string;
  readonly query: string;
  /** The mapping's line that has the query. */
  readonly origin: Cell;
}

/** A column of a table that the mapping uses as an amount, and the mapping's line. */
export interface AmountColumn {
  readonly table: string;
  readonly column: string;
  readonly origin: Cell;
}

/** A mapping that was read and checked, but not bound to an export. */
export interface Mapping {
  /** The database that its tables are read from; absent if they are files. */
  readonly source?: SourceSpec;
  /** The tables that it reads. */
  readonly tables: readonly TableSpec[];
  /** The code tables in separate files that it reads. */
  readonly lookups: readonly LookupSpec[];
  /** The module whose functions it calls. */
  readonly module?: ModuleSpec | undefined;
  /** The columns that amounts are made of. */
  readonly amounts?: readonly AmountColumn[];
  /** The tables of steps whose items it has. */
  readonly items?: readonly string[];
  /** The tables that only such items are read from; not among `tables`. */
  readonly itemTables?: readonly TableSpec[];
  /** Warnings that are given before the export is read, such as a file that nothing reads. */
  readonly warnings: readonly Problem[];
  /**
   * Binds the mapping to the export's tables: returns a pure function from bundle to plan; or the problems (a column
   * that the mapping names and the file lacks), each with the mapping's file and line and the remedy. `lookups` are
   * the contents of its code tables, `functions` the exports of its module.
   */
  bind(
    tables: readonly Table[],
    lookups?: Lookups,
    functions?: Functions,
    watch?: Watch,
  ): BoundMapping | MappingProblems;
  /** The columns (CSV) or dotted paths (JSON) that it reads of each table, as the mapping spells them. */
  columns(): ReadonlyMap<string, ReadonlySet<string>>;
}

/** Learns which parts of a mapping have an effect; for `migrate mapping check`. */
export interface Watch {
  /** A part that may have an effect; `detail` is the message if it never has. Returns what to call when it has. */
  expect(origin: Cell | undefined, code: string, detail: string): () => void;
  /** Called once for each table, with the columns that the mapping reads. */
  read(table: string, columns: ReadonlySet<string>): void;
}

/** The exports of a mapping's module, by name. */
export type Functions = Readonly<Record<string, unknown>>;

/** The codes of code tables, by the table's name. */
export type Lookups = ReadonlyMap<string, ReadonlyMap<string, CodeValue>>;

export type BoundMapping = (bundle: Bundle) => AccountPlan;

export interface MappingProblems {
  readonly problems: readonly Problem[];
}

export interface MappingOptions {
  /** Names the supplier of accounts whose data gives none (`--supplier`). */
  readonly supplier?: string | undefined;
  /** What can be mapped; absent: the interface's payloads. */
  readonly shape?: PayloadShape | undefined;
}
