import Database from 'better-sqlite3';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.ts';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';

it('a column that is only remarked on is no difference: all its rows are read', async () => {
  const cwd = temporaryDirectory('reconcile-remarks-');
  const db = new Database(join(cwd, 'old.db'));
  db.exec(`CREATE TABLE customer (id TEXT, name TEXT, last TEXT, mail TEXT);
    CREATE TABLE payment (customer TEXT, number TEXT, day TEXT, amount REAL);
    INSERT INTO customer VALUES ('1', 'Ann', 'Lee', 'ann@example.com');
    INSERT INTO payment VALUES ('1', 'T1', '2024-01-01', 1.5);`);
  db.close();
  writeFileSync(
    join(cwd, 'mapping.yaml'),
    `version: 1
source: { driver: sqlite, file: old.db }
tables:
  accounts: { query: SELECT * FROM customer ORDER BY id, key: id }
  payments: { query: SELECT * FROM payment ORDER BY customer, key: customer }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  account_type: { constant: DOMESTIC }
  billing_address: { street_address: { constant: 1 High Street }, locality: { constant: Darwin }, postal_code: { constant: '0800' }, country: { constant: AU } }
  customers: [{ given_name: name, family_name: last, email: mail }]
transactions:
  from: payments
  each: { transaction_id: number, transaction_date: day, amount: amount, type: { constant: PAYMENT } }
`,
  );
  writeFileSync(join(cwd, '.migraterc'), 'mapping: mapping.yaml\n');
  const ran = await ranHere(['run', '--json'], cwd);
  expect(ran.stdout).toContain('binary_float');
  concluded(ran, 'run', 0);
  expect(concluded(await ranHere(['reconcile', '--json'], cwd), 'reconcile', 0)).toMatchObject({
    matches: true,
    differences: 0,
  });
});
