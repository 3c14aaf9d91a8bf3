import type { Cell } from '../domain/cell.ts';
import type { JsonValue } from '../domain/json.ts';
import type { ExtraStepName } from '../domain/steps.ts';
import type { TableSpec } from '../source/export.ts';
import type { Convert } from './convert.ts';

/**
 * A mapping as data, before it meets an export's columns. Mapping files and the built-in shapes are read into the same
 * form, so that there is one way to build a payload and one way to trace a value.
 */
export interface MappingSpec {
  readonly tables: readonly TableSpec[];
  /** Where each table is declared, for problems; absent for the built-in shapes. */
  readonly origins: ReadonlyMap<string, Cell>;
  /**
   * `stated`: every column that the mapping names must be in its file. `known`: columns may be missing from a file,
   * but every column of a file must be one that the mapping knows.
   */
  readonly columns: 'stated' | 'known';
  readonly account: ObjectSpec | RecordSpec;
  readonly sections: ReadonlyMap<ExtraStepName, SectionSpec>;
}

/** What makes one value, object or array. */
export type Spec = ColumnSpec | ConstantSpec | ObjectSpec | OpenColumnsSpec | ListSpec;

/** A value read from the record at hand. */
export interface ColumnSpec {
  readonly type: 'column';
  /** Column name (CSV) or dotted path (JSON). */
  readonly column: string;
  readonly convert: Convert;
  /** The value where there is nothing in the column. */
  readonly fallback?: Stated;
  /** The mapping's line that names the column. */
  readonly origin?: Cell;
}

export interface ConstantSpec extends Stated {
  readonly type: 'constant';
}

/** A value that the mapping itself gives, and its line there. */
export interface Stated {
  readonly value: JsonValue;
  readonly origin?: Cell;
}

export interface ObjectSpec {
  readonly type: 'object';
  /** In the order in which the fields are sent: the contract's. */
  readonly fields: readonly (readonly [name: string, spec: Spec])[];
}

/** Whatever columns the file has under a dotted prefix, as text: for what the interface passes on without showing it. */
export interface OpenColumnsSpec {
  readonly type: 'open-columns';
  /** Ends in a point, unless it is empty. */
  readonly prefix: string;
  /** Names that are not taken. */
  readonly without: readonly string[];
}

/** An array, made of parts that each give some of its elements. */
export interface ListSpec {
  readonly type: 'list';
  readonly parts: readonly PartSpec[];
}

export type PartSpec = Spec | RowsSpec | ItemsSpec;

/** The elements that one column holds. */
export interface ItemsSpec {
  readonly type: 'items';
  readonly value: ColumnSpec;
  /** Stands between the elements in a cell of text. */
  readonly split?: string;
  /** The field in which each element is wrapped, for objects of a single field. */
  readonly wrap?: string;
}

/** One element for each row of a child table. */
export interface RowsSpec {
  readonly type: 'rows';
  readonly table: string;
  /** Only rows with one of these texts in each of these columns. */
  readonly where: readonly (ColumnRef & { readonly texts: ReadonlySet<string> })[];
  /** Only rows whose columns hold what the parent's record holds; without any, all rows of the account. */
  readonly match: readonly (ColumnRef & { readonly parent: ParentRef })[];
  /** One element for each distinct combination of these columns; the first row stands for the others. */
  readonly distinct: readonly ColumnRef[];
  /** Rows that name no parent (no match, or nothing in its columns) belong to the only one there is. */
  readonly onlyParent: boolean;
  readonly each: Spec;
}

/** A column, and the mapping's line that names it. */
export interface ColumnRef {
  readonly column: string;
  readonly origin?: Cell;
}

/** A column of the parent's record, or the parent's position among the account's rows of its table, from zero. */
export type ParentRef = string | typeof position;
export const position = Symbol('position');

/** The record as it is: the interface's own shape. */
export interface RecordSpec {
  readonly type: 'record';
  /** The supplier where the record names none. */
  readonly supplier?: string;
}

export type SectionSpec =
  | { readonly type: 'list'; readonly list: ListSpec; readonly field?: string }
  | { readonly type: 'records'; readonly table: string; readonly field?: string };
