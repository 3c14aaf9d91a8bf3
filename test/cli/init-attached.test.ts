import Database from 'better-sqlite3';
import { readFileSync } from 'node:fs';
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
  return { text, ...(parse(text) as Written) };
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
});
