import type { TableSpec } from '../source/export.ts';
import { accountsTable, position, type MappingSpec, type RowSpec, type RowsSpec } from './spec.ts';

/** The tables of a mapping; those of which it matters in which order an account's rows are say so. */
export function withOrders(spec: MappingSpec): readonly TableSpec[] {
  const ordered = new Set<string>();
  visit([spec.account, [...spec.sections.values()]], accountsTable, ordered);
  return spec.tables.map((table) => (ordered.has(table.name) ? { ...table, isOrdered: true } : table));
}

/** Adds the tables whose rows have their meaning by their positions, or of which one row is taken among several. */
function visit(part: unknown, parentTable: string, ordered: Set<string>): void {
  if (typeof part !== 'object' || part === null) return;
  const rows = isRows(part) ? part : undefined;
  if (rows !== undefined) {
    if (rows.match.some(({ parent }) => parent === position)) ordered.add(parentTable);
    if (rows.type === 'row' && isChosen(rows)) ordered.add(rows.table);
  }
  for (const value of Object.values(part)) visit(value, rows?.table ?? parentTable, ordered);
}

function isRows(part: object): part is RowsSpec | RowSpec {
  return 'type' in part && (part.type === 'rows' || part.type === 'row');
}

/** Rows that are alike in the order keep that of the file. */
function isChosen({ take, order }: RowSpec): boolean {
  return take === 'first' || take === 'last' || order.length > 0;
}
