import type { JournalConnection } from './connection.ts';
import { structureAdded } from './structure-added.ts';

/** What a journal's schema of this version lacks, each as a sentence; nothing if it is whole. */
export async function flawsIn(
  connection: JournalConnection,
  schema: string,
  version: number,
): Promise<readonly string[]> {
  const rows = await connection.query<{ name: string }>(structureQuery, [schema]);
  const found = new Set(rows.map(({ name }) => name));
  const tables = new Set([...found].map(tableOf));
  const flaws = meantStructure(version)
    .filter((name) => !found.has(name))
    .map((name) => flawText(name, tables));
  return [...new Set(flaws)];
}

function flawText(name: string, tables: ReadonlySet<string>): string {
  if (name.startsWith('index ')) return `The ${name} is missing.`;
  const table = tableOf(name);
  if (!tables.has(table)) return `The table ${table} is missing.`;
  const [column] = name.slice(table.length + 1).split(' ');
  return `The column ${column} of ${table} is missing, or has another type.`;
}

function tableOf(name: string): string {
  return name.split('.')[0] ?? name;
}

/** The columns (`table.column type`, with `!` where a value is required) and indexes of a version, by their names. */
export function meantStructure(version: number): readonly string[] {
  const names = new Set<string>();
  for (const { adds, drops = [] } of structureAdded.slice(0, version)) {
    for (const name of [...names]) if (drops.includes(tableOf(name))) names.delete(name);
    for (const line of adds) {
      const [table = '', columns] = line.split(': ');
      if (columns === undefined) names.add(line);
      else for (const column of columns.split(', ')) names.add(`${table}.${column}`);
    }
  }
  return [...names];
}

/** The same of a schema as it is, whatever its user may read. */
export const structureQuery = `
  SELECT relname || '.' || attname || ' ' || format_type(atttypid, NULL) || CASE WHEN attnotnull THEN '!' ELSE '' END AS name
  FROM pg_catalog.pg_attribute JOIN pg_catalog.pg_class ON pg_class.oid = attrelid
  WHERE relnamespace = to_regnamespace($1) AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
  UNION ALL SELECT 'index ' || indexname FROM pg_catalog.pg_indexes WHERE schemaname = $1`;
