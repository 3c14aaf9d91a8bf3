import type { Cell } from '../domain/cell.ts';
import type { JsonValue } from '../domain/json.ts';
import type { ExtraStepName } from '../domain/steps.ts';
import type { SourceRecord, TableSpec } from '../source/export.ts';
import type { Condition } from './condition.ts';
import type { Convert, Fault } from './convert.ts';

/**
 * A mapping as data, before it meets an export's columns. Mapping files and the built-in shapes are read into the same
 * form, so that there is one way to build a payload and one way to trace a value.
 */
export interface MappingSpec {
  readonly tables: readonly TableSpec[];
  /** The mapping's own functions. */
  readonly module?: ModuleSpec;
  /** The mapping's own code tables, in files of their own. */
  readonly lookups: readonly LookupSpec[];
  /**
   * `stated`: every column that the mapping names must be in its file. `known`: columns may be missing from a file,
   * but every column of a file must be one that the mapping knows.
   */
  readonly columns: 'stated' | 'known';
  /** Texts that count as nothing in a table, by its name. */
  readonly empty: ReadonlyMap<string, ReadonlySet<string>>;
  /** Rows of a table that are left out on purpose: those for which all conditions of one list hold. */
  readonly ignore: ReadonlyMap<string, readonly (readonly ConditionSpec[])[]>;
  readonly account: ObjectSpec | RecordSpec;
  readonly sections: ReadonlyMap<ExtraStepName, SectionSpec>;
}

/** What makes one value, object or array. */
export type Spec =
  ColumnSpec | ConstantSpec | CasesSpec | ObjectSpec | OpenColumnsSpec | LeftOverSpec | ListSpec | RowSpec;

/** A value read from the record at hand. */
export interface ColumnSpec {
  readonly type: 'column';
  /** Column names (CSV) or dotted paths (JSON), at least one. */
  readonly columns: readonly string[];
  /** Texts that count as nothing. */
  readonly empty?: ReadonlySet<string>;
  /** The function of the mapping's module that is given what the columns hold, and gives the value. */
  readonly call?: string;
  /** What the columns hold together; where absent, the first of them that holds anything. */
  readonly gather?: Gather;
  /** How texts are changed before they are converted. */
  readonly shape?: (raw: JsonValue) => JsonValue;
  /** The conversion, or how to make it of a code table that is read with the export. */
  readonly convert: Convert | LookupConvert;
  /** The value where there is nothing in the column. */
  readonly fallback?: Stated;
  /** The mapping's line that names the column. */
  readonly origin?: Cell;
}

/** One value out of the values of several columns; undefined where there is nothing. */
export type Gather = (
  raws: readonly (JsonValue | undefined)[],
  record: SourceRecord,
) => JsonValue | Fault | undefined;

export interface LookupConvert {
  readonly lookup: string;
  /** The conversion by these codes. */
  by(codes: ReadonlyMap<string, string>): Convert;
}

/** A JavaScript module of functions. */
export interface ModuleSpec {
  /** File name, relative to the mapping file. */
  readonly file: string;
  readonly origin: Cell;
}

/** A code table in a CSV file. */
export interface LookupSpec {
  readonly name: string;
  /** File name, relative to the mapping file. */
  readonly file: string;
  /** The column of the codes. */
  readonly key: string;
  /** The column of what they mean, in the interface's own form. */
  readonly value: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly origin: Cell;
}

/** The first of these values whose conditions hold. */
export interface CasesSpec {
  readonly type: 'cases';
  readonly cases: readonly { readonly when: readonly ConditionSpec[]; readonly then: Spec }[];
}

export interface ConditionSpec extends ColumnRef {
  readonly holds: Condition;
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
  /** The mapping's line that names the object. */
  readonly origin?: Cell;
}

/** Whatever columns the file has under a dotted prefix, as text: for what the interface passes on without showing it. */
export interface OpenColumnsSpec {
  readonly type: 'open-columns';
  /** Ends in a point, unless it is empty. */
  readonly prefix: string;
  /** Names that are not taken. */
  readonly without: readonly string[];
}

/** An object of the columns, as text, that nothing else in the mapping reads. */
export interface LeftOverSpec {
  readonly type: 'left-over';
  /** Which of them; `*` stands for any characters. */
  readonly pattern: string;
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
  /** Only rows for which all of this holds. */
  readonly where: readonly ConditionSpec[];
  /** Only rows whose columns hold what the parent's record holds; without any, all rows of the account. */
  readonly match: readonly (ColumnRef & { readonly parent: ParentRef })[];
  /** One element for each distinct combination of these columns; the first row stands for the others. */
  readonly distinct: readonly ColumnRef[];
  /** The order of the rows; without it, the file's. */
  readonly order: readonly OrderSpec[];
  /** Rows that name no parent (no match, or nothing in its columns) belong to the only one there is. */
  readonly onlyParent: boolean;
  readonly each: Spec;
}

/** What one row of a child table gives: the only one, or of several the first by `order`. */
export interface RowSpec extends Omit<RowsSpec, 'type'> {
  readonly type: 'row';
}

/** Rows are ordered by what is in a column; those where it cannot be read stand last. */
export interface OrderSpec extends ColumnRef {
  readonly convert: Convert;
  readonly descending: boolean;
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
