import type { Cell } from '../domain/cell.ts';
import { isJsonObject } from '../domain/json.ts';
import { meantRemedy, nearest, spelledAs } from '../domain/nearest.ts';
import { valueAt } from '../domain/paths.ts';
import { withoutType } from '../domain/typed-value.ts';
import type { Problem } from '../domain/problem.ts';
import type { Table } from '../source/export.ts';
import { convertTo, interfaceFormats } from './convert.ts';
import { mappingProblem } from './mapping-problem.ts';
import type { Read } from './nodes/value.ts';
import type { ColumnSpec, MappingSpec, ObjectSpec, OpenColumnsSpec, Spec } from './spec.ts';

const nothing: Read = () => undefined;

/** The export's columns for a mapping; collects problems for columns that do not fit. */
export class Columns {
  readonly problems: Problem[] = [];
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #policy: MappingSpec['columns'];
  readonly #empty: MappingSpec['empty'];
  readonly #askedFor = new Map<string, Set<string>>();

  constructor(tables: readonly Table[], { columns, empty }: Pick<MappingSpec, 'columns' | 'empty'>) {
    this.#tables = new Map(tables.map((table) => [table.name, table]));
    this.#policy = columns;
    this.#empty = empty;
    for (const { name, key, via } of tables) {
      this.asked(name).add(key);
      if (via !== undefined) this.asked(via.table).add(via.column);
    }
  }

  /** The reader of a column that must exist; `origin` is the mapping's line that names it. */
  read(tableName: string, column: string, origin: Cell | undefined): Read {
    const table = this.#tables.get(tableName);
    const spelled = spelledAs(column, table?.columns ?? []);
    this.asked(tableName).add(spelled ?? column);
    const isMissing = table?.columns !== undefined && spelled === undefined && !isWithin(column, table);
    if (isMissing && this.#policy === 'stated') this.problems.push(missingColumn(table, column, origin));
    return this.reader(tableName, column);
  }

  /** The reader of a column; a missing column is always empty. */
  reader(tableName: string, column: string): Read {
    const table = this.#tables.get(tableName);
    if (table === undefined) return nothing;
    const read = table.isFlat
      ? readCell(column, table)
      : readPath(spelledAs(column, table.columns ?? []) ?? column);
    // The formats of plain texts do it as they are read.
    const trims = table.trim === true && !table.isFlat;
    return without(this.#empty.get(tableName), trims ? trimmed(read) : read);
  }

  /** The names of a table's columns; none for a table that does not exist. */
  names(tableName: string): readonly string[] {
    return this.#tables.get(tableName)?.columns ?? [];
  }

  isJson(tableName: string): boolean {
    return this.#tables.get(tableName)?.isFlat === false;
  }

  /** The columns of a table that were requested, including its key. */
  asked(tableName: string): Set<string> {
    const asked = this.#askedFor.get(tableName) ?? new Set<string>();
    this.#askedFor.set(tableName, asked);
    return asked;
  }

  /** The columns of a table that were never requested. Call this last. */
  notAsked(tableName: string): readonly string[] {
    const asked = this.asked(tableName);
    return this.names(tableName).filter((column) => !asked.has(column));
  }

  /** With the `known` policy: the columns of the files that were never requested. Call this last. */
  reportUnknown(): void {
    if (this.#policy !== 'known') return;
    for (const table of this.#tables.values()) {
      const asked = this.asked(table.name);
      for (const column of this.notAsked(table.name)) this.problems.push(unknownColumn(table, column, asked));
    }
  }
}

/** Whether a dotted path is within a column of JSON. */
function isWithin(path: string, { isFlat, columns = [] }: Table): boolean {
  return !isFlat && columns.includes(path.split('.')[0] ?? '');
}

function readCell(column: string, { columns = [] }: Table): Read {
  const spelled = spelledAs(column, columns);
  if (spelled === undefined) return nothing;
  return (record) => {
    const text = record.value(spelled);
    return text === '' ? undefined : text;
  };
}

/** Texts without white space around them, also those in arrays. */
function trimmed(read: Read): Read {
  return (record) => {
    const raw = read(record);
    if (typeof raw === 'string') return raw.trim() || undefined;
    return Array.isArray(raw) ? raw.map((item) => (typeof item === 'string' ? item.trim() : item)) : raw;
  };
}

/** These texts, which have no white space around them, count as empty; '' stands for blank texts. */
export function without(empty: ReadonlySet<string> | undefined, read: Read): Read {
  if (empty === undefined || empty.size === 0) return read;
  return (record) => {
    const raw = read(record);
    const text = raw === undefined ? undefined : withoutType(raw);
    return typeof text === 'string' && empty.has(text.trim()) ? undefined : raw;
  };
}

/** Dotted path within a JSON record; null and '' count as empty. */
function readPath(path: string): Read {
  const isPlain = !path.includes('.');
  return (record) => {
    const value = isPlain ? record.value(path) : valueAt(record.fields, path);
    if (value === null || value === '') return undefined;
    return isJsonObject(value) && Object.keys(value).length === 0 ? undefined : value;
  };
}

function missingColumn(table: Table, column: string, origin: Cell | undefined): Problem {
  const near = nearest(column, table.columns ?? []);
  const remedy =
    near === undefined ? `It has: ${(table.columns ?? []).join(', ')}.` : meantRemedy(column, near);
  return mappingProblem('unknown_column', origin, `${table.file} has no column ${column}. ${remedy}`);
}

function unknownColumn(table: Table, column: string, known: ReadonlySet<string>): Problem {
  const near = nearest(column, known);
  const remedy = near === undefined ? 'Remove it, or use a mapping file.' : `Did you mean ${near}?`;
  const cell = table.headerCell?.(column) ?? { file: table.file, line: 1, column };
  return mappingProblem(
    'unknown_column',
    cell,
    `The flat shape has no column ${column} in this file. ${remedy}`,
  );
}

type Tree = Map<string, Tree | string>;

/**
 * The value from a flat file for an object that the interface does not define: the object as JSON text in a column of
 * its name, or every column under its prefix, as text.
 */
export function openColumns({ prefix, without }: OpenColumnsSpec, table: string, columns: Columns): Spec {
  const names = columns.names(table);
  const whole = prefix.slice(0, -1);
  if (prefix !== '' && names.includes(whole))
    return { type: 'column', columns: [whole], convert: convertTo('json-object', interfaceFormats) };
  const tree: Tree = new Map();
  for (const name of names)
    if (name.startsWith(prefix) && !without.includes(name.slice(prefix.length)))
      plant(tree, name.slice(prefix.length).split('.'), name);
  return objectOf(tree);
}

/** A column whose place is taken, or that names no place, is left out and so reported as unknown. */
function plant(tree: Tree, path: readonly string[], column: string): void {
  const [name = '', ...rest] = path;
  if (name === '' || name === '__proto__') return;
  const there = tree.get(name);
  if (rest.length === 0) {
    if (there === undefined) tree.set(name, column);
  } else if (there === undefined) {
    const branch: Tree = new Map();
    tree.set(name, branch);
    plant(branch, rest, column);
  } else if (typeof there !== 'string') plant(there, rest, column);
}

function objectOf(tree: Tree): ObjectSpec {
  return {
    type: 'object',
    fields: [...tree].map(([name, at]) => [name, typeof at === 'string' ? textColumn(at) : objectOf(at)]),
  };
}

function textColumn(column: string): ColumnSpec {
  return { type: 'column', columns: [column], convert: convertTo('string', interfaceFormats) };
}

/** An object of these columns, each by its own name and as text. */
export function textColumns(columns: readonly string[]): ObjectSpec {
  return { type: 'object', fields: columns.map((column) => [column, textColumn(column)]) };
}
