import Database from 'better-sqlite3';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ranHere } from '../../cli/own-shell.ts';
import { lines } from '../../cli/tool.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

const mapping = (payments: string): string => `version: 1
format: { decimal_mark: ',', thousands_mark: '.' }
source: { driver: sqlite, file: old.db }
tables:
  accounts: { query: SELECT * FROM customer ORDER BY id, key: id }
  payments: { query: "${payments}", key: customer }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
transactions:
  from: payments
  each: { transaction_id: number, transaction_date: day, amount: amount, type: { constant: PAYMENT } }
`;

it('a binary floating-point column that is used as money is a warning, with the conversion to write', async () => {
  const cwd = temporaryDirectory('binary-floats-');
  const db = new Database(join(cwd, 'old.db'));
  db.exec(`CREATE TABLE customer (id TEXT);
    CREATE TABLE payment (customer TEXT, number TEXT, day TEXT, amount DOUBLE PRECISION);
    INSERT INTO customer VALUES ('1');
    INSERT INTO payment VALUES ('1', 'T1', '2024-01-01', 0.1 + 0.2), ('1', 'T2', '2024-01-01', 1.5);`);
  db.close();
  const amounts = async (payments: string) => {
    writeFileSync(join(cwd, 'mapping.yaml'), mapping(payments));
    const { stdout } = await ranHere(['validate', '--mapping', 'mapping.yaml', '--json'], cwd);
    return lines(stdout).filter(
      ({ code, column }) =>
        code === 'binary_float' || code === 'invalid_amount' || String(column).endsWith('amount'),
    );
  };
  const found = await amounts('SELECT * FROM payment ORDER BY customer');
  expect(found).toMatchObject([
    {
      code: 'binary_float',
      severity: 'warning',
      file: 'mapping.yaml',
      line: 11,
      column: 'transactions.each.amount',
    },
    { code: 'invalid_amount', file: 'payments.ndjson.gz', line: 1, column: 'amount' },
  ]);
  expect(found[0]?.['detail']).toContain(
    "Write CAST(printf('%.2f', amount) AS TEXT) AS amount in the query.",
  );
  expect(found[1]?.['detail']).not.toMatch(/mark|comma/);
  expect(
    await amounts(
      "SELECT customer, number, day, CAST(replace(printf('%.2f', amount), '.', ',') AS TEXT) AS amount FROM payment ORDER BY customer",
    ),
  ).toEqual([]);
});
