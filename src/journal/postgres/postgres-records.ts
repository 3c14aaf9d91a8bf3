import { DatabaseRefused } from '../../domain/database-refused.ts';
import type {
  RecordReader,
  RecordRow,
  RecordSource,
  RecordTable,
  RecordTarget,
  RecordValue,
} from '../safety/records.ts';
import { JournalConnection, looking, type Access } from './connection.ts';
import { movedTo, refuseMoved } from './moved.ts';
import { migrations } from './migrations.ts';
import { refusePooling } from './pooling.ts';
import { refusalOf } from './refusal.ts';
import { prepare, refuseOutdated, versionOf } from './schema.ts';

/** Columns whose names the engine has for itself. */
const names: Readonly<Record<string, string>> = { column: 'col', user: 'login' };
const nameOf = (column: string): string => names[column] ?? column;

/** The values of a lease without a holder. */
const freeLease = { columns: ', host, pid, process_start, since, expires_at', values: ", '', 0, '', 0, 0" };

const ofStamp = 'SELECT count(*) AS writers, coalesce(sum(commits), 0)::bigint AS commits FROM writer';

/** The journal at an address, to be moved away. Throws DatabaseRefused. */
export async function postgresSource(access: Access): Promise<RecordSource> {
  const { address } = access;
  const ask = await asking(access, async (connection) => {
    await refuseOutdated(connection, address);
  });
  return {
    ...readerOf(ask, address.name),
    stamp: () => ask(stampOf),
    count: ({ name }) =>
      ask(async (connection) => {
        // Each writer has counts of its own: they are one row where they are read.
        const rowsOf =
          name === 'tally' ? '(SELECT DISTINCT supplier, step, state FROM tally) AS tallied' : name;
        const [row] = await connection.query<{ rows: number }>(`SELECT count(*) AS rows FROM ${rowsOf}`);
        return row?.rows ?? 0;
      }),
    movedTo: () => ask(movedTo),
    markMoved: (target, stamp) =>
      ask(async (connection) => {
        await connection.several('BEGIN; LOCK TABLE writer IN EXCLUSIVE MODE');
        const isSame = (await stampOf(connection)) === stamp;
        if (isSame) {
          await connection.several('DELETE FROM moved');
          await connection.change('INSERT INTO moved (target) VALUES ($1)', [target]);
        }
        await connection.several('COMMIT');
        return isSame;
      }),
  };
}

/** A schema that becomes a journal. Until then it has the table `moving`, and nobody opens it. Throws DatabaseRefused. */
export async function postgresTarget(access: Access): Promise<RecordTarget> {
  const { address } = access;
  const { schema } = address;
  const ask = await asking(access, async (connection) => {
    const other = await JournalConnection.open(access, looking);
    await refusePooling(address, connection, other).finally(() => other.close());
    if (await isMoving(connection, schema)) {
      const [row] = await connection.query<{ version: number }>('SELECT version FROM journal_version');
      if (row?.version === migrations.length) return;
      // An earlier version began it: it lacks what the records of this one have.
      await connection.several('DROP TABLE moving');
    } else if ((await versionOf(connection, address)) !== undefined) await refuseUsed(connection, access);
    await prepare(connection, address, true);
    await connection.several('CREATE TABLE moving (stamp text NOT NULL)');
  });
  return {
    ...readerOf(ask, address.name),
    begunFrom: () =>
      ask(async (connection) => {
        const [row] = await connection.query<{ stamp: string }>('SELECT stamp FROM moving');
        return row?.stamp;
      }),
    begin: (stamp) =>
      ask(async (connection) => {
        const tables = await connection.query<{ name: string }>(
          "SELECT quote_ident(tablename) AS name FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename NOT IN ('journal_version', 'journal_identity')",
          [schema],
        );
        await connection.several(`BEGIN; TRUNCATE ${tables.map(({ name }) => name).join(', ')}`);
        await connection.change('INSERT INTO moving (stamp) VALUES ($1)', [stamp]);
        await connection.several('COMMIT');
      }),
    lastKey: (table) =>
      ask(async (connection) => {
        const keys = table.key.map(nameOf);
        const [row] = await connection.query<Record<string, RecordValue>>(
          `SELECT ${keys.join(', ')} FROM ${table.name} ORDER BY ${keys.map((key) => `${key} DESC`).join(', ')} LIMIT 1`,
        );
        return row && rowOf(row, keys);
      }),
    add: (table, rows) =>
      ask(async (connection) => {
        const columns = [...table.key, ...table.others].map(nameOf);
        const isLease = table.name === 'lease';
        const places = rows.map(
          (_, at) =>
            `(${columns.map((_column, within) => `$${at * columns.length + within + 1}`).join(', ')}${isLease ? freeLease.values : ''})`,
        );
        await connection.change(
          `INSERT INTO ${table.name} (${columns.join(', ')}${isLease ? freeLease.columns : ''}) OVERRIDING SYSTEM VALUE
          VALUES ${places.join(', ')}`,
          rows.flat(),
        );
      }),
    publish: () =>
      ask(async (connection) => {
        // Numbers that are given from now on follow those that are there.
        const identities = await connection.query<{ name: string; sequence: string }>(
          `SELECT quote_ident(table_name) AS name, pg_get_serial_sequence(format('%I.%I', table_schema, table_name), 'id') AS sequence
          FROM information_schema.columns WHERE table_schema = $1 AND column_name = 'id' AND is_identity = 'YES'`,
          [schema],
        );
        const numbered = identities.map(
          ({ name, sequence }) =>
            `SELECT setval('${sequence}', greatest((SELECT max(id) FROM ${name}), 1), EXISTS (SELECT FROM ${name}))`,
        );
        await connection.several(['BEGIN', ...numbered, 'DROP TABLE moving', 'COMMIT'].join('; '));
        await connection.several('ANALYZE');
      }),
  };
}

async function isMoving(connection: JournalConnection, schema: string): Promise<boolean> {
  const [row] = await connection.query<{ is: boolean }>(
    `SELECT to_regclass('"${schema}".moving') IS NOT NULL AS is`,
  );
  return row?.is === true;
}

/** A journal that was opened and never used has nothing to lose. */
async function refuseUsed(connection: JournalConnection, { address }: Access): Promise<void> {
  const [row] = await connection.query<{ is_used: boolean }>(
    'SELECT EXISTS (SELECT FROM run) OR EXISTS (SELECT FROM account) AS is_used',
  );
  if (row?.is_used !== true) return;
  await refuseMoved(connection, address.name);
  throw new DatabaseRefused(
    'unwritable',
    `There is a journal in the schema ${address.schema} of ${address.name} already. Name another schema (?schema=NAME).`,
  );
}

type Ask = <T>(work: (connection: JournalConnection) => Promise<T>) => Promise<T>;

/** One connection for all questions, which says its errors in words for people. */
async function asking(
  access: Access,
  first: (connection: JournalConnection) => Promise<void>,
): Promise<Ask & { readonly close: () => Promise<void> }> {
  const { address } = access;
  let connection: JournalConnection | undefined;
  try {
    connection = await JournalConnection.open(access, looking);
    await first(connection);
  } catch (error) {
    await connection?.close();
    throw refusalOf(error, address);
  }
  const open = connection;
  const ask: Ask = (work) =>
    work(open).catch((error: unknown) => {
      throw refusalOf(error, address);
    });
  return Object.assign(ask, { close: () => open.close() });
}

async function stampOf(connection: JournalConnection): Promise<string> {
  const [row] = await connection.query<{ writers: number; commits: number }>(ofStamp);
  return `${row?.writers ?? 0} writers, ${row?.commits ?? 0} commits`;
}

function readerOf(ask: Ask & { readonly close: () => Promise<void> }, location: string): RecordReader {
  return {
    location,
    page: (table, after, limit) => ask((connection) => page(connection, table, after, limit)),
    close: ask.close,
  };
}

async function page(
  connection: JournalConnection,
  { name, key, others }: RecordTable,
  after: RecordRow | undefined,
  limit: number,
): Promise<readonly RecordRow[]> {
  const keys = key.map(nameOf);
  const columns = [...key, ...others].map(nameOf);
  const from =
    after === undefined
      ? ''
      : `WHERE (${keys.join(', ')}) > (${keys.map((_, at) => `$${at + 1}`).join(', ')})`;
  const order = `ORDER BY ${keys.join(', ')} LIMIT ${limit}`;
  // Each writer has counts of its own: their sum is the number.
  const text =
    name === 'tally'
      ? `SELECT supplier, step, state, sum(accounts)::bigint AS accounts FROM tally ${from} GROUP BY ${keys.join(', ')} ${order}`
      : `SELECT ${columns.join(', ')} FROM ${name} ${from} ${order}`;
  const rows = await connection.query<Record<string, RecordValue>>(text, after ?? []);
  return rows.map((row) => rowOf(row, columns));
}

function rowOf(row: Readonly<Record<string, RecordValue>>, columns: readonly string[]): RecordRow {
  return columns.map((column) => row[column] ?? null);
}
