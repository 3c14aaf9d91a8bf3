import Database from 'better-sqlite3';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ranHere } from './own-shell.ts';
import { summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

interface Written {
  readonly tables: Readonly<Record<string, { readonly key: string; readonly query: string }>>;
  readonly account: unknown;
}

async function guessed(sql: string) {
  const db = new Database(join(space.directory, 'old.sqlite'));
  db.exec(sql);
  db.close();
  const made = await ranHere(['init', 'old.sqlite', '--json'], space.directory);
  expect(made.stderr).toBe('');
  const text = readFileSync(join(space.directory, 'mapping.yaml'), 'utf8');
  return { text, summary: summaryOf(made.stdout), ...(parse(text) as Written) };
}

/** Customers who are persons, or shops, each of whom is an entity that has addresses; persons have emails and phones. */
const entities = `
  CREATE TABLE entity (entity_id INTEGER PRIMARY KEY, made TEXT);
  CREATE TABLE person (entity_id INTEGER PRIMARY KEY REFERENCES entity (entity_id), first_name TEXT, last_name TEXT);
  CREATE TABLE employee (entity_id INTEGER PRIMARY KEY REFERENCES person (entity_id), job TEXT, birth_date TEXT);
  CREATE TABLE pay (entity_id INTEGER REFERENCES employee (entity_id), since TEXT, wage NUMERIC, PRIMARY KEY (entity_id, since));
  CREATE TABLE shop (entity_id INTEGER PRIMARY KEY REFERENCES entity (entity_id), shop_name TEXT,
    seller_id INTEGER REFERENCES employee (entity_id));
  CREATE TABLE region (region_id INTEGER PRIMARY KEY, label TEXT);
  CREATE TABLE region_tax (region_id INTEGER REFERENCES region (region_id), tax TEXT, PRIMARY KEY (region_id, tax));
  CREATE TABLE country (country_code TEXT PRIMARY KEY, name TEXT);
  CREATE TABLE place (place_id INTEGER PRIMARY KEY, street TEXT, city TEXT, postal_code TEXT, country_code TEXT REFERENCES country);
  CREATE TABLE entity_place (entity_id INTEGER REFERENCES entity (entity_id), place_id INTEGER REFERENCES place (place_id),
    kind TEXT, PRIMARY KEY (entity_id, place_id, kind));
  CREATE TABLE email_address (entity_id INTEGER REFERENCES person (entity_id), email_id INTEGER, email TEXT, PRIMARY KEY (entity_id, email_id));
  CREATE TABLE password (entity_id INTEGER PRIMARY KEY REFERENCES person (entity_id), hash TEXT);
  CREATE TABLE person_card (entity_id INTEGER REFERENCES person (entity_id), card_id INTEGER REFERENCES card, PRIMARY KEY (entity_id, card_id));
  CREATE TABLE card (card_id INTEGER PRIMARY KEY, kind TEXT, card_number TEXT);
  CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES person (entity_id),
    shop_id INTEGER REFERENCES shop (entity_id), region_id INTEGER REFERENCES region (region_id));
  INSERT INTO entity (entity_id) VALUES (1), (2), (3), (4), (5), (6);
  INSERT INTO person VALUES (1, 'Own', 'Staff'), (2, 'Ann', 'Lee'), (3, 'Bob', 'Roe'), (4, 'Cid', 'Poe'), (6, 'Dee', 'Fox');
  INSERT INTO employee VALUES (1, 'Seller', '1970-01-01');
  INSERT INTO pay VALUES (1, '2020-01-01', 10);
  INSERT INTO shop VALUES (5, 'Bikes', 1);
  INSERT INTO region VALUES (1, 'North');
  INSERT INTO region_tax VALUES (1, 'x'), (1, 'y');
  INSERT INTO country VALUES ('GB', 'United Kingdom');
  INSERT INTO place VALUES (11, '1 High Street', 'Leeds', 'LS1 1AA', 'GB'), (12, '2 Low Street', 'York', 'YO1 7AA', 'GB'),
    (13, '3 Mid Street', 'Hull', 'HU1 1AA', 'GB'), (14, '4 End Street', 'Hull', 'HU1 1AB', 'GB');
  INSERT INTO entity_place VALUES (1, 14, 'home'), (2, 12, 'home'), (3, 11, 'home'), (4, 13, 'home'), (5, 14, 'office');
  INSERT INTO email_address VALUES (1, 1, 'own@example.com'), (2, 1, 'ann@example.com'), (3, 1, 'bob@example.com'), (4, 1, 'cid@example.com');
  INSERT INTO password VALUES (2, 'hush');
  INSERT INTO card VALUES (7, 'visa', '4111');
  INSERT INTO person_card VALUES (2, 7);
  INSERT INTO customer VALUES (101, 2, NULL, 1), (102, 3, NULL, 1), (103, 4, NULL, 1), (104, 6, 5, 1);
`;

describe('init of a database whose customers are persons of a table that others share', () => {
  it("reaches the person's addresses and emails over the declared keys, and says by which", async () => {
    const { tables, account, text } = await guessed(entities);
    expect(Object.keys(tables).sort()).toEqual(['accounts', 'email_address', 'entity_place', 'person_card']);
    expect(tables['email_address']).toMatchObject({ key: 'customer_id' });
    expect(tables['email_address']?.query).toContain('JOIN customer AS c ON c.person_id = ea.entity_id');
    expect(tables['entity_place']?.query).toContain('JOIN customer AS c ON c.person_id = ep.entity_id');
    expect(text).toContain(
      '# sure: foreign keys of the database: person_id of customer, entity_id of person and entity_id of entity_place',
    );
    expect(text).toContain(
      '# another way, not used here: shop_id of customer, entity_id of shop and entity_id of entity_place',
    );
    expect(account).toMatchObject({
      billing_address: {
        from: 'entity_place',
        each: { street_address: 'street', locality: 'city', postal_code: 'postal_code' },
      },
      customers: [
        {
          given_name: 'first_name',
          family_name: 'last_name',
          email: { from: 'email_address', each: 'email' },
        },
      ],
    });
    const explained = await ranHere(['explain', '101', '--supplier', 'TENTACLE_ENERGY'], space.directory);
    expect(explained.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /street_address: "2 Low Street" .*email: ann@example.com /,
    );
    const checked = await ranHere(['validate', '--supplier', 'TENTACLE_ENERGY', '--json'], space.directory);
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 4, valid: 3 });
  });

  it('reaches those of shops as well where some customers are shops and others persons', async () => {
    const { tables, text } = await guessed(
      `${entities}
      INSERT INTO entity (entity_id) VALUES (21), (22), (23);
      INSERT INTO shop VALUES (21, 'Tubes', 1), (22, 'Chains', 1), (23, 'Bells', 1);
      INSERT INTO entity_place VALUES (21, 11, 'office'), (22, 12, 'office'), (23, 13, 'office'), (6, 12, 'home');
      INSERT INTO customer VALUES (201, NULL, 21, 1), (202, NULL, 22, 1), (203, NULL, 23, 1);`,
    );
    expect(text).toContain(
      '# sure: foreign keys of the database: person_id of customer, entity_id of person and entity_id of entity_place; ' +
        'or shop_id of customer, entity_id of shop and entity_id of entity_place',
    );
    expect(tables['entity_place']?.query).toContain(
      'JOIN (SELECT customer_id, person_id AS owner FROM customer UNION SELECT customer_id, shop_id AS owner FROM customer) AS c ON c.owner = ep.entity_id',
    );
    const found = async (account: string) =>
      (await ranHere(['explain', account, '--supplier', 'X', '--json'], space.directory)).stdout;
    expect(await found('101')).toContain('"value":"2 Low Street"');
    expect(await found('202')).toContain('"value":"2 Low Street"');
    // One that is both has two addresses: which is right, its owner knows.
    const checked = await ranHere(['validate', '--supplier', 'TENTACLE_ENERGY', '--json'], space.directory);
    expect(summaryOf(checked.stdout)).toMatchObject({ byCode: { several_rows: 1 } });
  });

  it('reads the last rows as well as the first, where only these have a person', async () => {
    const many = Array.from({ length: 150 }, (_, at) => `(${at + 1000}, NULL, NULL, 1)`).join(', ');
    const { tables } = await guessed(
      `${entities.replaceAll(/\((10\d), /g, '(9$1, ')} INSERT INTO customer VALUES ${many};`,
    );
    expect(Object.keys(tables)).toContain('email_address');
  });

  it('takes neither what many accounts share, nor what those who work there have', async () => {
    const { tables, text } = await guessed(entities);
    expect(text).toContain('# region_tax: nothing leads from its rows to an account');
    expect(text).toContain('# pay: nothing leads from its rows to an account');
    expect(tables['accounts']?.query).not.toMatch(/employee|birth_date/);
    expect(text).not.toMatch(/hash|card_number/);
  });

  it('names the columns of the staff of a shop after their table', async () => {
    const { tables } = await guessed(`
      CREATE TABLE employee (employee_id INTEGER PRIMARY KEY, born TEXT);
      CREATE TABLE carrier (carrier_id INTEGER PRIMARY KEY, company_name TEXT, phone TEXT);
      CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, last_name TEXT);
      CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, carrier_id INTEGER REFERENCES carrier);
      INSERT INTO customer VALUES (1, 'Lee'), (2, 'Roe');
      INSERT INTO orders VALUES (1, 2, NULL);`);
    expect(tables['orders']?.query).toContain('c.phone AS carrier_phone');
  });

  it('suggests no payments of amounts that are parts of others', async () => {
    const { text } = await guessed(`
      CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, last_name TEXT);
      CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, day TEXT, freight NUMERIC);
      INSERT INTO customer VALUES (1, 'Lee'), (2, 'Roe');
      INSERT INTO orders VALUES (1, 2, '2024-05-01', 7.5), (2, 1, '2024-05-02', 8.5);`);
    expect(text).not.toContain('amount: freight');
  });

  it('says of a way that too few accounts show that it is unsure', async () => {
    const { tables, text } = await guessed(entities.replace('(101, 2, NULL, 1), (102, 3, NULL, 1), ', ''));
    expect(Object.keys(tables)).toEqual(['accounts']);
    expect(text).toContain('# email_address: nothing leads from its rows to an account; unsure:');
    expect(text).toContain(
      'it may be person_id of customer and entity_id of email_address, but too few accounts',
    );
  });

  /** A supplier: a customer may have two accounts, payments may name only their invoice, and meters hang on a service point. */
  const supplier = `
    CREATE TABLE address (address_id INTEGER PRIMARY KEY, street TEXT, house_no TEXT, zip TEXT, city TEXT, country_code TEXT);
    CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, customer_no TEXT UNIQUE, first_name TEXT, last_name TEXT);
    CREATE TABLE contact (contact_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, kind TEXT, value TEXT);
    CREATE TABLE contract_account (account_no TEXT PRIMARY KEY, customer_id INTEGER REFERENCES customer, address_id INTEGER REFERENCES address);
    CREATE TABLE service_point (sp_id INTEGER PRIMARY KEY, fuel TEXT);
    CREATE TABLE agreement (agreement_id INTEGER PRIMARY KEY, account_no TEXT REFERENCES contract_account, sp_id INTEGER REFERENCES service_point);
    CREATE TABLE meter (serial TEXT PRIMARY KEY, sp_id INTEGER REFERENCES service_point);
    CREATE TABLE invoice (invoice_no TEXT PRIMARY KEY, account_no TEXT REFERENCES contract_account, total NUMERIC);
    CREATE TABLE payment (payment_id INTEGER PRIMARY KEY, account_no TEXT REFERENCES contract_account, invoice_no TEXT REFERENCES invoice, paid_on TEXT, amount NUMERIC);
    INSERT INTO address VALUES (1, 'Lange Gasse', '7a', '01069', 'Dresden', 'DE'), (2, 'Weg', '2', '01069', 'Dresden', 'DE');
    INSERT INTO customer VALUES (1, 'K1', 'Ann', 'Lee'), (2, 'K2', 'Bob', 'Roe'), (3, 'K3', 'Cid', 'Poe');
    INSERT INTO contact VALUES (1, 1, 'EMAIL', 'ann@example.com'), (2, 2, 'EMAIL', 'bob@example.com');
    INSERT INTO contract_account VALUES ('0011', 1, 1), ('0012', 2, 2), ('0013', 3, 2), ('0014', 1, 2);
    INSERT INTO service_point VALUES (1, 'E'), (2, 'E');
    INSERT INTO agreement VALUES (1, '0011', 1), (2, '0012', 2);
    INSERT INTO meter VALUES ('M1', 1), ('M2', 2);
    INSERT INTO invoice VALUES ('R1', '0011', 10), ('R2', '0012', 11);
    INSERT INTO payment VALUES (1, '0011', 'R1', '2024-01-01', 10), (2, NULL, 'R2', '2024-01-02', 11);`;

  it('takes what is billed for the account where a customer may have two, and each has what the customer has', async () => {
    const { summary, tables, text } = await guessed(supplier);
    expect(summary).toMatchObject({ accounts: { file: 'contract_account', key: 'account_no' } });
    expect(tables['contact']?.query).toContain(
      'JOIN contract_account AS ca ON ca.customer_id = c.customer_id',
    );
    expect(text).toContain("street_address: { template: '{street} {house_no}' }");
    expect(text).toContain(
      'sp_id of meter names a row of service_point, as sp_id of agreement does. Join them if each is of one account',
    );
  });

  it('finds the account of a payment that names only its invoice', async () => {
    const { tables, text } = await guessed(supplier);
    expect(tables['payment']?.query).toMatch(
      /^SELECT COALESCE\(p\.account_no, i\.account_no\) AS account_no_, /,
    );
    writeFileSync(join(space.directory, 'mapping.yaml'), text.replace('# transactions:', 'transactions:'));
    const { stdout } = await ranHere(['explain', '0012', '--supplier', 'X', '--json'], space.directory);
    expect(stdout).toContain('"path":"transactions.0.transaction_id","value":"2"');
  });
});
