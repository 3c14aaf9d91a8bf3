import type { TableSpec } from '../source/export.ts';
import { accountsTable, position, type MappingSpec } from './spec.ts';

/** The tables of a mapping; those of which it matters in which order an account's rows are say so. */
export function withOrders(spec: MappingSpec): readonly TableSpec[] {
  const ordered = new Set<string>();
  visit([spec.account, [...spec.sections.values()]], accountsTable, ordered);
  return spec.tables.map((table) => (ordered.has(table.name) ? { ...table, isOrdered: true } : table));
}

/** Adds the tables whose rows have their meaning by their positions, or of which one row is taken among several. */
function visit(part: unknown, parentTable: string, ordered: Set<string>): void {
  if (Array.isArray(part)) {
    for (const one of part as readonly unknown[]) visit(one, parentTable, ordered);
    return;
  }
  if (typeof part !== 'object' || part === null) return;
  const { type, table, match, take, order } = part as {
    readonly type?: unknown;
    readonly table?: unknown;
    readonly match?: readonly { readonly parent?: unknown }[];
    readonly take?: unknown;
    readonly order?: readonly unknown[];
  };
  const isRows = (type === 'rows' || type === 'row') && typeof table === 'string';
  if (isRows) {
    if (match?.some(({ parent }) => parent === position) === true) ordered.add(parentTable);
    // Rows that are alike in the order keep that of the file.
    const isChosen = take === 'first' || take === 'last' || (order ?? []).length > 0;
    if (type === 'row' && isChosen) ordered.add(table);
  }
  for (const value of Object.values(part)) visit(value, isRows ? table : parentTable, ordered);
}
