import { existsSync } from 'node:fs';
import { removeFile } from '../../domain/remove-file.ts';
import { DatabaseRefused } from '../../domain/database-refused.ts';
import { versionOf } from '../../sqlite/migrate.ts';
import { openAsItIs, openDatabase, type DatabaseSpec, type Sqlite } from '../../sqlite/open-database.ts';
import type {
  RecordReader,
  RecordRow,
  RecordSource,
  RecordTable,
  RecordTarget,
  RecordValue,
} from '../safety/records.ts';
import { markPath } from '../safety/mark-file.ts';
import { journalRefusal } from './locked.ts';
import { movedTo, refuseMoved } from './moved.ts';
import { journalSpec } from './schema.ts';
import { renameOver } from '../../domain/rename-over.ts';

const spec: DatabaseSpec = { ...journalSpec, synchronous: 'FULL' };

/** Earlier ones do not know where a journal was moved to. */
const versionOfMoves = 16;

/** What a run of this program writes into a lease without a holder. */
const freeLease = ", '', 0, '', 0, 0";

/** The journal in this file, to be moved away. Throws DatabaseRefused. */
export function sqliteSource(file: string): RecordSource {
  const db = opened(file, false);
  return {
    ...readerOf(db, file),
    stamp: async () => Promise.resolve(stampOf(db)),
    count: async ({ name }) =>
      Promise.resolve(db.prepare<[], number>(`SELECT count(*) FROM "${name}"`).pluck().get() ?? 0),
    movedTo: async () => Promise.resolve(movedTo(db)),
    markMoved: async (target, stamp) => {
      const mark = db.transaction(() => {
        if (stampOf(db) !== stamp) return false;
        db.prepare('DELETE FROM moved').run();
        db.prepare('INSERT INTO moved (target) VALUES (?)').run(target);
        return true;
      });
      return Promise.resolve(mark.immediate());
    },
  };
}

/** A file that becomes a journal: filled beside its place, and moved there at the end. Throws DatabaseRefused. */
export function sqliteTarget(file: string): RecordTarget {
  if (existsSync(file)) {
    const db = openAsItIs(file, spec);
    try {
      if (versionOf(db, spec, file) >= versionOfMoves) refuseMoved(db, file);
    } finally {
      db.close();
    }
    throw new DatabaseRefused(
      'unwritable',
      `There is a journal at ${file} already. Name another place, or move it away.`,
    );
  }
  const draft = `${file}.moving`;
  if (isOlder(draft)) removeFiles(draft);
  let db = openedDraft(draft);
  const removed = (): void => {
    db.close();
    removeFiles(draft);
  };
  return {
    location: file,
    page: async (table, after, limit) => Promise.resolve(page(db, table, after, limit)),
    close: async () => {
      db.close();
      return Promise.resolve();
    },
    begunFrom: async () => Promise.resolve(db.prepare<[], string>('SELECT stamp FROM moving').pluck().get()),
    begin: async (stamp) => {
      removed();
      db = openedDraft(draft);
      db.exec('DELETE FROM conclusion');
      db.prepare('INSERT INTO moving (stamp) VALUES (?)').run(stamp);
      return Promise.resolve();
    },
    lastKey: async (table) => Promise.resolve(lastKey(db, table)),
    add: async (table, rows) => {
      const columns = [...table.key, ...table.others].map((name) => `"${name}"`);
      const places = columns.map(() => '?').join(', ');
      const isLease = table.name === 'lease';
      const free = isLease ? ', host, pid, process_start, since, expires_at' : '';
      const insert = db.prepare(
        `INSERT INTO "${table.name}" (${columns.join(', ')}${free}) VALUES (${places}${isLease ? freeLease : ''})`,
      );
      db.transaction(() => rows.forEach((row) => insert.run(...row))).immediate();
      return Promise.resolve();
    },
    publish: async () => {
      db.exec('DROP TABLE moving');
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
      // Of a journal that was here before.
      removeFile(markPath(file));
      renameOver(draft, file);
      return Promise.resolve();
    },
  };
}

/** Whether an earlier version began the draft: it lacks what the records of this one have. */
function isOlder(draft: string): boolean {
  if (!existsSync(draft)) return false;
  const db = openAsItIs(draft, spec);
  try {
    return versionOf(db, spec, draft) < spec.migrations.length;
  } finally {
    db.close();
  }
}

function removeFiles(file: string): void {
  for (const end of ['', '-wal', '-shm']) removeFile(file + end);
}

function openedDraft(draft: string): Sqlite {
  const db = opened(draft, true);
  db.exec('CREATE TABLE IF NOT EXISTS moving (stamp TEXT NOT NULL)');
  return db;
}

function opened(file: string, create: boolean): Sqlite {
  try {
    return openDatabase(file, spec, { create });
  } catch (error) {
    throw journalRefusal(error, file);
  }
}

function readerOf(db: Sqlite, location: string): RecordReader {
  return {
    location,
    page: async (table, after, limit) => Promise.resolve(page(db, table, after, limit)),
    close: async () => {
      db.close();
      return Promise.resolve();
    },
  };
}

function stampOf(db: Sqlite): string {
  return db.prepare<[], string>('SELECT text FROM stamp').pluck().get() ?? '';
}

function page(
  db: Sqlite,
  { name, key, others }: RecordTable,
  after: RecordRow | undefined,
  limit: number,
): readonly RecordRow[] {
  const columns = [...key, ...others].map((column) => `"${column}"`).join(', ');
  const keys = key.map((column) => `"${column}"`).join(', ');
  const from = after === undefined ? '' : `WHERE (${keys}) > (${key.map(() => '?').join(', ')})`;
  return db
    .prepare<RecordValue[], RecordRow>(
      `SELECT ${columns} FROM "${name}" ${from} ORDER BY ${keys} LIMIT ${limit}`,
    )
    .raw()
    .all(...(after ?? []));
}

function lastKey(db: Sqlite, { name, key }: RecordTable): RecordRow | undefined {
  const keys = key.map((column) => `"${column}"`);
  return db
    .prepare<[], RecordRow>(
      `SELECT ${keys.join(', ')} FROM "${name}" ORDER BY ${keys.map((one) => `${one} DESC`).join(', ')} LIMIT 1`,
    )
    .raw()
    .get();
}
