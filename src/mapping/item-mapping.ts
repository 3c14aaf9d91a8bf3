import { joinPath } from '../domain/paths.ts';
import type { ContractField } from '../contract/tenancy/contract-field.ts';
import type { TableSpec } from '../source/export.ts';
import { filesOf, flatObject } from './flat-shape.ts';
import { bindMapping } from './bind.ts';
import { fieldsOf, type Fields } from './payload-shape.ts';
import type { BoundMapping, MappingProblems } from './plan.ts';
import type { Table } from '../source/export.ts';
import { accountsTable, type MappingSpec, type ObjectSpec } from './spec.ts';

/** How the items of a step that a profile adds are read: in the shape of their requests, JSON or flat CSV. */
export interface ItemMapping {
  readonly tables: readonly TableSpec[];
  /** The builder of items: each is read as an account is, with what identifies it as its number. */
  bind(tables: readonly Table[]): BoundMapping | MappingProblems;
}

/** The endings of files that a step's table may have, in the order in which they are looked for. */
const endings = ['.ndjson', '.json', '.jsonl', '.csv'];

/** The file among these that has the items of a step. */
export function itemFile(table: string, files: readonly string[]): string | undefined {
  return endings.map((ending) => table + ending).find((name) => files.includes(name));
}

/**
 * The mapping of items, `field`: what the contract documents of one. `files`: the names of the export's tables. undefined if none of
 * them is the step's.
 */
export function itemMapping(
  { table, identity }: { readonly table: string; readonly identity: string },
  field: ContractField,
  files: readonly string[],
): ItemMapping | undefined {
  const file = itemFile(table, files);
  if (file === undefined) return undefined;
  const flat = flatItem(fieldsOf(field), '');
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
  return { tables, bind: (found) => bindMapping(spec, found, new Map(), {}) };
}

/** The flat CSV shape of an item: an array has the file of its own name, also within an object. */
function flatItem(fields: Fields, column: string): ObjectSpec {
  const specs = [...fields].flatMap(([name, target]): ObjectSpec['fields'] =>
    target.type === 'object'
      ? [[name, flatItem(target.fields, joinPath(column, name))]]
      : flatObject(new Map([[name, target]]), column, 'account').fields,
  );
  return { type: 'object', fields: specs };
}
