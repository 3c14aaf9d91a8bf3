import Database from 'better-sqlite3';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.ts';
import { ranHere } from './own-shell.ts';
import { lines, summaryOf, type Ended } from './tool.ts';

const address =
  'street_address: { constant: Road 1 }, locality: { constant: London }, postal_code: { constant: N1 9GU }, country: { constant: GB }';

const mapping = `version: 1
source: { driver: sqlite, file: old.db }
tables:
  accounts: { query: SELECT * FROM customer ORDER BY id, key: id }
  payments: { query: SELECT * FROM payment ORDER BY customer, key: customer }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  billing_address: { ${address} }
  customers: [{ given_name: name, family_name: name, email: { constant: a@example.com } }]
  supply_addresses: [{ supply_address: { ${address} } }]
transactions:
  from: payments
  each: { transaction_id: number, transaction_date: day, amount: amount, type: { constant: PAYMENT } }
`;

const stray = "UPDATE payment SET customer = NULL WHERE number = 'T2'";
const corrected = "UPDATE payment SET customer = '2' WHERE number = 'T2'";

describe('rows of a database', () => {
  let cwd: string;
  let old: Database.Database;
  beforeEach(() => {
    cwd = temporaryDirectory('snapshots-');
    writeFileSync(join(cwd, 'mapping.yaml'), mapping);
    old = new Database(join(cwd, 'old.db'));
    old.exec(`CREATE TABLE customer (id TEXT PRIMARY KEY, name TEXT);
      CREATE TABLE payment (number TEXT, day TEXT, amount NUMERIC, customer TEXT);
      INSERT INTO customer VALUES ('1', 'Ann'), ('2', 'Bob'), ('3', 'Cid');
      INSERT INTO payment VALUES ('T1', '2024-01-01', '2.50', '1'), ('T2', '2024-01-02', '3.50', '2');`);
  });
  afterEach(() => void old.close());
  const ran = (...args: string[]): Promise<Ended> => ranHere([...args, '--mapping', 'mapping.yaml'], cwd);

  it('are read again where a run sent nothing, so that a correction takes effect', async () => {
    old.exec(stray);
    const refused = await ran('run');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /The rows are those of \S+old\.db at \d{4}-\S+Z\. After a correction in the database, run the same command again: it reads the database again\./,
    );
    old.exec(corrected);
    expect(summaryOf((await ran('validate', '--json')).stdout)).toMatchObject({ problems: 0 });
    const completed = await ran('run', '--json');
    expect(summaryOf(completed.stdout)).toMatchObject({ exit: 0, accounts: { completed: 3 } });
  });

  it('are read again after a dry run that was stopped', async () => {
    expect((await ran('run', '--dry-run', '--limit', '1')).code).toBe(6);
    old.exec("DELETE FROM customer WHERE id = '3'");
    const whole = await ran('run', '--dry-run', '--json');
    expect(summaryOf(whole.stdout)).toMatchObject({ wouldImport: 2 });
  });

  it('stay the same for a run that continues, and say how to read them again', async () => {
    old.exec("UPDATE payment SET amount = 'much' WHERE number = 'T2'");
    expect((await ran('run', '--limit', '1')).code).toBe(6);
    const checked = await ran('validate');
    expect(checked.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Runs continue with these rows. To read a correction in the database, remove the directory .migrate/snapshots/mapping: the next command reads it again.',
    );
  });

  it('of a named snapshot say how to read them again, however it is named', async () => {
    old.exec(stray);
    for (const args of [['--snapshot', 'book'], ['--snapshot', 'book'], ['book']])
      expect((await ran('validate', ...args)).stdout.replaceAll(/\s+/g, ' ')).toContain(
        'After a correction in the database, name a new directory with --snapshot to read it again.',
      );
    expect(readdirSync(cwd)).not.toContain('.finished');
  });

  it('are of one export, whichever snapshot has them: an account that was deleted is absent', async () => {
    expect((await ran('run', '--snapshot', 'first')).code).toBe(0);
    old.exec("DELETE FROM customer WHERE id = '3'");
    const planned = await ran('plan', '--snapshot', 'second', '--json');
    expect(lines(planned.stdout)).toContainEqual(expect.objectContaining({ type: 'absent', account: '3' }));
    expect(summaryOf(planned.stdout)).toMatchObject({ absent: 1 });
    expect(summaryOf((await ran('run', '--snapshot', 'third', '--json')).stdout)).toMatchObject({
      leftExport: 1,
    });
    expect(summaryOf((await ran('reconcile', 'third', '--json')).stdout)).toMatchObject({
      byCode: { not_in_export: 1 },
    });
  });
});
