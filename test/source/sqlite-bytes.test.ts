import Database from 'better-sqlite3';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite } from '../../src/source/database/sqlite.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

/** All values of a query, by row. */
async function valuesOf(sql: readonly string[], query: string, encoding = 'UTF-8') {
  const file = join(temporaryDirectory('sqlite-bytes-'), 'old.db');
  const db = new Database(file);
  db.pragma(`encoding = '${encoding}'`);
  for (const one of sql) db.exec(one);
  db.close();
  const connection = openSqlite({ driver: 'sqlite', file });
  const rows: unknown[] = [];
  try {
    for await (const batch of connection.read(query)) rows.push(...batch.rows);
  } finally {
    await connection.close();
  }
  return rows;
}

const table = 'CREATE TABLE t (id INTEGER, name TEXT, n REAL)';

test('the bytes of a text that is no UTF-8 stay as they are, and U+FFFD that is in the text is text', async () => {
  const rows = await valuesOf(
    [
      table,
      "INSERT INTO t VALUES (1, 'Müller', 1.5)",
      "INSERT INTO t VALUES (2, CAST(x'4DFC6C6C6572' AS TEXT), 2)",
      "INSERT INTO t VALUES (3, 'M' || char(0xfffd), 3)",
      "INSERT INTO t VALUES (4, CAST(x'4D80' AS TEXT), NULL)",
    ],
    'SELECT id, name, n FROM t ORDER BY id DESC -- all',
  );
  expect(rows).toEqual([
    ['4', Buffer.from('4D80', 'hex'), null],
    ['3', 'M\ufffd', '3'],
    ['2', Buffer.from('4DFC6C6C6572', 'hex'), '2'],
    ['1', 'Müller', '1.5'],
  ]);
});

test('columns of the same name, or without one, do not hide bytes that are no text', async () => {
  const bad = "CAST(x'FF41' AS TEXT)";
  expect(await valuesOf([table], `SELECT ${bad}, 'a' AS a, ${bad} AS a;`)).toEqual([
    [Buffer.from('FF41', 'hex'), 'a', Buffer.from('FF41', 'hex')],
  ]);
});

test('texts of a database in UTF-16 are read', async () => {
  expect(
    await valuesOf([table, "INSERT INTO t VALUES (1, 'Müller', 1)"], 'SELECT name FROM t', 'UTF-16'),
  ).toEqual([['Müller']]);
});
