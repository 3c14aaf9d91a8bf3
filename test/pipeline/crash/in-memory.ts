import { journalSpec } from '../../../src/journal/sqlite/schema.ts';
import { sqliteJournal } from '../../../src/journal/sqlite/sqlite-driver.ts';
import { openDatabase, type Sqlite } from '../../../src/sqlite/open-database.ts';
import type { OpenJournal } from './play.ts';

/** The SQLite journal with its file in memory: what is committed outlives whoever opened it. */
export function inMemoryJournal(): OpenJournal {
  const db = openDatabase(':memory:', { ...journalSpec, synchronous: 'NORMAL' });
  shareStatements(db);
  return () => sqliteJournal(db, ':memory:');
}

/** Most of the time of opening goes into preparing statements: they are prepared once for all who open. */
function shareStatements(db: Sqlite): void {
  const prepare = db.prepare.bind(db);
  const prepared = new Map<string, unknown>();
  db.prepare = ((sql: string) => {
    const statement = prepared.get(sql) ?? prepare(sql);
    prepared.set(sql, statement);
    return statement;
  }) as typeof db.prepare;
}
