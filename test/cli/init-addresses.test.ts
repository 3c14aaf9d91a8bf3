import Database from 'better-sqlite3';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ranHere } from './own-shell.ts';
import { summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

interface Written {
  readonly tables: Readonly<Record<string, unknown>>;
  readonly account: { readonly billing_address?: unknown };
}

async function written(name: string): Promise<Written & { readonly text: string }> {
  const made = await ranHere(['init', name], space.directory);
  expect(made.stderr).toBe('');
  const text = readFileSync(join(space.directory, 'mapping.yaml'), 'utf8');
  return { text, ...(parse(text) as Written) };
}

function files(texts: Readonly<Record<string, string>>): string {
  mkdirSync(join(space.directory, 'export'));
  for (const [name, text] of Object.entries(texts))
    writeFileSync(join(space.directory, 'export', name), text);
  return 'export';
}

/** Customers and supply points name rows of one table of addresses, which name cities. */
const shared = {
  'customers.csv':
    'customer_id,first_name,last_name,email,address_id\n' +
    '101,Ann,Lee,ann@example.com,1\n102,Bob,Roe,bob@example.com,2\n103,Cid,Poe,cid@example.com,3\n',
  'contracts.csv':
    'contract_id,customer_id,point_id,since\n5001,101,71,2020-01-01\n5002,102,72,2020-02-01\n5003,103,73,2020-03-01\n',
  'points.csv': 'point_id,mpan,address_id\n71,1000000001,4\n72,1000000002,5\n73,1000000003,1\n',
  'addresses.csv':
    'address_id,street,postal_code,city_id\n1,1 High St,LS1 1AA,11\n2,2 Low St,LS1 1AB,11\n3,3 Mid St,YO1 7AA,12\n' +
    '4,4 Far St,HU1 1AA,13\n5,5 End St,HU1 1AB,13\n',
  'cities.csv': 'city_id,name,country\n11,Leeds,GB\n12,York,GB\n13,Hull,GB\n',
};

describe('init of a table of addresses that several others refer to', () => {
  it('reads it once for each, so that an address of supply is found as that of a bill is', async () => {
    const { tables, text } = await written(files(shared));
    expect(tables['addresses']).toMatchObject({ via: { table: 'accounts', column: 'address_id' } });
    expect(tables['addresses_points']).toEqual({
      file: 'addresses.csv',
      key: 'address_id',
      via: { table: 'points', column: 'address_id', several: true },
    });
    expect(tables['cities_points']).toMatchObject({ via: { table: 'addresses_points', column: 'city_id' } });
    expect(text).toContain(
      'address_id: whole number; seems to refer to a row of addresses_points: match: { address_id: address_id }',
    );
    const supply = `  supply_addresses:
    from: contracts
    each:
      supply_address:
        from: points
        match: { point_id: point_id }
        each:
          from: addresses_points
          match: { address_id: address_id }
          each:
            street_address: street
            postal_code: postal_code
            locality: { from: cities_points, match: { city_id: city_id }, each: name }
            country: { from: cities_points, match: { city_id: city_id }, each: country }
`;
    writeFileSync(
      join(space.directory, 'mapping.yaml'),
      text.replace('  customers:\n', `${supply}  customers:\n`),
    );
    const explained = await ranHere(['explain', 'export', '101', '--supplier', 'X'], space.directory);
    expect(explained.stdout).toContain('street_address: "1 High St"');
    expect(explained.stdout).toContain('street_address: "4 Far St"');
    expect(explained.stdout).toContain('locality: Hull');
  });
});

describe('init of addresses of several kinds', () => {
  it('takes those for bills, by what the kinds are called', async () => {
    const { account, text } = await written(
      files({
        'customers.csv':
          'customer_id,first_name,last_name,email\n101,Ann,Lee,a@example.com\n102,Bob,Roe,b@example.com\n103,Cid,Poe,c@example.com\n',
        'addresses.csv':
          'customer_id,kind,street,postal_code,city,country\n' +
          [101, 102, 103]
            .map(
              (id) =>
                `${id},BILLING,${id} High St,LS1 1AA,Leeds,GB\n${id},SUPPLY,${id} Low St,LS1 1AB,Leeds,GB\n`,
            )
            .join(''),
      }),
    );
    expect(account.billing_address).toMatchObject({ from: 'addresses', where: { kind: 'BILLING' } });
    expect(text).not.toContain('take: first');
    const checked = await ranHere(
      ['validate', 'export', '--supplier', 'TENTACLE_ENERGY', '--json'],
      space.directory,
    );
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 3, valid: 3 });
  });

  it('leaves out those of supply where another table lists the kinds, and takes no order for an address', async () => {
    const db = new Database(join(space.directory, 'old.sqlite'));
    const ids = Array.from({ length: 30 }, (_, at) => at + 1);
    db.exec(`
      CREATE TABLE kind (kind_id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, email TEXT);
      CREATE TABLE customer_address (customer_id INTEGER REFERENCES customer, kind_id INTEGER REFERENCES kind, street TEXT, city TEXT,
        country TEXT, PRIMARY KEY (customer_id, kind_id));
      CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, day TEXT, total NUMERIC, street TEXT, city TEXT,
        country TEXT, postal_code TEXT);
      INSERT INTO kind VALUES (1, 'Home'), (2, 'Shipping'), (3, 'Billing');
      INSERT INTO customer VALUES ${ids.map((id) => `(${id}, 'Ann', 'Lee ${id}', 'a${id}@example.com')`).join(', ')};
      INSERT INTO customer_address VALUES ${ids.map((id) => `(${id}, 1, '${id} High St', 'Leeds', 'GB')`).join(', ')}, (7, 2, 'Ship St', 'Hull', 'GB');
      INSERT INTO orders VALUES ${ids.map((id) => `(${id}, ${id}, '2024-01-01', 12.5, 'Other St', 'Hull', 'GB', 'HU1 1AA')`).join(', ')};`);
    db.close();
    const { account } = await written('old.sqlite');
    expect(account.billing_address).toMatchObject({
      from: 'customer_address',
      where: { kind_name: { not: 'Shipping' } },
    });
    const checked = await ranHere(['validate', '--supplier', 'TENTACLE_ENERGY', '--json'], space.directory);
    expect(summaryOf(checked.stdout)).toMatchObject({
      accounts: 30,
      valid: 30,
      byCode: { row_not_mapped: 1 },
    });
  });
});

describe('init of payments in other languages', () => {
  it.each(['reglements', 'pagos', 'pagamenti', 'betalingen', 'wplaty', 'zahlungen'])(
    'knows %s',
    async (name) => {
      const { text } = await written(
        files({
          'customers.csv': 'customer_id,last_name\n101,Lee\n102,Roe\n103,Poe\n',
          'bills.csv':
            'bill_id,customer_id,day,amount\n9001,101,2024-01-01,10.5\n9002,102,2024-01-02,11.5\n9003,103,2024-01-02,11.7\n',
          [`${name}.csv`]:
            'id,customer_id,day,amount\n7001,101,2024-01-01,10.5\n7002,102,2024-01-02,11.5\n7003,103,2024-01-02,11.7\n',
        }),
      );
      expect(text).toContain(`# transactions: { from: ${name}, `);
    },
  );
});
