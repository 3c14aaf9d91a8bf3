import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hasMariadb, startMariadb, type MariadbServer } from '../databases/start-mariadb.ts';
import { ranHere } from './own-shell.ts';
import { summaryOf, workspace } from './tool.ts';

describe.skipIf(!hasMariadb)('init of a MariaDB database', () => {
  const space = workspace();
  let server: MariadbServer;
  beforeAll(async () => {
    server = await startMariadb();
    await server.query(`
      CREATE TABLE country (country_id SMALLINT UNSIGNED PRIMARY KEY, country VARCHAR(50)) ENGINE=InnoDB;
      CREATE TABLE city (city_id INT PRIMARY KEY, city VARCHAR(50), country_id SMALLINT UNSIGNED,
        FOREIGN KEY (country_id) REFERENCES country (country_id)) ENGINE=InnoDB;
      CREATE TABLE customer (customer_id INT PRIMARY KEY, first_name VARCHAR(45), last_name VARCHAR(45), email VARCHAR(50),
        street VARCHAR(50), postal_code VARCHAR(10), city_id INT, photo BLOB, active TINYINT(1) COMMENT '1: has a contract',
        FOREIGN KEY (city_id) REFERENCES city (city_id)) ENGINE=InnoDB COMMENT 'One row each contract';
      CREATE TABLE bill (bill_year YEAR, bill_no INT, customer_id INT, PRIMARY KEY (bill_year, bill_no),
        FOREIGN KEY (customer_id) REFERENCES customer (customer_id)) ENGINE=InnoDB;
      CREATE TABLE \`payment order\` (payment_id INT PRIMARY KEY, bill_year YEAR, bill_no INT, paid_at DATETIME, amount DECIMAL(9,2),
        FOREIGN KEY (bill_year, bill_no) REFERENCES bill (bill_year, bill_no)) ENGINE=InnoDB;
      INSERT INTO country VALUES (1, 'Germany');
      INSERT INTO city VALUES (1, 'Probeburg', 1);
      INSERT INTO customer VALUES (1, 'Ann', 'Lee', 'ann@example.com', 'Weg 1', '01069', 1, x'00ff', 1), (2, 'Bob', 'Roe', 'bob@example.com', 'Weg 2', '01069', 1, NULL, 0);
      INSERT INTO bill VALUES (2024, 1, 2), (2024, 2, 1);
      INSERT INTO \`payment order\` VALUES (11, 2024, 1, '2024-05-01 10:11:12', 12.5), (12, 2024, 2, '2024-05-02 23:59:59', 7);
    `);
  }, 120_000);
  afterAll(async () => {
    await server.remove();
    space.dispose();
  });

  it('joins by the keys that it declares, and makes the first account valid', async () => {
    const env = { MIGRATE_SOURCE_PASSWORD: server.password };
    const made = await ranHere(['init', server.url, '--json'], space.directory, { env });
    expect(made.stderr).toBe('');
    expect(summaryOf(made.stdout)).toMatchObject({
      accounts: { file: 'customer', key: 'customer_id' },
      tables: 5,
    });
    const file = join(space.directory, 'mapping.yaml');
    const text = readFileSync(file, 'utf8');
    const { tables } = parse(text) as { tables: Record<string, { key: string; query: string }> };
    expect(tables['accounts']?.query).not.toContain('photo');
    expect(tables['payment_order']?.query).toContain(
      'LEFT JOIN bill AS b ON b.bill_year = po.bill_year AND b.bill_no = po.bill_no',
    );
    for (const said of ['customer: One row each contract', '1: has a contract', 'decimal(9,2)'])
      expect(text).toContain(said);
    writeFileSync(file, text.replace('# transactions:', 'transactions:'));
    const { stdout } = await ranHere(['explain', '2', '--supplier', 'TENTACLE_ENERGY'], space.directory, {
      env,
    });
    for (const value of [
      'locality: Probeburg',
      'country: DE',
      'transaction_date: "2024-05-01"',
      'amount: "12.50"',
    ])
      expect(stdout).toContain(value);
    expect(
      (await ranHere(['validate', '--supplier', 'TENTACLE_ENERGY'], space.directory, { env })).stdout,
    ).toContain('2 accounts checked: 2 valid, 0 invalid');
  });
});
