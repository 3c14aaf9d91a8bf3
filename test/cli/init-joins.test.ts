import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ranHere } from './own-shell.ts';
import { lines, summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

/** A file of this many rows. */
const rows = (header: string, count: number, row: (at: number) => string): string =>
  `${header}\n${numbers(count).map(row).join('\n')}\n`;

function writeExport(files: Readonly<Record<string, string>>): void {
  mkdirSync(join(space.directory, 'export'));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(space.directory, 'export', name), text);
}

async function guessed(...more: readonly string[]) {
  const made = await ranHere(['init', 'export', '--json', ...more], space.directory);
  const text = readFileSync(join(space.directory, 'mapping.yaml'), 'utf8');
  const { tables, account } = parse(text) as { tables: Record<string, unknown>; account: unknown };
  return { summary: summaryOf(made.stdout), text, tables, account };
}

/** Every number is that of a row in any of these tables. */
const shop = {
  'address.csv': rows('address_id,address,city_id', 40, (at) => `${at},${at} High Street,${(at % 5) + 1}`),
  'city.csv': rows('city_id,city', 8, (at) => `${at},Town ${at}`),
  'customer.csv': rows('customer_id,first_name,last_name,address_id', 30, (at) => `${at},Ann,Lee,${31 - at}`),
  'payment.csv': rows(
    'payment_id,customer_id,amount,paid',
    60,
    (at) => `${at},${((at * 7) % 30) + 1},${(at % 9) + 1},${at % 2}`,
  ),
  'line.csv': rows(
    'line_id,payment_id,product_id',
    90,
    (at) => `${at},${((at * 7) % 60) + 1},${(at % 7) + 1}`,
  ),
  'product.csv': rows('product_id,name', 20, (at) => `${at},Thing ${at}`),
  'us_states.csv': rows('state_id,state_name', 51, (at) => `${at},State ${at}`),
};

describe('init', () => {
  it('joins small numbers by the names of their columns, and looks up what accounts name', async () => {
    writeExport(shop);
    const { summary, text, tables, account } = await guessed();
    expect(summary).toMatchObject({ accounts: { file: 'customer.csv', key: 'customer_id' } });
    expect(tables).toEqual({
      accounts: { file: 'customer.csv', key: 'customer_id' },
      payment: { file: 'payment.csv', key: 'customer_id' },
      line: { file: 'line.csv', key: 'payment_id', via: 'payment' },
      address: {
        file: 'address.csv',
        key: 'address_id',
        via: { table: 'accounts', column: 'address_id', several: true },
      },
      city: { file: 'city.csv', key: 'city_id', via: { table: 'address', column: 'city_id', several: true } },
      product: {
        file: 'product.csv',
        key: 'product_id',
        via: { table: 'line', column: 'product_id', several: true },
      },
    });
    expect(text).toContain(
      '  # sure: the name of the key of customer.csv, and it has all its values\n  payment:',
    );
    expect(account).toMatchObject({
      billing_address: {
        from: 'address',
        match: { address_id: 'address_id' },
        each: { locality: { from: 'city', match: { city_id: 'city_id' }, each: 'city' } },
      },
    });
    const checked = await ranHere(['validate', 'export', '--supplier', 'X', '--json'], space.directory);
    expect(lines(checked.stdout).map(({ code }) => code)).not.toContain('orphan_row');
  });

  it('makes the letters of a country of its name', async () => {
    writeExport({
      'customers.csv':
        'customer_id,last_name,city,state,country\nA-1,Lee,Leeds, ,United Kingdom\nA-2,Vogt,Ulm, ,Deutschland\n',
    });
    expect((await guessed()).account).toMatchObject({
      billing_address: { country: { column: 'country', country: true }, locality: 'city' },
    });
    // The blank column of the states would be a problem of each account.
    expect((await guessed()).account).not.toHaveProperty('billing_address.administrative_area');
  });

  it('writes a join that only small numbers suggest as a comment, with the reason', async () => {
    writeExport({
      'client.csv': rows('client_id,name,helper_id', 30, (at) => `${at},Ann,${(at % 4) + 1}`),
      'staff.csv': rows('staff_id,rank', 6, (at) => `${at},${at}`),
      'sums.csv': rows(
        'sum_no,total,since',
        30,
        (at) => `${at},${at},2024-01-${String(at).padStart(2, '0')}`,
      ),
    });
    const { text, tables } = await guessed();
    expect(Object.keys(tables)).toEqual(['accounts']);
    expect(text).toMatch(
      /^ {2}# staff: \{ file: staff\.csv, key: staff_id, via: \{ table: accounts, column: helper_id, several: true \} \} # helper_id of client\.csv: .* by chance$/m,
    );
    expect(text).toMatch(/^ {2}# sums: /m);
  });

  it('never joins by an amount, a date or a flag', async () => {
    writeExport({
      'kunden.csv': rows('kundennr,name', 40, (at) => `${100_000 + 37 * at},Ann`),
      'zahlung.csv': rows(
        'zahlung_nr,betrag_cent,tag,bezahlt',
        40,
        (at) => `Z${at},${100_000 + 37 * at},2024-01-0${(at % 9) + 1},${at % 2}`,
      ),
    });
    const { tables } = await guessed();
    expect(Object.keys(tables)).toEqual(['accounts']);
  });

  it('takes the accounts table that the user names, by file, name or sheet', async () => {
    writeExport(shop);
    expect((await guessed('--accounts', 'address')).summary).toMatchObject({
      accounts: { file: 'address.csv', key: 'address_id' },
    });
    const made = await ranHere(['init', 'export', '--accounts', 'custommer.csv'], space.directory);
    expect(made.code).toBe(2);
    expect(made.stderr.replaceAll(/\s+/g, ' ')).toContain(
      '--accounts: There is no table custommer.csv. Did you mean customer.csv?',
    );
  });

  it('says that it is not certain where no table is named as one of accounts', async () => {
    writeExport({
      'things.csv': rows('thing_id,colour', 9, (at) => `${at},red`),
      'parts.csv': rows('part_id,thing_id', 18, (at) => `${at},${(at % 9) + 1}`),
    });
    const made = await ranHere(['init', 'export'], space.directory);
    expect(made.stdout.replaceAll(/\s+/g, ' ')).toContain(
      "each row of things.csv seems to be an account (parts.csv refers to it), numbered in the column 'thing_id'. That is not certain. Name another table with --accounts TABLE.",
    );
  });

  it('knows the number beside the id, and German tables of a utility', async () => {
    writeExport({
      'VERTRAGSKONTO.csv': rows(
        'VK_ID;VERTRAGSKONTONR;GP_ID;SALDO',
        30,
        (at) => `${at};V-${at + 700};${31 - at};${at},50`,
      ),
      'GESCHAEFTSPARTNER.csv': rows(
        'GP_ID;VORNAME;NACHNAME;EMAIL',
        30,
        (at) => `${at};Änne;Muster;a${at}@example.com`,
      ),
      'ANLAGE.csv': rows(
        'ANLAGE_ID;VK_ID;STRASSE;PLZ',
        45,
        (at) => `${at};${(at % 30) + 1};Weg ${at};0106${at % 10}`,
      ),
      'ZAEHLER.csv': rows(
        'ZAEHLER_ID;ANLAGE_ID;TYP_ID;TARIF',
        45,
        (at) => `${at};${at};${(at % 3) + 1};${(at % 4) + 1}`,
      ),
      'TARIF.csv': rows('TARIF_NR;TEXT', 8, (at) => `${at};Tarif ${at}`),
      'ZAEHLERTYP.csv': rows('TYP_ID;TEXT', 5, (at) => `${at};Typ ${at}`),
    });
    const { summary, tables } = await guessed();
    expect(summary).toMatchObject({ accounts: { file: 'VERTRAGSKONTO.csv', key: 'VERTRAGSKONTONR' } });
    expect(tables).toMatchObject({
      geschaeftspartner: { key: 'GP_ID', via: { table: 'accounts', column: 'GP_ID', several: true } },
      anlage: { key: 'VK_ID', via: 'accounts' },
      zaehler: { key: 'ANLAGE_ID', via: 'anlage' },
      tarif: { key: 'TARIF_NR', via: { table: 'zaehler', column: 'TARIF', several: true } },
      zaehlertyp: { key: 'TYP_ID', via: { table: 'zaehler', column: 'TYP_ID', several: true } },
    });
  });

  it('names the columns of a file without a header, and loses no row of it', async () => {
    writeExport({ 'clients.csv': 'A-1,Ann,2024-01-31\nA-2,Bob,2024-02-01\nA-3,Eve,2024-02-02\n' });
    const { text, tables } = await guessed();
    expect(tables['accounts']).toEqual({
      file: 'clients.csv',
      key: 'column_1',
      columns: ['column_1', 'column_2', 'column_3'],
    });
    expect(text).toContain('# it seems to have no header: name its columns');
    const checked = await ranHere(['validate', 'export', '--supplier', 'X', '--json'], space.directory);
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 3 });
  });
});
