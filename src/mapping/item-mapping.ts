import type { ContractField } from '../contract/tenancy/contract-field.ts';
import type { TableSpec } from '../source/export.ts';
import { filesOf, flatObject } from './flat-shape.ts';
import { bindMapping } from './bind.ts';
import { fieldsOf } from './payload-shape.ts';
import type { BoundMapping, MappingProblems } from './plan.ts';
import type { Table } from '../source/export.ts';
import { accountsTable, type MappingSpec } from './spec.ts';

/** How the items of a step that a profile adds are read: in the shape of their requests, JSON or flat CSV. */
export interface ItemMapping {
  readonly tables: readonly TableSpec[];
  /** The builder of items: each is read as an account is, with what identifies it as its number. */
  bind(tables: readonly Table[]): BoundMapping | MappingProblems;
}

/** The endings of files that a step's table may have, in the order in which they are looked for. */
const endings = ['.ndjson', '.json', '.jsonl', '.csv'];

/**
 * The mapping of items, `field`: what the contract documents of one. `files`: the names of the export's tables. undefined if none of
 * them is the step's.
 */
export function itemMapping(
  { table, identity }: { readonly table: string; readonly identity: string },
  field: ContractField,
  files: readonly string[],
): ItemMapping | undefined {
  const file = endings.map((ending) => table + ending).find((name) => files.includes(name));
  if (file === undefined) return undefined;
  const flat = flatObject(fieldsOf(field), '', 'account');
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
