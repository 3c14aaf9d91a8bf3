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

/** The account section that `init` writes. */
async function accountOf(name: string): Promise<unknown> {
  const made = await ranHere(['init', name], space.directory);
  expect(made.stderr).toBe('');
  const text = readFileSync(join(space.directory, 'mapping.yaml'), 'utf8');
  return (parse(text) as { readonly account: unknown }).account;
}

function database(sql: string): string {
  const db = new Database(join(space.directory, 'old.sqlite'));
  db.exec(sql);
  db.close();
  return 'old.sqlite';
}

function files(texts: Readonly<Record<string, string>>): string {
  mkdirSync(join(space.directory, 'export'));
  for (const [name, text] of Object.entries(texts))
    writeFileSync(join(space.directory, 'export', name), text);
  return 'export';
}

/** Partners with several ways to reach them: `LFDNR` counts those of each, so that the first is always an email. */
const partners = `
  CREATE TABLE ORT (ORT_ID INTEGER PRIMARY KEY, PLZ CHAR(5), ORTSNAME TEXT, LKZ CHAR(2));
  CREATE TABLE PARTNER (GP_NR INTEGER PRIMARY KEY, NACHNAME TEXT, VORNAME TEXT, FIRMA TEXT, STRASSE TEXT, HAUSNR TEXT,
    ORT_ID INTEGER REFERENCES ORT (ORT_ID));
  CREATE TABLE KOMMUNIKATION (GP_NR INTEGER REFERENCES PARTNER (GP_NR), LFDNR INTEGER, ART TEXT, WERT TEXT, PRIMARY KEY (GP_NR, LFDNR));
  CREATE TABLE VERTRAGSKONTO (VKONTO INTEGER PRIMARY KEY, GP_NR INTEGER REFERENCES PARTNER (GP_NR));
  INSERT INTO ORT VALUES (1, '01069', 'Dresden', 'DE');
  INSERT INTO PARTNER VALUES (5, 'Vogt', 'Dirk', NULL, 'Gasse', '1a', 1), (6, NULL, NULL, 'Bau GmbH', 'Gasse', '2', 1),
    (7, 'Lange', 'Cora', '', 'Gasse', '3', 1);
  INSERT INTO KOMMUNIKATION VALUES (5, 1, 'EMAIL', 'dirk@example.com'), (5, 2, 'TEL', '0351 4567890'),
    (6, 1, 'EMAIL', 'bau@example.com'), (6, 2, 'FAX', '0351 4567891'), (6, 3, 'MOBIL', '0171 4567890'),
    (7, 1, 'EMAIL', 'cora@example.com'), (7, 2, 'FAX', '0351 4567893'), (7, 3, 'TEL', '0351 4567892');
  INSERT INTO VERTRAGSKONTO VALUES (100, 5), (101, 6), (102, 7);
`;

describe('init of customers who are reached by rows of several kinds', () => {
  it('takes emails and phones by their kind, and the company for who has no name', async () => {
    expect(await accountOf(database(partners))).toMatchObject({
      billing_address: {
        street_address: { template: '{STRASSE} {HAUSNR}' },
        locality: 'ORTSNAME',
        postal_code: 'PLZ',
        country: 'LKZ',
      },
      customers: [
        {
          given_name: { column: ['VORNAME', 'FIRMA'] },
          family_name: { column: ['NACHNAME', 'FIRMA'] },
          email: { from: 'kommunikation', where: { ART: 'EMAIL' }, take: 'first', each: 'WERT' },
          landline: { from: 'kommunikation', where: { ART: ['TEL', 'MOBIL'] }, take: 'first', each: 'WERT' },
        },
      ],
    });
  });

  it('makes them valid accounts with the import supplier alone', async () => {
    await accountOf(database(partners));
    const checked = await ranHere(['validate', '--supplier', 'TENTACLE_ENERGY', '--json'], space.directory);
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 3, valid: 3 });
  });
});

describe('init of phone numbers beside a country', () => {
  it('reads them as numbers of that country', async () => {
    const name = files({
      'customers.csv':
        'customer_no,first_name,last_name,phone,street,city,zip,country\n' +
        '1,Ann,Lee,0113 496 0000,1 High St,Leeds,LS1 1AA,United Kingdom\n2,Ulf,Roe,030 23125001,Gasse 2,Berlin,10115,Germany\n',
    });
    expect(await accountOf(name)).toMatchObject({
      customers: [{ landline: { column: 'phone', phone: { country: 'country' } } }],
    });
    const explained = await ranHere(['explain', name, '2', '--supplier', 'X'], space.directory);
    expect(explained.stdout).toContain('landline: "+493023125001"');
  });
});

describe('init of a database of several suppliers, with rows that count as deleted', () => {
  const accounts = (deleted: string, brand: string) =>
    `customer_no,first_name,last_name,email,street,city,zip,country,${brand},${deleted}\n` +
    [1, 2, 3, 4]
      .map(
        (at) =>
          `${at},Ann,Lee,a${at}@example.com,${at} High St,Leeds,LS1 1AA,GB,${brand === 'brand' ? `N${at % 2}` : `EAST_${at % 2}`},`,
      )
      .join('\n');

  it('says which column may name the supplier, and how deleted rows are left out, in lines that are valid', async () => {
    const name = files({ 'customers.csv': `${accounts('LOESCHKZ', 'brand')}X\n` });
    await accountOf(name);
    const path = join(space.directory, 'mapping.yaml');
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(
      '# import_supplier: { column: brand, codes: { N0: SUPPLIER_N0, N1: SUPPLIER_N1 } } # brand may',
    );
    expect(text).toContain('# LOESCHKZ may mark deleted rows. To leave these out: ignore: { LOESCHKZ: X }');
    const mended = text
      .replace('# import_supplier', 'import_supplier')
      .replace('key: customer_no', 'key: customer_no, ignore: { LOESCHKZ: X }');
    writeFileSync(path, mended);
    const checked = await ranHere(['validate', name, '--json'], space.directory);
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 3, valid: 3 });
  });

  it('takes the names of suppliers as they are where they look like those of the platform', async () => {
    await accountOf(files({ 'customers.csv': `${accounts('deleted_at', 'lieferant')}2024-01-31\n` }));
    const text = readFileSync(join(space.directory, 'mapping.yaml'), 'utf8');
    expect(text).toContain('# import_supplier: lieferant #');
    expect(text).toContain("ignore: { deleted_at: { not: '' } }");
  });
});

describe('what init still needs', () => {
  it('names the import supplier and the country that nothing gives, in one line', async () => {
    const name = files({
      'customers.csv':
        'id,first_name,last_name,email,street,city,zip\n1,Ann,Lee,a@example.com,1 High St,Leeds,LS1 1AA\n',
    });
    const made = await ranHere(['init', name], space.directory);
    expect(made.stdout.replaceAll('\n', ' ')).toContain(
      'Before an account is valid, the mapping needs import_supplier and billing_address.country.',
    );
  });

  it('names the names and the email that no column seems to have', async () => {
    const name = files({ 'customers.csv': 'customer_no,street,country\n1,1 High St,GB\n2,2 High St,GB\n' });
    const made = await ranHere(['init', name, '--json'], space.directory);
    expect(summaryOf(made.stdout)).toMatchObject({
      missing: [
        'import_supplier',
        'customers with given_name and family_name',
        'an email or landline of a customer',
      ],
    });
  });
});

describe('init of names in other languages', () => {
  it('knows a French address in two tables, with the number before the street', async () => {
    const name = files({
      'abonnes.csv':
        'id_abonne;nom;prénom;courriel;téléphone;id_adresse\n21;Morel;Chloé;c@example.fr;02 99 01 45 67;1\n' +
        '24;Faure;Éric;e@example.fr;02 99 02 45 67;2\n27;Blanc;Gaël;g@example.fr;02 99 03 45 67;3\n',
      'adresses.csv':
        'id_adresse;numero;voie;id_commune\n1;3 bis;rue de la Paix;8\n2;12;avenue Foch;9\n3;7;place du Port;8\n',
      'communes.csv': 'id_commune;code_postal;nom\n8;35000;Rennes\n9;69001;Lyon\n',
    });
    expect(await accountOf(name)).toMatchObject({
      billing_address: {
        from: 'adresses',
        each: {
          street_address: { template: '{numero} {voie}' },
          postal_code: { from: 'communes', each: 'code_postal' },
          locality: { from: 'communes', each: 'nom' },
        },
      },
      customers: [{ given_name: 'prénom', family_name: 'nom', email: 'courriel', landline: 'téléphone' }],
    });
  });
});
