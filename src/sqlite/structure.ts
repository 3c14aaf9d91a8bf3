import type Database from 'better-sqlite3';

/**
 * The tables, columns and indexes of a database by their names (`table part`, `column words of part`, `index by_number`), each
 * with what defines it: for comparing.
 */
export type Structure = ReadonlyMap<string, string>;

/** Something of a structure that a database lacks, or has otherwise. */
export interface Flaw {
  readonly name: string;
  readonly is: 'missing' | 'different';
}

export function structureOf(db: Database.Database): Structure {
  const found = new Map<string, string>();
  const tables = db.prepare<[], TableRow>(
    `SELECT name, wr, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`,
  );
  const columns = db.prepare<[string], ColumnRow>(
    'SELECT name, type, "notnull" AS required, pk FROM pragma_table_info(?)',
  );
  for (const { name: table, wr, strict } of tables.all()) {
    found.set(`table ${table}`, `${wr} ${strict}`);
    for (const { name, type, required, pk } of columns.all(table))
      found.set(`column ${name} of ${table}`, `${type} ${required} ${pk}`);
  }
  const indexes = db.prepare<[], { name: string; sql: string }>(
    "SELECT name, sql FROM main.sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
  );
  for (const { name, sql } of indexes.all()) found.set(`index ${name}`, sql.replace(/\s+/g, ' '));
  return found;
}

/** What a database lacks of the structure that it should have. It may have more. */
export function flawsOf(found: Structure, meant: Structure): readonly Flaw[] {
  return [...meant].flatMap(([name, text]): Flaw[] => {
    const own = found.get(name);
    if (own === text) return [];
    if (own !== undefined) return [{ name, is: 'different' }];
    const [, table] = /^column .* of (.*)$/.exec(name) ?? [];
    return table !== undefined && !found.has(`table ${table}`) ? [] : [{ name, is: 'missing' }];
  });
}

/** For people. */
export function flawText({ name, is }: Flaw): string {
  return is === 'missing' ? `The ${name} is missing.` : `The ${name} is not as this tool makes it.`;
}

interface TableRow {
  readonly name: string;
  readonly wr: number;
  readonly strict: number;
}

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly required: number;
  readonly pk: number;
}
