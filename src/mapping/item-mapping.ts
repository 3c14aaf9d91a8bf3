import { joinPath } from '../domain/paths.ts';
import type { ContractField } from '../contract/tenancy/contract-field.ts';
import type { TableSpec } from '../source/export.ts';
import { filesOf, flatList, flatObject } from './flat-shape.ts';
import { flatShapeOfItem, type FlatItemShape } from './flat-rows.ts';
import { bindMapping } from './bind.ts';
import { fieldsOf, onlyField, type Fields, type Target } from './payload-shape.ts';
import type { Mapping } from './plan.ts';
import { accountsTable, type MappingSpec, type ObjectSpec, type RowsSpec } from './spec.ts';

/**
 * How the items of a step are read: each as an account is, with what identifies it as its number. From files in the shape of their
 * requests, JSON or flat CSV, or by a mapping file.
 */
export type ItemMapping = Pick<Mapping, 'tables' | 'lookups' | 'module' | 'bind'>;

/** The endings of files that a step's table may have, in the order in which they are looked for. */
const endings = ['.ndjson', '.json', '.jsonl', '.csv'];

/** The file among these that has the items of a step. */
export function itemFile(table: string, files: readonly string[]): string | undefined {
  return endings.map((ending) => table + ending).find((name) => files.includes(name));
}

/**
 * The mapping of items that have files of their own, `field`: what the contract documents of one. `files`: the names of the export's
 * tables; `taken`: those that flat accounts have, without `.csv`. undefined if none of the files is the step's.
 */
export function itemMapping(
  { table, identity }: { readonly table: string; readonly identity: string },
  field: ContractField,
  files: readonly string[],
  taken: ReadonlySet<string>,
): ItemMapping | undefined {
  const file = itemFile(table, files);
  if (file === undefined) return undefined;
  const names: FileNames = {
    of(name) {
      const own = `${table}_${name}`;
      return taken.has(name) || files.includes(`${own}.csv`) ? own : name;
    },
    has: (name) => files.includes(`${name}.csv`),
  };
  const flat = flatItem(fieldsOf(field), '', names);
  const children = file.endsWith('.csv') ? filesOf(flat).map((name) => ({ name, file: `${name}.csv` })) : [];
  const tables: TableSpec[] = [
    { name: accountsTable, file, role: 'accounts', key: identity },
    ...children
      .filter((child) => files.includes(child.file))
      .map((child) => ({ ...child, role: 'child' as const, key: identity })),
  ];
  const spec: MappingSpec = {
    tables,
    lookups: [],
    columns: 'known',
    empty: new Map(),
    ignore: new Map(),
    account: file.endsWith('.csv') ? flat : { type: 'record', supplier: undefined },
    sections: new Map(),
  };
  return { tables, lookups: [], bind: (found) => bindMapping(spec, found, new Map(), {}) };
}

/** How an item is written as flat CSV: what itemMapping reads, where each array of plain values or of single fields is in a cell. */
export function flatItemShape(
  { table, identity }: { readonly table: string; readonly identity: string },
  field: ContractField,
  taken: ReadonlySet<string>,
): FlatItemShape {
  const names: FileNames = {
    of: (name) => (taken.has(name) ? `${table}_${name}` : name),
    has: () => false,
  };
  return flatShapeOfItem(flatItem(fieldsOf(field), '', names), table, identity);
}

/** The files of a step's arrays. */
interface FileNames {
  /** The file of an array of this name: with the step's table before it where the accounts have a file of that name. */
  of(name: string): string;
  has(name: string): boolean;
}

/** The flat CSV shape of an item: an array has a file of its own, also within an object. */
function flatItem(fields: Fields, column: string, names: FileNames): ObjectSpec {
  const specs = [...fields].flatMap(([name, target]): ObjectSpec['fields'] => {
    const at = joinPath(column, name);
    if (target.type === 'object') return [[name, flatItem(target.fields, at, names)]];
    if (target.type !== 'list') return flatObject(new Map([[name, target]]), column, 'account').fields;
    const file = names.of(name);
    const isWrapped = onlyField(target.element) !== undefined;
    return isWrapped && names.has(file)
      ? [[name, { type: 'list', parts: [everyRow(target.element, file)] }]]
      : [[name, flatList(target.element, at, `account.${file}`)]];
  });
  return { type: 'object', fields: specs };
}

/** Objects of a single field, which may also be in one cell of the item. */
function everyRow(element: Target, file: string): RowsSpec {
  const each = element.type === 'object' ? flatObject(element.fields, '', `account.${file}`) : undefined;
  if (each === undefined) throw new Error(`${file} has no fields`);
  return { type: 'rows', table: file, where: [], match: [], order: [], distinct: [], onlyParent: true, each };
}
