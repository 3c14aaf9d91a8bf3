import Database from 'better-sqlite3';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseFailure, unreachable, type QueryRow } from '../../src/source/database/connection.ts';
import { openPostgres } from '../../src/source/database/postgres.ts';
import { openSqlite } from '../../src/source/database/sqlite.ts';
import { ranHere } from '../cli/own-shell.ts';
import { lines, summaryOf, type Ended } from '../cli/tool.ts';
import { hasMariadb, startMariadb } from '../databases/start-mariadb.ts';
import { hasPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

/** A database of the old system, as each kind of server has it. */
interface OldSystem {
  /** The `source` of a mapping. */
  readonly source: string;
  readonly env: Record<string, string>;
  execute(sql: string): Promise<void>;
  remove(): Promise<void>;
}

const kinds: readonly {
  readonly name: string;
  readonly isHere: boolean;
  start(): Promise<OldSystem>;
  /** Types of columns. */
  readonly types: {
    readonly text: string;
    readonly big: string;
    readonly money: string;
    readonly at: string;
    readonly noted: string;
  };
  /** SQL that gives the numbers from 1 to 20,000 as n. */
  readonly series: string;
}[] = [
  {
    name: 'PostgreSQL',
    isHere: hasPostgres,
    async start() {
      const server = await startPostgres();
      return {
        source: `driver: postgres\n  url: ${server.url()}`,
        env: { MIGRATE_SOURCE_PASSWORD: server.password },
        execute: async (sql) => {
          await server.query(sql);
        },
        remove: () => server.remove(),
      };
    },
    types: {
      text: 'text',
      big: 'bigint',
      money: 'numeric(30,10)',
      at: 'timestamp',
      noted: '2024-07-01 12:00:00',
    },
    series: 'SELECT n FROM generate_series(1, 20000) AS s(n)',
  },
  {
    name: 'MariaDB (Debian package mariadb-server)',
    isHere: hasMariadb,
    async start() {
      const server = await startMariadb();
      return {
        source: `driver: mysql\n  url: ${server.url}`,
        env: { MIGRATE_SOURCE_PASSWORD: server.password },
        execute: (sql) => server.query(sql),
        remove: () => server.remove(),
      };
    },
    types: {
      text: 'varchar(100)',
      big: 'bigint',
      money: 'decimal(30,10)',
      at: 'datetime',
      noted: '2024-07-01 12:00:00',
    },
    series: 'SELECT seq AS n FROM seq_1_to_20000',
  },
  {
    name: 'SQLite',
    isHere: true,
    start() {
      const file = join(temporaryDirectory('databases-'), 'old.db');
      const db = new Database(file);
      return Promise.resolve({
        source: `driver: sqlite\n  file: ${file}`,
        env: {},
        execute: (sql) => Promise.resolve(void db.exec(sql)),
        remove: () => Promise.resolve(void db.close()),
      });
    },
    types: { text: 'text', big: 'integer', money: 'text', at: 'text', noted: '2024-07-01T12:00:00' },
    series: 'WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n FROM s',
  },
];

describe.each(kinds)('$name', (kind) => {
  const { isHere, types, series, name } = kind;
  let old: OldSystem;
  let cwd: string;
  const at = (file: string): string => join(cwd, file);

  beforeAll(async () => {
    if (!isHere) return;
    old = await kind.start();
    await old.execute(
      `CREATE TABLE kunden (id ${types.text}, big ${types.big}, amount ${types.money}, since date, noted ${types.at})`,
    );
    const id =
      name === 'MariaDB (Debian package mariadb-server)' ? 'lpad(n, 6, 0)' : "substr('000000' || n, -6)";
    const padded = name === 'PostgreSQL' ? "lpad(n::text, 6, '0')" : id;
    await old.execute(
      `INSERT INTO kunden SELECT ${padded}, 9007199254740993, '0.1000000001', '2024-03-31', '2024-03-31 02:30:00' FROM (${series}) AS q`,
    );
    await old.execute(`CREATE TABLE zaehler (kunde ${types.text}, nummer ${types.text}, art ${types.text})`);
    for (const art of ['ELECTRICITY', 'GAS'])
      await old.execute(
        `INSERT INTO zaehler SELECT ${padded}, concat_ws('-', '${art}', n), '${art}' FROM (${series}) AS q`.replace(
          /concat_ws\('-', ('\w+'), n\)/,
          name === 'SQLite' ? "$1 || '-' || n" : "concat_ws('-', $1, n)",
        ),
      );
    await old.execute(`CREATE TABLE notizen (kunde ${types.text}, body ${types.text}, noted ${types.at})`);
    await old.execute(`INSERT INTO notizen VALUES ('000017', 'Says "hi"\nÄ€😀', '${types.noted}')`);
  });
  afterAll(async () => {
    if (isHere) await old.remove();
  });

  /** The whole book, or the first accounts of it without their meters. */
  const write = (below?: string, changes: (text: string) => string = (text) => text): void => {
    cwd = temporaryDirectory('databases-');
    const where = below === undefined ? '' : `WHERE id < '${below}'`;
    const meters = below === undefined;
    writeFileSync(
      at('mapping.yaml'),
      changes(`version: 1
format: { datetimes: yyyy-mm-ddTHH:MM:SS, zone: Europe/Berlin }
tables:
  accounts: { query: "SELECT id AS ID, amount, since, noted, big FROM kunden ${where} ORDER BY id", key: id }
  remarks: { query: "SELECT kunde, body, noted FROM notizen ${below === undefined ? '' : "WHERE kunde = ''"};", key: kunde }
${meters ? '  meters: { query: "SELECT kunde, nummer, art FROM zaehler ORDER BY art, kunde", key: kunde }' : ''}
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  account_type: { constant: DOMESTIC }
  metadata:
    - { key: { constant: old }, value: { since: since, big: big, amount: amount, noted: noted } }
${
  meters
    ? `  supply_addresses:
    - supply_address: { street_address: { constant: 1 High Street }, locality: { constant: York }, postal_code: { constant: YO1 7HH }, country: { constant: GB } }
      supply_points: { from: meters, each: { identifier: nummer, supply_type: art } }`
    : ''
}
notes: { from: remarks, each: { body: body, created_at: noted } }
source:
  ${old.source}
`),
    );
  };
  /** Changes the mapping where it is. */
  const change = (from: string | RegExp, to: string): void =>
    writeFileSync(at('mapping.yaml'), readFileSync(at('mapping.yaml'), 'utf8').replace(from, to));
  const ran = (...args: string[]): Promise<Ended> =>
    ranHere([...args, '--mapping', 'mapping.yaml'], cwd, { env: old.env });

  it.skipIf(!isHere)('20,000 accounts are read from three tables, with exact values', async () => {
    write();
    const checked = await ran('validate', '--snapshot', 'book', '--json');
    expect(checked.stderr).not.toMatch(/not as of one moment/);
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 20_000 });
    const explained = await ran('explain', '000017', '--snapshot', 'book', '--json');
    const values = new Map(
      lines(explained.stdout).map(({ step, path, value }) => [`${String(step)} ${String(path)}`, value]),
    );
    expect(values.get('notes notes.0.body')).toBe('Says "hi"\nÄ€😀');
    expect(values.get('notes notes.0.created_at')).toBe('2024-07-01T10:00:00Z');
    const text = JSON.stringify([...values]);
    for (const exact of ['2024-03-31', '9007199254740993', '0.1000000001', 'ELECTRICITY-17', 'GAS-17'])
      expect(text).toContain(exact);
    expect(explained.stdout).toMatch(/"file":"meters.ndjson.gz"/);
  });

  it.skipIf(!isHere)(
    'a snapshot is read without the database, and refused where it was changed',
    async () => {
      write('000010');
      const first = await ran('validate', '--snapshot', 'book', '--json');
      expect(summaryOf(first.stdout)).toMatchObject({ accounts: 9 });
      const manifest = readFileSync(at('book/snapshot.manifest'), 'utf8');
      expect(JSON.parse(manifest)).toMatchObject({
        isConsistent: true,
        tables: [
          { name: 'accounts', rows: 9 },
          { name: 'remarks', rows: 0 },
        ],
      });
      expect(manifest).not.toContain('not a secret');
      const [row = ''] = gunzipSync(readFileSync(at('book/accounts.ndjson.gz')))
        .toString()
        .split('\n');
      expect(JSON.parse(row)).toMatchObject({ since: '2024-03-31', big: '9007199254740993' });
      // The database is out of reach.
      change(
        /(url|file): .*/,
        name === 'SQLite' ? 'file: none.db' : 'url: postgres://nobody@127.0.0.1:1/none',
      );
      for (const args of [['book'], ['--snapshot', 'book']])
        expect(summaryOf((await ran('validate', ...args, '--json')).stdout)).toMatchObject({ accounts: 9 });
      const reason =
        name === 'SQLite' ? String.raw`There is no file \S+/none\.db` : 'The database cannot be reached';
      expect((await ran('validate')).stderr).toMatch(
        new RegExp(String.raw`mapping\.yaml:\d+:source: ${reason}`),
      );
      // Without its manifest, it does not say which columns are numbers.
      mkdirSync(at('copied'));
      cpSync(at('book/accounts.ndjson.gz'), at('copied/accounts.ndjson.gz'));
      expect((await ran('validate', 'copied')).stderr).toMatch(
        /copied is no snapshot of the database that the mapping reads: it has no snapshot\.manifest/,
      );
      change('000010', '000011');
      expect((await ran('validate', 'book')).stderr).toMatch(
        /mapping\.yaml:4: The snapshot book was read with another query for accounts/,
      );
      change('000011', '000010');
      rmSync(at('book/remarks.ndjson.gz'));
      expect((await ran('validate', 'book')).stderr).toMatch(/remarks\.ndjson\.gz is missing or different/);
    },
  );

  it.skipIf(!isHere)(
    'a missing table, column or key is named with its line, and nothing is left',
    async () => {
      write('000010', (text) => text.replace('FROM kunden', 'FROM kunde'));
      const noTable = await ran('validate', '--snapshot', 'book');
      expect(noTable.code).toBe(2);
      expect(noTable.stderr).toMatch(/mapping\.yaml:4:tables\.accounts\.query: .*refuses the query: .*kunde/);
      write('000010', (text) => text.replace('body: body', 'body: text'));
      expect((await ran('validate')).stderr).toMatch(/mapping\.yaml:\d+:notes\S+ .*no column text/);
      write('000010', (text) => text.replace('key: id', 'key: number'));
      expect((await ran('validate')).stderr).toMatch(
        /mapping\.yaml:4:\S+ .*returns no column number for the account number/,
      );
      expect(readdirSync(cwd)).toEqual(['mapping.yaml']);
    },
  );

  it.skipIf(!isHere)('a run uses its snapshot until nothing is left to do, then reads again', async () => {
    write('000004');
    const stopped = await ran('run', '--limit', '1', '--json');
    expect(stopped.code, stopped.stderr).toBe(6);
    await old.execute("UPDATE kunden SET since = '2024-04-01' WHERE id < '000004'");
    try {
      const resumed = await ran('run', '--json');
      expect(resumed.stderr).toMatch(/Using the snapshot \.migrate\/snapshots\/mapping of/);
      expect(summaryOf(resumed.stdout)).toMatchObject({ accounts: { total: 3, completed: 3 } });
      const proof = await ran('reconcile', '--json');
      expect(summaryOf(proof.stdout)).toMatchObject({ matches: true, source: { accounts: 3 } });
      // The data of created accounts have changed meanwhile.
      const next = await ran('run', '--json');
      expect(next.stderr).toMatch(/Reading /);
      expect(summaryOf(next.stdout)).toMatchObject({ accounts: { rejected: 3 } });
    } finally {
      await old.execute("UPDATE kunden SET since = '2024-03-31' WHERE id < '000004'");
    }
  });

  it.skipIf(!isHere || name === 'SQLite')(
    'a lost connection is told, and nothing is sent or left (needs a server)',
    async () => {
      const port = Number(/:(\d+)\//.exec(old.source)?.[1]);
      const cut = await cutAfter(300_000, port);
      try {
        write(undefined, (text) => text.replace(`:${port}/`, `:${cut.port}/`));
        const lost = await ran('run', '--snapshot', 'book');
        expect(lost.code).toBe(2);
        expect(lost.stderr).toMatch(
          /mapping\.yaml:4:\S+ The connection to the database was lost: .*Run the same command again\. Rows of accounts read before: \d+/,
        );
        expect(readdirSync(cwd)).toEqual(['mapping.yaml']);
      } finally {
        cut.close();
      }
    },
  );

  it.skipIf(!isHere)('a number is a plain decimal, and a text follows the marks of the mapping', async () => {
    const money = name === 'SQLite' ? 'real' : 'decimal(10,3)';
    await old.execute(`CREATE TABLE beträge (id ${types.text}, number ${money}, txt ${types.text})`);
    await old.execute(`INSERT INTO beträge VALUES ('1', 1.234, '1.234'), ('2', -5, '12,5-')`);
    cwd = temporaryDirectory('databases-');
    const using = (column: string): void =>
      writeFileSync(
        at('mapping.yaml'),
        `version: 1
format: { decimal_mark: ',', thousands_mark: '.', sign: trailing }
tables: { accounts: { query: "SELECT id, number, txt FROM beträge ORDER BY id", key: id } }
account: { import_supplier: { constant: X }, transfer_balance: ${column} }
source:
  ${old.source}
`,
      );
    const balance = async (account: string, ...more: string[]): Promise<unknown> => {
      const ended = await ran('explain', ...more, account, '--snapshot', 'book', '--json');
      return lines(ended.stdout).find(({ path }) => path === 'transfer_balance')?.['value'];
    };
    using('number');
    await ran('validate', '--snapshot', 'book');
    expect(Number(await balance('1'))).toBe(1.234);
    expect(Number(await balance('2'))).toBe(-5);
    // Corrected rows of the database have the same types.
    mkdirSync(at('fixes'));
    writeFileSync(at('fixes/accounts.ndjson'), '{"id":"2","number":"0.234","txt":""}\n');
    expect(await balance('2', '--with', 'fixes')).toBe('0.234');
    using('txt');
    expect(await balance('1')).toBe('1234');
    expect(await balance('2')).toBe('-12.5');
  });

  it.skipIf(!isHere || name === 'SQLite')(
    'a date needs no format, and a text follows the one of the mapping (needs columns of dates)',
    async () => {
      await old.execute(
        `CREATE TABLE tarife (id ${types.text}, started date, noted ${types.at}, txt ${types.text})`,
      );
      await old.execute(`INSERT INTO tarife VALUES
        ('1', '1970-02-03', '2024-07-01 12:00:00', '03.02.1970'), ('2', '9999-12-31', '2024-07-01 00:00:00', '1970-02-03')`);
      cwd = temporaryDirectory('databases-');
      const using = (started: string): void =>
        writeFileSync(
          at('mapping.yaml'),
          `version: 1
format: { dates: dd.mm.yyyy, datetimes: 'dd.mm.yyyy HH:MM', zone: Europe/Berlin, empty: ['9999-12-31'] }
tables: { accounts: { query: "SELECT id, started, noted, txt FROM tarife ORDER BY id", key: id } }
account:
  import_supplier: { constant: X }
notes: { from: accounts, each: { body: id, created_at: noted } }
historical_statements: { from: accounts, each: { statement_id: id, bill_period_from_date: ${started} } }
source:
  ${old.source}
`,
        );
      const value = async (account: string, path: string, ...more: string[]): Promise<unknown> => {
        const ended = await ran('explain', ...more, account, '--snapshot', 'book', '--json');
        return lines(ended.stdout).find((line) => String(line['path']).endsWith(path))?.['value'];
      };
      const start = 'bill_period_from_date';
      using('started');
      expect((await ran('validate', '--snapshot', 'book')).stderr).not.toContain('error');
      expect(await value('1', start)).toBe('1970-02-03');
      expect(await value('1', 'notes.0.created_at')).toBe('2024-07-01T10:00:00Z');
      expect(await value('2', start)).toBeUndefined();
      // Corrected rows of the database have the same types.
      mkdirSync(at('fixes'));
      writeFileSync(at('fixes/accounts.ndjson'), '{"id":"2","started":"1980-05-06","noted":"2024-07-02"}\n');
      expect(await value('2', start, '--with', 'fixes')).toBe('1980-05-06');
      using('noted');
      expect(await value('2', start)).toBe('2024-07-01');
      expect((await ran('validate', 'book')).stdout).toMatch(
        /accounts\.ndjson\.gz:1:noted +lossy_conversion/,
      );
      using('txt');
      expect(await value('1', start)).toBe('1970-02-03');
      expect((await ran('validate', 'book')).stdout).toMatch(/accounts\.ndjson\.gz:2:txt +invalid_date/);
    },
  );

  it.skipIf(!isHere)('the database cannot be changed by a query', async () => {
    write('000004', (text) => text.replace(/SELECT kunde, body.*;/, 'DELETE FROM notizen;'));
    const ended = await ran('validate');
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/mapping\.yaml:5:tables\.remarks\.query: .*refuses the query/);
  });
});

/** A way to a server that breaks after so many bytes of its answers. */
async function cutAfter(bytes: number, port: number): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let left = bytes;
    client.on('error', () => undefined).pipe(upstream.on('error', () => undefined));
    client.on('close', () => upstream.destroy());
    upstream.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left > 0) client.write(chunk);
      else client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

describe.skipIf(!hasPostgres)('texts of PostgreSQL that are not UTF-8', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.remove());

  /** The refusal of a query of a database with this encoding, and its rows if there is none. */
  async function read(encoding: string, query: string): Promise<readonly QueryRow[]> {
    const url = server.url(encoding.toLowerCase());
    const connection = await openPostgres({ driver: 'postgres', url, password: server.password });
    const rows: QueryRow[] = [];
    try {
      for await (const batch of connection.read(query)) rows.push(...batch.rows);
      return rows;
    } finally {
      await connection.close();
    }
  }

  beforeAll(async () => {
    for (const [encoding, bytes] of [
      ['SQL_ASCII', '4dfc6c6c6572'],
      ['UTF8', '4dfc6c6c6572'],
      ['WIN1252', '4d816c'],
      ['EUC_JP', '8fff'],
    ] as const) {
      const database = encoding.toLowerCase();
      await server.query(`CREATE DATABASE ${database} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`);
      for (const sql of [
        // A program without a check, or a server of an earlier time, wrote them.
        'CREATE CAST (bytea AS text) WITHOUT FUNCTION',
        'CREATE TABLE k (id text, note varchar(20), "Full name" text)',
        `INSERT INTO k SELECT n, 'a\\b', CASE n WHEN 300 THEN '\\x${bytes}'::bytea::text ELSE 'plain' END FROM generate_series(1, 400) AS s(n)`,
      ])
        await server.query(sql, database);
    }
  });

  it.each(['SQL_ASCII', 'UTF8', 'WIN1252', 'EUC_JP'])(
    'are refused, and their column named: %s',
    async (encoding) => {
      const refusal = read(encoding, 'SELECT * FROM k;');
      await expect(refusal).rejects.toThrow(DatabaseFailure);
      await expect(refusal).rejects.toThrow(
        `The column Full name of the query has a text that is not valid in the database's encoding, ${encoding}, `,
      );
      expect(await read(encoding, 'SELECT id, note FROM k')).toHaveLength(400);
    },
  );

  it.each(['SQL_ASCII', 'UTF8'])('arrive with the remedy: %s', async (encoding) => {
    const refusal: unknown = await read(encoding, 'SELECT * FROM k').catch((error: unknown) => error);
    const [, remedy = ''] = /convert it in the query: (.*)\.$/.exec(String(refusal)) ?? [];
    const rows = await read(encoding, `SELECT id, ${remedy} FROM k WHERE id = '300'`);
    expect(rows).toEqual([['300', 'Müller']]);
  });

  it('a replacement character of the data itself is none', async () => {
    expect(await read('UTF8', "SELECT '1' AS id, U&'a\\FFFDb' AS note")).toEqual([['1', 'a\uFFFDb']]);
  });
});

it('a column of SQLite with numbers and texts that look like numbers is refused', async () => {
  const cwd = temporaryDirectory('databases-');
  new Database(join(cwd, 'old.db')).exec('CREATE TABLE unused (x)').close();
  writeFileSync(
    join(cwd, 'mapping.yaml'),
    `version: 1
source: { driver: sqlite, file: old.db }
tables: { accounts: { query: "SELECT '1' AS id, 1.5 AS x UNION ALL SELECT '2', '1.234'", key: id } }
account: { import_supplier: { constant: X }, transfer_balance: x }
`,
  );
  const ended = await ranHere(['validate', '--mapping', 'mapping.yaml'], cwd);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(
    /mapping\.yaml:3:tables\.accounts\.query: The column x has numbers, .*CAST\(x AS REAL\)/,
  );
});

it('a password in an address is refused, and not repeated', async () => {
  const cwd = temporaryDirectory('databases-');
  writeFileSync(
    join(cwd, 'mapping.yaml'),
    'version: 1\nsource: { driver: postgres, url: "postgres://me:hunter2@db/x" }\ntables: { accounts: { query: SELECT 1, key: id } }\naccount: {}\n',
  );
  const ended = await ranHere(['validate', '--mapping', 'mapping.yaml'], cwd);
  expect(ended).toMatchObject({ code: 2 });
  expect(ended.stderr).toMatch(/mapping\.yaml:2:source\.url: The address contains a password\. Remove it/);
  expect(ended.stderr).not.toContain('hunter2');
});

it('a module reads any other database, and its inexact values are refused', async () => {
  const cwd = temporaryDirectory('databases-');
  mkdirSync(join(cwd, 'old'));
  writeFileSync(
    join(cwd, 'old/odd.mjs'),
    `export function connect({ options, password }) {
      if (password !== 'pass word') throw new Error('wrong password');
      return { isConsistent: false, async *rows(query) {
        if (query === 'A') yield* [{ ID: '1', N: 5n }, { ID: '2', N: null }];
        else yield { ID: '1', AT: options.exact ? '2024-01-01' : new Date(0) };
      } };
    }`,
  );
  const mapping = (exact: boolean): void =>
    writeFileSync(
      join(cwd, 'old/mapping.yaml'),
      `version: 1
source: { driver: ./odd.mjs, options: { exact: ${exact ? 'yes' : "''"} } }
tables: { accounts: { query: A, key: ID }, remarks: { query: B, key: ID } }
account: { import_supplier: { constant: X } }
notes: { from: remarks, each: { body: AT } }
`,
    );
  const env = { MIGRATE_SOURCE_PASSWORD: 'pass word' };
  mapping(true);
  const ended = await ranHere(['validate', '--mapping', 'old/mapping.yaml', '--json'], cwd, { env });
  expect(summaryOf(ended.stdout)).toMatchObject({ accounts: 2 });
  expect(ended.stderr).toMatch(/read one after another, not as of one moment/);
  mapping(false);
  const inexact = await ranHere(['validate', '--mapping', 'old/mapping.yaml'], cwd, { env });
  expect(inexact.stderr).toMatch(/mapping\.yaml:3:tables\.remarks\.query: The column AT has a Date/);
});

it('a SQLite file that cannot be read is said to be missing, a directory, empty, or no database', () => {
  const file = join(temporaryDirectory('databases-'), 'old.db');
  const said = (): string => {
    try {
      openSqlite({ driver: 'sqlite', file });
    } catch (error) {
      return error instanceof DatabaseFailure ? `${error.code}: ${error.message}` : String(error);
    }
    return '';
  };
  const start = 'database_unreachable: ';
  expect(said()).toBe(
    `${start}There is no file ${file}. Correct file, which is relative to the mapping file, or put the database there.`,
  );
  mkdirSync(file);
  expect(said()).toContain(`${start}${file} is a directory.`);
  rmSync(file, { recursive: true });
  writeFileSync(file, '');
  expect(said()).toContain(`${start}The file ${file} is empty.`);
  writeFileSync(file, 'no database');
  expect(said()).toBe(
    `${start}The database ${file} cannot be opened: file is not a database. Name a SQLite file that is not encrypted.`,
  );
  rmSync(file);
});

it('a server that does not answer cannot be reached, and one that refuses the password denies access', () => {
  const failed = (message: string, code: string): string =>
    unreachable(Object.assign(new Error(message), { code })).message;
  expect(failed('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED')).toBe(
    'The database cannot be reached: connect ECONNREFUSED 127.0.0.1:5432. Check that it is running, its address and the network.',
  );
  expect(
    unreachable(new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })])).message,
  ).toContain('cannot be reached: x.');
  expect(failed('password authentication failed for user "u"', '28P01')).toContain(
    'The database denies access:',
  );
});
