import Database from 'better-sqlite3';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ranHere } from './own-shell.ts';
import { lines, summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

function sqlite(file: string, sql: string): void {
  const db = new Database(join(space.directory, file));
  db.exec(sql);
  db.close();
}

const oneSpace = (text: string): string => text.replaceAll(/\s+/g, ' ');

interface Written {
  readonly source: unknown;
  readonly tables: Readonly<Record<string, { readonly key: string; readonly query: string }>>;
  readonly account: unknown;
}

async function guessed(...args: readonly string[]) {
  const made = await ranHere(['init', ...args, '--json'], space.directory);
  expect(made.stderr).toBe('');
  const text = readFileSync(join(space.directory, 'mapping.yaml'), 'utf8');
  return { summary: summaryOf(made.stdout), text, ...(parse(text) as Written) };
}

/** A shop by ids, as most applications have it. */
const shop = `
  CREATE TABLE country (country_id INTEGER PRIMARY KEY, iso TEXT);
  CREATE TABLE city (city_id INTEGER PRIMARY KEY, name TEXT, country_id INTEGER REFERENCES country);
  CREATE TABLE address (address_id INTEGER PRIMARY KEY, street TEXT, postal_code TEXT, city_id INTEGER REFERENCES city (city_id));
  CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, last_name TEXT, password TEXT, picture BLOB);
  CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, email TEXT,
    billing_address_id INTEGER REFERENCES address (address_id), shipping_address_id INTEGER REFERENCES address (address_id),
    helper INTEGER REFERENCES staff (staff_id));
  CREATE TABLE invoice (invoice_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (customer_id), day TEXT, total NUMERIC);
  CREATE TABLE line (invoice_id INTEGER REFERENCES invoice (invoice_id), "order" INTEGER, amount NUMERIC, scan BLOB, PRIMARY KEY (invoice_id, "order"));
  CREATE TABLE state (state_id INTEGER PRIMARY KEY, label TEXT);
  INSERT INTO country VALUES (1, 'GB');
  INSERT INTO city VALUES (1, 'Leeds', 1), (2, 'York', 1);
  INSERT INTO address VALUES (1, '1 High Street', 'LS1 1AA', 1), (2, '2 Low Street', 'YO1 7AA', 2);
  INSERT INTO staff VALUES (1, 'Boss', 'hush', x'00ff');
  INSERT INTO customer VALUES (1, 'Ann', 'Lee', 'ann@example.com', 2, 1, 1), (2, 'Bob', 'Roe', 'bob@example.com', 1, 1, NULL);
  INSERT INTO invoice VALUES (1, 2, '2024-05-01', 12.5), (2, 1, '2024-05-02', 7);
  INSERT INTO line VALUES (1, 1, 12.5, x'00ff'), (2, 1, 7, NULL);
  INSERT INTO state VALUES (1, 'x'), (2, 'y');
`;

describe('init of a SQLite file', () => {
  it('suggests transactions of a column with a time of day by its day', async () => {
    sqlite(
      'pay.db',
      `CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name TEXT);
       CREATE TABLE payment (payment_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, paid_at TEXT, amount NUMERIC);
       INSERT INTO customer VALUES (1, 'Ann Lee'), (2, 'Bob Roe');
       INSERT INTO payment VALUES (11, 1, '2024-05-01 10:11:12', 12.5), (12, 2, '2024-05-02 23:59:59', 7.25);`,
    );
    await guessed('pay.db');
    const file = join(space.directory, 'mapping.yaml');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('transaction_date: { column: paid_at, date: "yyyy-mm-dd HH:MM:SS" }');
    writeFileSync(file, text.replace('# transactions:', 'transactions:'));
    const { stdout } = await ranHere(['explain', '2', '--supplier', 'X'], space.directory);
    expect(stdout).toMatch(/transaction_date: "2024-05-02" /);
  });

  it('writes the declared joins into queries, so that the first account is valid', async () => {
    sqlite('shop.db', shop);
    const { summary, source, tables, account, text } = await guessed('shop.db');
    expect(summary).toMatchObject({ accounts: { file: 'customer', key: 'customer_id' }, tables: 8 });
    expect(source).toEqual({ driver: 'sqlite', file: 'shop.db' });
    expect(Object.keys(tables)).toEqual(['accounts', 'invoice', 'line']);
    expect(tables['accounts']?.query).toContain(
      'LEFT JOIN address AS a ON a.address_id = c.billing_address_id',
    );
    expect(tables['accounts']?.query).toContain(
      'LEFT JOIN address AS a2 ON a2.address_id = c.shipping_address_id',
    );
    expect(tables['line']).toMatchObject({ key: 'customer_id' });
    expect(tables['line']?.query).toContain('LEFT JOIN invoice AS i ON i.invoice_id = l.invoice_id');
    expect(account).toEqual({
      billing_address: {
        street_address: 'street',
        postal_code: 'postal_code',
        locality: 'city_name',
        country: 'country_iso',
      },
      customers: [{ given_name: 'first_name', family_name: 'last_name', email: 'email' }],
    });
    expect(text).toContain('# state: nothing leads from its rows to an account');
    expect(text).not.toMatch(/hush|password|picture|scan/);
    const checked = await ranHere(['validate', '--supplier', 'TENTACLE_ENERGY', '--json'], space.directory);
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 2, valid: 2, problems: 0 });
    const explained = await ranHere(['explain', '1', '--supplier', 'TENTACLE_ENERGY'], space.directory);
    expect(oneSpace(explained.stdout)).toMatch(/street_address: "2 Low Street" .*locality: York /);
  });

  it('joins by keys of several columns, and makes one number of them', async () => {
    sqlite(
      'billing.sqlite',
      `CREATE TABLE vertragskonto (mandant INTEGER, konto_nr TEXT, nachname TEXT, PRIMARY KEY (mandant, konto_nr));
       CREATE TABLE rechnung (mandant INTEGER, rech_nr INTEGER, konto_nr TEXT, datum TEXT, PRIMARY KEY (mandant, rech_nr),
         FOREIGN KEY (mandant, konto_nr) REFERENCES vertragskonto (mandant, konto_nr));
       CREATE TABLE position (mandant INTEGER, rech_nr INTEGER, pos INTEGER, betrag NUMERIC, PRIMARY KEY (mandant, rech_nr, pos),
         FOREIGN KEY (mandant, rech_nr) REFERENCES rechnung);
       INSERT INTO vertragskonto VALUES (1, 'A', 'Muster'), (2, 'A', 'Probe');
       INSERT INTO rechnung VALUES (1, 7, 'A', '2024-05-01'), (2, 7, 'A', '2024-05-02');
       INSERT INTO position VALUES (1, 7, 1, 12.5), (2, 7, 1, 3);`,
    );
    const { tables } = await guessed('billing.sqlite');
    expect(Object.keys(tables)).toEqual(['accounts', 'rechnung', 'position']);
    expect(tables['position']?.query).toContain('ON r.mandant = p.mandant AND r.rech_nr = p.rech_nr');
    const mapping = readFileSync(join(space.directory, 'mapping.yaml'), 'utf8');
    writeFileSync(
      join(space.directory, 'mapping.yaml'),
      `${mapping}\nnotes: { from: position, each: { body: betrag, created_at: { constant: '2024-01-01T00:00:00Z' } } }\n`,
    );
    const explained = await ranHere(['explain', '2-A', '--supplier', 'X', '--json'], space.directory);
    expect(explained.stdout).toContain('"path":"notes.0.body","value":"3"');
    expect(explained.stdout).not.toContain('12.5');
  });

  it('joins by names where a database declares no references, and only then', async () => {
    const tables = `CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE bills (id INTEGER PRIMARY KEY, customer_id INTEGER);
      INSERT INTO customers VALUES (1, 'Ann'), (2, 'Bob'); INSERT INTO bills VALUES (1, 2), (2, 1), (3, 1);`;
    sqlite('old.db', tables);
    expect((await guessed('old.db')).tables['bills']).toMatchObject({ key: 'customer_id' });
    sqlite(
      'new.db',
      `${tables} CREATE TABLE notes (id INTEGER PRIMARY KEY, bill INTEGER REFERENCES bills (id), customer INTEGER REFERENCES customers (id));`,
    );
    await ranHere(['init', 'new.db'], space.directory);
  });

  it.each([
    ['strasse TEXT, "hausNr" TEXT', "{ template: '{strasse} {hausNr}' }", 'High Street 5a'],
    ['street_name TEXT, house_no TEXT', "{ template: '{house_no} {street_name}' }", '5a High Street'],
  ])('joins a street and its number: %s', async (columns, written, street) => {
    sqlite(
      'homes.db',
      `CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name TEXT, ${columns}, city TEXT);
       INSERT INTO customer VALUES (1, 'Ann Lee', 'High Street', '5a', 'Leeds'), (2, 'Bob Roe', 'Low Street', '6', 'York');`,
    );
    const { text } = await guessed('homes.db');
    expect(text).toContain(`street_address: ${written}`);
    expect(text).not.toMatch(/# +house_no:|# +hausNr:/);
    const { stdout } = await ranHere(['explain', '1', '--supplier', 'X'], space.directory);
    expect(stdout.replaceAll('"', '')).toContain(`street_address: ${street} `);
  });

  it('takes the only database or dump in a directory for what it is', async () => {
    mkdirSync(join(space.directory, 'old'));
    sqlite('old/shop.sqlite', shop);
    writeFileSync(join(space.directory, 'old/NOTES.md'), 'From the backup of May.');
    expect(await guessed('old')).toMatchObject({ source: { driver: 'sqlite', file: 'old/shop.sqlite' } });

    sqlite('old/more.db', shop);
    const several = await ranHere(['init', 'old'], space.directory);
    expect(several.code).toBe(2);
    expect(oneSpace(several.stderr)).toContain(
      'old has 2 databases: more.db, shop.sqlite. Name one: migrate init old/more.db.',
    );

    mkdirSync(join(space.directory, 'dumps'));
    writeFileSync(join(space.directory, 'dumps/book.sql'), '--\n-- PostgreSQL database dump\n--\n');
    const dumped = await ranHere(['init', 'dumps'], space.directory);
    expect(dumped.code).toBe(2);
    expect(oneSpace(dumped.stderr)).toContain('dumps/book.sql is a dump of PostgreSQL, not the data itself.');
  });

  it('says of a dump what it is, and how to make a database of it', async () => {
    writeFileSync(
      join(space.directory, 'book.sql'),
      '--\n-- PostgreSQL database dump\n--\nCREATE TABLE a (b int);\n',
    );
    const made = await ranHere(['init', 'book.sql'], space.directory);
    expect(made.code).toBe(2);
    expect(oneSpace(made.stderr)).toContain(
      'book.sql is a dump of PostgreSQL, not the data itself. Restore it: createdb book && psql book -f book.sql, then migrate init postgres://localhost/book.',
    );
  });

  it('refuses an address with a password, and a server that is not there, without a word of either', async () => {
    const secret = await ranHere(['init', 'postgres://me:hush@127.0.0.1:9/book'], space.directory);
    expect(secret.code).toBe(2);
    expect(secret.stderr).toContain('The address contains a password.');
    expect(secret.stderr).not.toContain('hush');
    const away = await ranHere(['init', 'postgres://me@127.0.0.1:9/book'], space.directory);
    expect(away.code).toBe(2);
    expect(away.stderr).toContain('cannot be reached');
    expect(lines(away.stdout)).toEqual([]);
  });
});
