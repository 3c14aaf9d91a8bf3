import { spelledAs } from '../../domain/nearest.ts';
import type { Mapping } from '../../mapping/plan.ts';
import { mappingProblem } from '../../mapping/mapping-problem.ts';
import type { ExportFault, TableSpec } from '../../source/export.ts';

/** The conversion of a column to an exact type, by the driver of the database. */
const casts: Readonly<Record<string, (column: string) => string>> = {
  postgres: (column) => `CAST(${column} AS numeric(12, 2))`,
  mysql: (column) => `CAST(${column} AS DECIMAL(12, 2))`,
  // SQLite has no exact type.
  sqlite: (column) => `CAST(printf('%.2f', ${column}) AS TEXT)`,
};

/** Warnings about columns of a binary floating-point type that the mapping uses as money. */
export function binaryFloats(mapping: Mapping, tables: readonly TableSpec[]): ExportFault[] {
  const cast = casts[mapping.source?.driver ?? ''];
  if (cast === undefined) return [];
  const told = new Set<string>();
  return (mapping.amounts ?? []).flatMap(({ table, column, origin }) => {
    const floats = tables.find(({ name }) => name === table)?.floats ?? [];
    const spelled = spelledAs(column, floats);
    const place = JSON.stringify([table, spelled]);
    if (spelled === undefined || told.has(place)) return [];
    told.add(place);
    const detail =
      `The column ${spelled} of ${table} has a binary floating-point type, which most amounts of money do not fit exactly: ` +
      `2.99 may be read as 2.9900000000000002. Write ${cast(spelled)} AS ${spelled} in the query.`;
    return [
      { ...mappingProblem('binary_float', origin, detail, 'warning'), holdsBack: false, isRemark: true },
    ];
  });
}
