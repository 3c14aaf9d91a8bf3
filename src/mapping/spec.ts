import type { Cell } from '../domain/cell.ts';
import type { JsonValue } from '../domain/json.ts';
import type { CellValue } from '../domain/typed-value.ts';
import type { ExtraStepName } from '../domain/steps.ts';
import type { SourceRecord, TableSpec } from '../source/export.ts';
import type { CodeValue } from './code-value.ts';
import type { Condition } from './condition.ts';
import type { Convert, Fault } from './convert.ts';
import type { Fields } from './payload-shape.ts';

/** The name of the table whose records are accounts. */
export const accountsTable = 'accounts';

/**
 * A mapping as data, not yet bound to an export's columns. Mapping files and the built-in shapes are read into the
 * same form, so that there is one way to build a payload and one way to trace a value.
 */
export interface MappingSpec {
  readonly tables: readonly TableSpec[];
  /** The mapping's own functions. */
  readonly module?: ModuleSpec | undefined;
  /** The mapping's own code tables, in separate files. */
  readonly lookups: readonly LookupSpec[];
  /**
   * `stated`: every column that the mapping names must be in its file. `known`: columns may be missing from a file,
   * but the mapping must know every column of a file.
   */
  readonly columns: 'stated' | 'known';
  /** Texts that count as empty in a table, by its name. */
  readonly empty: ReadonlyMap<string, ReadonlySet<string>>;
  /** Rows of a table that are excluded on purpose: those for which all conditions of one list match. */
  readonly ignore: ReadonlyMap<string, readonly (readonly ConditionSpec[])[]>;
  readonly account: ObjectSpec | RecordSpec;
  readonly sections: ReadonlyMap<ExtraStepName, SectionSpec>;
}

/** A source of one value, object or array. */
export type Spec =
  ColumnSpec | ConstantSpec | CasesSpec | ObjectSpec | OpenColumnsSpec | LeftOverSpec | ListSpec | RowSpec;

/** A value read from the current record. */
export interface ColumnSpec {
  readonly type: 'column';
  /** Column names (CSV) or dotted paths (JSON), at least one. */
  readonly columns: readonly string[];
  /** Texts that count as empty. */
  readonly empty?: ReadonlySet<string> | undefined;
  /** The function of the mapping's module that makes the value from the values of the columns. */
  readonly call?: string | undefined;
  /** Values by name that are combined with the columns, such as one of another table's row. */
  readonly parts?: ReadonlyMap<string, Spec> | undefined;
  /** How the columns are combined; if absent, the first that is not empty is used. */
  readonly gather?: Gather | undefined;
  /** How texts are changed before they are converted. */
  readonly shape?: ((raw: CellValue) => CellValue | Fault) | undefined;
  /** The conversion, or how to make it from a code table that is read with the export. */
  readonly convert: Convert | LookupConvert;
  /** The mapping's line of each code of its code table. */
  readonly codes?: ReadonlyMap<string, Cell> | undefined;
  /** The value if the column is empty. */
  readonly fallback?: Stated | undefined;
  /** What happens to a value that cannot be converted, if it is not a problem. */
  readonly onInvalid?: 'next' | 'omit' | undefined;
  /** The mapping's line that names the column. */
  readonly origin?: Cell;
}

/** One value from the values of several columns; undefined if empty. */
export type Gather = (
  raws: readonly (CellValue | undefined)[],
  record: SourceRecord,
) => CellValue | Fault | undefined;

export interface LookupConvert {
  readonly lookup: string;
  /** The conversion with these codes. */
  by(codes: ReadonlyMap<string, CodeValue>): Convert;
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
  /** The columns of the codes, at least one. */
  readonly keys: readonly string[];
  /** The column of their values, in the interface's own form. */
  readonly value: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly origin: Cell;
}

/** The first of these values whose conditions match. */
export interface CasesSpec {
  readonly type: 'cases';
  readonly cases: readonly { readonly when: readonly ConditionSpec[]; readonly then: Spec }[];
}

export interface ConditionSpec extends ColumnRef {
  readonly holds: Condition;
  /** Whether the column is one of the account's own record. */
  readonly isOfAccount?: true;
}

export interface ConstantSpec extends Stated {
  readonly type: 'constant';
}

/** A constant of the mapping, and its line there. */
export interface Stated {
  readonly value: JsonValue;
  readonly origin?: Cell;
}

export interface ObjectSpec {
  readonly type: 'object';
  /** The fields in the order in which they are sent: the contract's order. */
  readonly fields: readonly (readonly [name: string, spec: Spec])[];
  /** The mapping's line that names the object. */
  readonly origin?: Cell;
}

/** All columns of the file under a dotted prefix, as text: for fields that the interface does not define. */
export interface OpenColumnsSpec {
  readonly type: 'open-columns';
  /** Ends in a point, unless it is empty. */
  readonly prefix: string;
  /** Excluded names. */
  readonly without: readonly string[];
}

/** An object of the columns that nothing else in the mapping reads, as text. */
export interface LeftOverSpec {
  readonly type: 'left-over';
  /** Pattern of the columns; `*` stands for any characters. */
  readonly pattern: string;
}

/** An array of parts that each give some of its elements. */
export interface ListSpec {
  readonly type: 'list';
  readonly parts: readonly PartSpec[];
}

export type PartSpec = Spec | RowsSpec | ItemsSpec;

/** The elements that one column holds. */
export interface ItemsSpec {
  readonly type: 'items';
  readonly value: ColumnSpec;
  /** Separates the elements in a cell of text. */
  readonly split?: string | undefined;
  /** The field that wraps each element, for objects of a single field. */
  readonly wrap?: string | undefined;
}

/** One element for each row of a child table. */
export interface RowsSpec {
  readonly type: 'rows';
  readonly table: string;
  /** Only if all of this matches the parent's record, or the account's. */
  readonly when?: readonly ConditionSpec[];
  /** Only rows for which all of this matches. */
  readonly where: readonly ConditionSpec[];
  /** Only rows whose columns have the values of the parent's record; without any, all rows of the account. */
  readonly match: readonly (ColumnRef & {
    readonly parent: ParentRef;
    /** The change of both values before they are compared. */
    readonly shape?: ((text: string) => string) | undefined;
  })[];
  /** One element for each distinct combination of these columns; the first row represents the others. */
  readonly distinct: readonly ColumnRef[];
  /** The order of the rows; default: the file's. */
  readonly order: readonly OrderSpec[];
  /** Whether rows that name no parent (no match, or empty columns) belong to the only parent. */
  readonly onlyParent: boolean;
  readonly each: Spec;
}

/** The value from one row of a child table: the only one or, of several, the first by `order`. */
export interface RowSpec extends Omit<RowsSpec, 'type'> {
  readonly type: 'row';
  /** Which of several rows; default: the only one, or the first by `order`. */
  readonly take?: 'first' | 'last' | 'only' | undefined;
  /** What all rows make together, in place of one of them. */
  readonly aggregate?: Aggregate | undefined;
}

/** How the rows of a child table make one value. */
export interface Aggregate {
  readonly of: 'sum' | 'count';
  /** The conversion of the result, in plain notation, into the field's type. */
  readonly convert: Convert;
}

/** Sorts rows by a column; rows in which it cannot be read come last. */
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

/** The record unchanged: the interface's own shape. */
export interface RecordSpec {
  readonly type: 'record';
  /** The supplier if the record names none. */
  readonly supplier?: string | undefined;
}

export type SectionSpec =
  | { readonly type: 'list'; readonly list: ListSpec; readonly field?: string | undefined }
  | { readonly type: 'records'; readonly table: string; readonly field?: string | undefined };

/** The account with a supplier for data that names none (`--supplier`), in the contract's order of fields. */
export function withSupplier(
  account: ObjectSpec,
  supplier: string | undefined,
  accountFields: Fields,
): ObjectSpec {
  if (supplier === undefined) return account;
  const fields = new Map(account.fields);
  const own = fields.get('import_supplier');
  const given: ConstantSpec = { type: 'constant', value: supplier };
  if (own === undefined) fields.set('import_supplier', given);
  if (own?.type === 'column') fields.set('import_supplier', { ...own, fallback: own.fallback ?? given });
  return {
    ...account,
    fields: [...accountFields.keys()].flatMap((name): (readonly [string, Spec])[] => {
      const field = fields.get(name);
      return field === undefined ? [] : [[name, field]];
    }),
  };
}
