import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.ts';
import { ranHere } from './own-shell.ts';
import { summaryOf, type Ended } from './tool.ts';

const address =
  'street_address: { constant: Road 1 }, locality: { constant: London }, postal_code: { constant: N1 9GU }, country: { constant: GB }';

const mapping = (postcode: string): string => `version: 1
tables: { accounts: { file: accounts.csv, key: id } }
account:
  import_supplier: { constant: SAKILA_POWER }
  billing_address: { ${address.replace('N1 9GU', postcode)} }
  customers: [{ given_name: name, family_name: name, email: { constant: a@example.com } }]
  supply_addresses: [{ supply_address: { ${address} } }]
`;

describe('the rehearsal of a book of its own', () => {
  let cwd: string;
  beforeEach(() => {
    cwd = temporaryDirectory('own-book-');
    mkdirSync(join(cwd, 'export'));
    const rows = Array.from({ length: 40 }, (_each, at) => `${at + 1},Ann\n`);
    writeFileSync(join(cwd, 'export/accounts.csv'), `id,name\n${rows.join('')}`);
  });
  const write = (file: string, text: string): void => writeFileSync(join(cwd, file), text);
  const ran = (...args: string[]): Promise<Ended> =>
    ranHere(['run', 'export', '--mapping', 'mapping.yaml', ...args], cwd);

  it('refuses no account for its supplier, its team or a rule that the settings turn off', async () => {
    write('mapping.yaml', mapping('WRONG'));
    write('.migraterc', 'team: CREW\nrules: { invalid_postcode: off }\n');
    const { stdout } = await ran('--json');
    expect(summaryOf(stdout)).toMatchObject({ exit: 0, accounts: { completed: 40 } });
  });

  it('knows what the operator file of the settings says, and gives one piece of advice', async () => {
    write('mapping.yaml', mapping('N1 9GU'));
    write('operator.yaml', 'suppliers: { OTHER: {} }\n');
    write('.migraterc', 'operator: operator.yaml\n');
    const { code, stdout, stderr } = await ran();
    expect(code).toBe(6);
    const text = `${stdout} ${stderr}`.replaceAll(/\s+/g, ' ');
    expect(text).toContain('import_supplier_does_not_exist');
    expect(text).toContain(
      "Correct the mapping and run the same command again. If the platform's set-up is corrected instead, run `migrate retry` first.",
    );
    expect(text.match(/run the same command again/g)).toHaveLength(1);
  });
});
