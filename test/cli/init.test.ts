import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { workbook } from '../source/workbook.ts';
import { ranHere } from './own-shell.ts';
import { lines, project, summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

const read = (file: string): string => readFileSync(join(space.directory, file), 'utf8');

function writeExport(files: Readonly<Record<string, string | Buffer>>): void {
  mkdirSync(join(space.directory, 'export'));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(space.directory, 'export', name), text);
}

/** The digits of a column without leading zeros. */
const bareKey = (column: string): string =>
  `{ of: ${column}, replace: { pattern: '^[^1-9]+', with: '' }, digits: true }`;

describe('init', () => {
  it('writes a mapping that fits the export as it stands, and settings that name it', async () => {
    const exported = project('fixtures/legacy/export');
    const made = await ranHere(['init', exported, '--json'], space.directory);
    expect(summaryOf(made.stdout)).toMatchObject({
      exit: 0,
      written: ['mapping.yaml', '.migraterc'],
      kept: [],
      accounts: { file: 'KUNDEN.csv', key: 'KUNDENNR' },
    });
    const mapping = read('mapping.yaml');
    expect(parse(mapping)).toMatchObject({
      format: {
        delimiter: ';',
        dates: 'dd.mm.yyyy',
        decimal_mark: ',',
        empty: ['00.00.0000'],
      },
      account: {
        transfer_balance: 'SALDO',
        billing_address: { postal_code: 'PLZ', locality: 'ORT' },
        customers: [{ given_name: 'VORNAME', family_name: 'NACHNAME', email: 'EMAIL' }],
      },
    });
    expect(parse(mapping)).not.toHaveProperty('format.encoding');
    expect(mapping).toMatch(/^ {2}# encoding: windows-1252 # a guess \(.*KUNDEN\.csv/m);
    expect(mapping).toContain('#   ART: code: "G", "P"');
    expect(mapping).toContain('#   EINZUG: date, dd.mm.yyyy\n');
    expect(mapping).toContain('#   ZEIT: time of day\n');
    expect(mapping).not.toContain('seems to refer to a row of accounts');
    expect(mapping).toContain('seems to refer to a row of zaehlpunkte: match: { MALO: MALO }');
    expect(mapping).toContain('mandate: { file: MANDATE.csv, key: KUNDENNR }\n');
    expect(mapping).not.toContain('Jürgen');

    const schema = JSON.parse(readFileSync(project('docs/mapping.schema.json'), 'utf8')) as object;
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);
    validate(parse(mapping));
    expect(validate.errors).toBeNull();

    const checked = await ranHere(
      ['validate', exported, '--supplier', 'TENTACLE_ENERGY', '--json'],
      space.directory,
    );
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 50 });
    expect(checked.stderr).toContain('read as windows-1252');
    expect(checked.stderr).toContain('This is a guess.');
    const codes = new Set(lines(checked.stdout).map(({ code }) => code));
    for (const code of ['invalid_date', 'invalid_amount', 'orphan_row']) expect(codes).not.toContain(code);
  });

  it('leaves files alone that are there', async () => {
    writeFileSync(join(space.directory, 'mapping.yaml'), 'mine');
    const first = await ranHere(['init', project('fixtures/legacy/export'), '--json'], space.directory);
    expect(summaryOf(first.stdout)).toMatchObject({ written: ['.migraterc'], kept: ['mapping.yaml'] });
    expect(read('mapping.yaml')).toBe('mine');
    const settings = read('.migraterc');
    const again = await ranHere(['init', project('fixtures/legacy/export'), '--json'], space.directory);
    expect(again.code).toBe(2);
    expect(read('.migraterc')).toBe(settings);
  });

  it.each(['interface', 'flat'])('knows that the %s shape needs no mapping', async (shape) => {
    const made = await ranHere(['init', project(`fixtures/${shape}`), '--json'], space.directory);
    expect(summaryOf(made.stdout)).toMatchObject({ written: ['.migraterc'], accounts: null });
    const checked = await ranHere(['validate', project(`fixtures/${shape}`), '--json'], space.directory);
    expect(checked.code).toBe(0);
  });

  it('copes with other names, formats, sentinels, doubtful dates and keys called otherwise', async () => {
    const rows = (row: (at: number) => string): string =>
      Array.from({ length: 9 }, (_, at) => row(at + 1)).join('\n');
    writeExport({
      'clients-001.csv': `"the id",Since: when,Ended,Mark\n${rows((at) => `0${at},0${at}/02/2024,${at > 1 ? '31.12.9999' : '01.01.2024'},${at > 1 ? 'true' : 'Null'}`)}\n`,
      'calls.ndjson': rows((at) => `{"client":{"no":"0${at}"},"at":"2024-01-0${at}T10:00:00Z","amount":1.5}`),
      'reasons.json': '[{"code":"A","text":"a"},{"code":"B","text":"b"}]',
    });
    const made = await ranHere(['init', 'export', '--json'], space.directory);
    expect(summaryOf(made.stdout)).toMatchObject({ accounts: { file: 'clients.csv', key: 'the id' } });
    const mapping = read('mapping.yaml');
    expect(parse(mapping)).toMatchObject({
      format: { empty: ['31.12.9999'] },
      tables: { accounts: { key: 'the id' }, calls: { file: 'calls.ndjson', key: 'client.no' } },
    });
    expect(mapping).toContain(
      '  # A guess (clients.csv:Ended): remove what is a value somewhere, such as a name\n  empty:',
    );
    expect(mapping).toContain('Since: when: date, dd/mm/yyyy; mm/dd/yyyy also fits: ask');
    expect(mapping).toContain('# reasons.json: no column looks like the account number');
    const checked = await ranHere(
      ['validate', 'export', '--supplier', 'TENTACLE_ENERGY', '--json'],
      space.directory,
    );
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 9 });
  });

  it('finds the numbers that a column of another language has in another form', async () => {
    const numbers = Array.from({ length: 9 }, (_, at) => 1007 + at);
    writeExport({
      'STAM.csv': `Klantnr,Naam\n${numbers.map((number) => `K-000${number},x\n`).join('')}`,
      'saldi.csv': `Klant,Saldo\n${numbers.map((number) => `${number},1.00\n`).join('')}`,
    });
    await ranHere(['init', 'export', '--json'], space.directory);
    expect(parse(read('mapping.yaml'))).toMatchObject({
      tables: { accounts: { key: { of: 'Klantnr' } }, saldi: { key: 'Klant' } },
    });
  });

  it('writes a mapping that validate reads, whatever columns there are', async () => {
    writeExport({ 'clients.csv': `Client no,Country\n${[1, 2, 3].map((at) => `A-${at},DE\n`).join('')}` });
    await ranHere(['init', 'export', '--json'], space.directory);
    expect(parse(read('mapping.yaml'))).toMatchObject({ account: {} });
    const checked = await ranHere(['validate', 'export', '--supplier', 'TENTACLE_ENERGY', '--json'], space.directory); // prettier-ignore
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 3 });
  });

  it('leaves out tables that validate would refuse, and says why', async () => {
    const rows = [1, 2, 3, 4, 5].map((at) => [`A-${at}`, 'x', 'y']);
    const twice = [['note', 'note', 'nr'], ['', '', ''], ['nr', 'p', 'q'], ...rows];
    writeExport({ 'clients.xlsx': workbook({ Clients: [['no', 'a', 'b'], ...rows], Twice: twice }) });
    const made = await ranHere(['init', 'export'], space.directory);
    expect(made.stdout).toContain("has the name 'note' twice");
    expect(read('mapping.yaml')).toMatch(/^ {2}# Left out: .* has the name 'note' twice/m);
    const checked = await ranHere(['validate', 'export', '--supplier', 'TENTACLE_ENERGY', '--json'], space.directory); // prettier-ignore
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 5 });
  });

  it('refuses an export none of whose tables a mapping could read, with the reason', async () => {
    writeExport({ 'clients.csv': `Client no,Note,Note\n${[1, 2, 3].map((at) => `A-${at},x,y\n`).join('')}` });
    const made = await ranHere(['init', 'export'], space.directory);
    expect(made.code).toBe(2);
    expect(made.stderr).toContain("has the name 'Note' twice. Give each column its own name.");
  });

  it('states an encoding that is certain, also beside one that is a guess', async () => {
    const rows = 'ID;NAME\nA-1;Jürgen Müller\nA-2;Zoë Weiß\nA-3;Søren Ågren\n';
    mkdirSync(join(space.directory, 'export'));
    const write = (file: string, bytes: Buffer): void =>
      writeFileSync(join(space.directory, 'export', file), bytes);
    write('clients.csv', Buffer.from(`\ufeff${rows}`, 'utf16le'));
    write('notes.csv', Buffer.from(rows, 'latin1'));
    write('calls.csv', Buffer.from(`\ufeff${rows}`, 'utf16le'));
    await ranHere(['init', 'export'], space.directory);
    const mapping = read('mapping.yaml');
    expect(parse(mapping)).not.toHaveProperty('format.encoding');
    expect(mapping).toContain('accounts: { file: clients.csv, key: ID, encoding: utf-16le }');
    expect(mapping).toContain('notes: { file: notes.csv, key: ID }');
    expect(mapping).toContain('# encoding: windows-1252 # a guess (notes.csv): check names with accents');
  });

  it('keeps files in UTF-8 as they are where the encoding of others is a guess, and then is stated', async () => {
    writeExport({
      'clients.csv': Buffer.from(
        'KDNR;NAME;TOWN\n1001;M\xfcller;Ulm\n1002;Gr\xf6\xdfe;Ulm\n1003;Ad\xe9le;Ulm\n',
        'latin1',
      ),
      'calls.csv': 'KDNR;TEXT\n1001;plain\n',
      'notes.csv': 'KDNR;TEXT\n1001;Schlüssel\n',
    });
    await ranHere(['init', 'export'], space.directory);
    const mapping = read('mapping.yaml');
    expect(mapping).toContain('notes: { file: notes.csv, key: KDNR, encoding: utf-8 }');
    expect(mapping).toContain('calls: { file: calls.csv, key: KDNR }');
    const guess = '# encoding: windows-1252 # a guess (clients.csv)';
    expect(mapping).toContain(guess);
    const stated = mapping.replace(guess, guess.slice(2));
    writeFileSync(join(space.directory, 'mapping.yaml'), stated);
    const check = async (): Promise<string> =>
      (await ranHere(['validate', 'export', '--supplier', 'X', '--verbose'], space.directory)).stderr;
    const said = await check();
    expect(said).toContain('notes.csv: CSV, utf-8');
    expect(said).toContain('clients.csv: CSV, windows-1252');
    expect(said).not.toContain('looks like UTF-8');
    // As a person writes it who takes the guess for all files.
    writeFileSync(join(space.directory, 'mapping.yaml'), stated.replace(', encoding: utf-8', ''));
    expect((await check()).replaceAll(/\s+/g, ' ')).toContain(
      'Read as windows-1252, as stated, but it looks like UTF-8: notes.csv. Check names with accents with migrate explain, and set encoding: utf-8 for this table in the mapping.',
    );
  });

  it('reads the names of columns and their files in a Central European encoding', async () => {
    const bytes = (text: string): Buffer => {
      const codes = { Č: 0xc8, Í: 0xcd, Ě: 0xcc, Ž: 0x8e, ď: 0xef, á: 0xe1, ř: 0xf8, í: 0xed };
      const known = new Map(Object.entries(codes));
      return Buffer.from(Array.from(text, (sign) => known.get(sign) ?? sign.charCodeAt(0)));
    };
    writeExport({
      'ODBER.csv': bytes('ČÍSLO_ODBĚRATELE;MESTO\n0002856321;Žďár\n0002856322;Příbram\n'),
      // A letter that might as well be Italian.
      'MISTA.csv': bytes('ODBĚRATEL;DRUH\n0002856321;1\n0002856321;2\n'),
    });
    await ranHere(['init', 'export'], space.directory);
    const mapping = read('mapping.yaml');
    expect(mapping).toContain('  # encoding: windows-1250 # a guess (ODBER.csv)');
    expect(mapping).toContain('accounts: { file: ODBER.csv, key: ČÍSLO_ODBĚRATELE }');
    expect(mapping).toContain('mista: { file: MISTA.csv, key: ODBĚRATEL, encoding: windows-1250 } # ');
    const checked = await ranHere(['validate', 'export', '--supplier', 'X', '--json'], space.directory);
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 2 });
    expect(checked.stderr).toContain('read as windows-1250');
  });

  it('writes no name that it cannot read, and asks for the encoding', async () => {
    // НОМЕР in windows-1251.
    const name = Buffer.from([0xcd, 0xce, 0xcc, 0xc5, 0xd0]);
    writeExport({ 'A.csv': Buffer.concat([name, Buffer.from(';ID\nx;1\ny;2\n')]) });
    const { code, stdout } = await ranHere(['init', 'export', '--json'], space.directory);
    expect(code).toBe(2);
    expect(summaryOf(stdout)).toMatchObject({ errors: [expect.stringMatching(/^A\.csv: .*--encoding/)] });
    await ranHere(['init', 'export', '--encoding', 'windows-1251'], space.directory);
    expect(parse(read('mapping.yaml'))).toMatchObject({ format: { encoding: 'windows-1251' } });
    expect(read('mapping.yaml')).toContain('НОМЕР');
  });

  it.each([
    [
      'leading zeros and a dash',
      (at: number) => `000285632${at}`,
      '{ of: ODBERATEL, digits: true, pad: 10 }',
      undefined,
    ],
    ['no leading zeros', (at: number) => `285632${at}`, '{ of: ODBERATEL, digits: true }', undefined],
    ['a prefix', (at: number) => `CZ-285632${at}`, '{ of: ODBERATEL, digits: true }', bareKey('CISLO')],
  ])('finds keys that are the same but for %s', async (_what, number, pointKey, accountKey) => {
    const rows = (count: number, row: (at: number) => string): string =>
      Array.from({ length: count }, (_, at) => row(at)).join('\n');
    writeExport({
      'A_MISTA.csv': `EAN;ODBERATEL;DRUH\n${rows(9, (at) => `85918240010000000${at};2-85632${at % 5};E`)}\n`,
      'B_ODECTY.csv': `EAN;DATUM;STAV\n${rows(9, (at) => `85918240010000000${at};1. ${at + 1}. 2024;${at}`)}\n`,
      'C_SMLOUVY.csv': `EAN;OD\n${rows(9, (at) => `85918240010000000${at};1. ${at + 1}. 2024`)}\n`,
      // More tables name the supply point than the account.
      'F_SAZBY.csv': `EAN;SAZBA\n${rows(9, (at) => `85918240010000000${at};D${at % 2}`)}\n`,
      'D_KLIENTI.csv': `CISLO;JMENO\n${rows(5, (at) => `${number(at)};Jan`)}\n`,
      'E_PLATBY.csv': `ID;KLIENT;CASTKA\n${rows(9, (at) => `P${at};00000285632${at % 5};1,50`)}\n`,
    });
    const made = await ranHere(['init', 'export', '--json'], space.directory);
    expect(summaryOf(made.stdout)).toMatchObject({ accounts: { file: 'D_KLIENTI.csv', key: 'CISLO' } });
    const mapping = read('mapping.yaml');
    const changed = accountKey === undefined ? '' : ' # payloads have the changed number';
    expect(mapping).toContain(`accounts: { file: D_KLIENTI.csv, key: ${accountKey ?? 'CISLO'} }${changed}\n`);
    expect(mapping).toContain(`a_mista: { file: A_MISTA.csv, key: ${pointKey} }`);
    const checked = await ranHere(['validate', 'export', '--supplier', 'X', '--json'], space.directory);
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 5 });
    expect(lines(checked.stdout).map(({ code }) => code)).not.toContain('orphan_row');
  });

  it('knows account numbers by the names of their columns where they are small, or others have their digits', async () => {
    const rows = (row: (at: number) => string): string =>
      Array.from({ length: 9 }, (_, at) => row(at + 1)).join('\n');
    writeExport({
      'Klienci.csv': `Numer klienta;Nazwa\n${rows((at) => `K-00000${at};Jan`)}\n`,
      'Punkty.csv': `Punkt;Nr klienta\n${rows((at) => `P${at};00000${(at % 5) + 1}`)}\n`,
      'Kontakty.csv': `E-mail;Klient\n${rows((at) => `k${at}@example.com;${(at % 5) + 1}`)}\n`,
    });
    await ranHere(['init', 'export'], space.directory);
    const mapping = read('mapping.yaml');
    expect(parse(mapping)).toMatchObject({
      tables: {
        accounts: { file: 'Klienci.csv', key: { of: 'Numer klienta' } },
        punkty: { key: { of: 'Nr klienta' } },
        kontakty: { key: 'Klient' },
      },
    });
  });

  it('links rows that name a supply point, a contract or a meter to the account, table by table', async () => {
    const rows = (count: number, row: (at: number) => string): string =>
      Array.from({ length: count }, (_, at) => row(at)).join('\n');
    writeExport({
      'Customers.csv': `Customer No;Name;Contract\n${rows(6, (at) => `40010${at};Ada;C-77000${at}`)}\n`,
      'Points.csv': `Customer No;MPAN;Tariff\n${rows(9, (at) => `40010${at % 6};12000000${at};T${at % 2}`)}\n`,
      'Devices.csv': `Device;MPAN\n${rows(9, (at) => `S00${at}X;12000000${at}`)}\n`,
      // Each names its device, and no table that names the account has it.
      'Readings.csv': `Device;Date;Units\n${rows(18, (at) => `S00${at % 9}X;0${(at % 8) + 1}/05/2024;${at}1`)}\n`,
      'Główne umowy.csv': `Customer No;Label\n${rows(6, (at) => `40010${at};Umowa`)}\n`,
      'Letters.csv': `Contract number;Text\n${rows(12, (at) => `77000${at % 6};Hello`)}\n`,
      'Tariffs.csv': `Tariff;Label\nT0;Day\nT1;Night\n`,
    });
    await ranHere(['init', 'export'], space.directory);
    const mapping = read('mapping.yaml');
    expect(parse(mapping)).toMatchObject({
      tables: {
        accounts: { file: 'Customers.csv', key: 'Customer No' },
        points: { key: 'Customer No' },
        główne_umowy: { key: 'Customer No' },
        devices: { key: 'MPAN', via: 'points' },
        readings: { key: 'Device', via: 'devices' },
        letters: {
          key: { of: 'Contract number', digits: true },
          via: { table: 'accounts', column: { of: 'Contract', digits: true } },
        },
      },
    });
    expect(mapping).toContain(
      'tariffs: { file: Tariffs.csv, key: Tariff, via: { table: points, column: Tariff, several: true } }',
    );
    const checked = await ranHere(['validate', 'export', '--supplier', 'X', '--json'], space.directory);
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 6 });
    expect(lines(checked.stdout).map(({ code }) => code)).not.toContain('orphan_row');
  });

  it('takes the table of all accounts, though rows of it are faulty and another has some of them', async () => {
    const numbers = Array.from({ length: 300 }, (_, at) => String(7_000_100 + 7 * at));
    const some = numbers.filter((_, at) => at % 5 < 3);
    const rows = (all: readonly string[], text: (number: string, at: number) => string): string =>
      all.map((number, at) => `${text(number, at)}\n`).join('');
    writeExport({
      'KONTEN.csv': `VKONT;NAME\n${rows([...numbers, numbers[0]!, ''], (number) => `${number};Ada`)}`,
      'mandate.csv': `Konto;Mandat\n${rows(some, (number, at) => `${number};M-${at}`)}`,
      'POSTEN.csv': `BELEG;VKONT\n${rows([...numbers, ...numbers], (number, at) => `B${at};${number}`)}`,
      'rechnungen.csv': `Konto;Nr\n${rows([...numbers, ...numbers], (number, at) => `${number};R${at}`)}`,
    });
    const made = await ranHere(['init', 'export', '--json'], space.directory);
    expect(summaryOf(made.stdout)).toMatchObject({ accounts: { file: 'KONTEN.csv', key: 'VKONT' } });
    expect(parse(read('mapping.yaml'))).toMatchObject({
      tables: { mandate: { key: 'Konto' }, posten: { key: 'VKONT' }, rechnungen: { key: 'Konto' } },
    });
  });

  it('guesses the encodings of files that differ, and can be told both', async () => {
    writeExport({
      'A.csv': Buffer.from('NR;NAME\n1001;M\xfcller\n1002;Gr\xf6\xdfe\n', 'latin1'),
      'B.csv': Buffer.from('NR;ULICE\n1001;P\xf8\xedkop\xec\n1002;\x8elut\xe1\n', 'latin1'),
      'C.csv': Buffer.from('NR;TEXT\n1001;sch\xf6n\n1002;Stra\xdfe\n', 'latin1'),
    });
    await ranHere(['init', 'export'], space.directory);
    const lead = '# encoding: windows-1252 # a guess (A.csv, C.csv)';
    expect(read('mapping.yaml')).toContain(lead);
    expect(read('mapping.yaml')).toMatch(
      /# windows-1250 is a guess \(B\.csv\): .* add encoding: windows-1250 to these/,
    );
    expect(parse(read('mapping.yaml').replace(lead, lead.slice(2)))).toMatchObject({
      format: { encoding: 'windows-1252' },
    });
  });

  it('guesses years of two digits, spaces and apostrophes within amounts, and signs behind them', async () => {
    const book = workbook({
      Clients: [['NUM', 'NOM', 'SOLDE'], ...[1, 2, 3].map((num) => [num, 'Muñoz', num + 0.5])],
    });
    writeExport({
      'CLIENTS.xlsx': book,
      'ECRITURES.csv':
        'NUM;LE;MONTANT;CODE\n1;15/03/24;1\u00a0234,56-;12-\n2;01/02/24;2 002,00;13-\n3;31/12/23;0,50-;(1)\n',
    });
    await ranHere(['init', 'export'], space.directory);
    const mapping = read('mapping.yaml');
    expect(parse(mapping)).toMatchObject({
      format: { dates: 'dd/mm/yy', decimal_mark: ',', thousands_mark: ' ', sign: 'trailing' },
    });
    expect(mapping).toContain('#   CODE: text');
  });

  it('guesses dates with blanks behind their points', async () => {
    writeExport({ 'A.csv': 'ID;NAME;OD\n1;Dvořák;1. 7. 2024\n2;Novák;31. 12. 2023\n3;Malá;9. 10. 2024\n' });
    await ranHere(['init', 'export'], space.directory);
    expect(parse(read('mapping.yaml'))).toMatchObject({ format: { dates: 'd. m. yyyy' } });
  });

  it.each([
    ["1'234.50", '-2.00', { decimal_mark: '.', thousands_mark: "'" }, undefined],
    ['(1 234,50)', '2,00', { decimal_mark: ',', thousands_mark: ' ', sign: 'brackets' }, 'brackets'],
    ['1234,50-', '-2,00', { decimal_mark: ',' }, ['leading', 'trailing']],
  ])('guesses how %s and %s are written', async (one, other, format, sign) => {
    writeExport({
      'A.csv': `ID;NAME;X\n1;Ann;${one}\n2;Bob;${other}\n3;Eve;3${one.includes(',') ? ',' : '.'}10\n`,
    });
    await ranHere(['init', 'export'], space.directory);
    const { format: written } = parse(read('mapping.yaml')) as { format: Record<string, unknown> };
    expect(written).toMatchObject(format);
    expect(written['sign']).toEqual(sign);
  });

  it('writes marks that fit together if columns have different ones', async () => {
    const rows = [1, 2, 3].map((at) => `${at};${at}.50;${at}.75;${at}.234,50`);
    writeExport({ 'clients.csv': `ID;A;B;C\n${rows.join('\n')}\n` });
    await ranHere(['init', 'export'], space.directory);
    expect(parse(read('mapping.yaml'))).toMatchObject({ format: { decimal_mark: '.' } });
    const checked = await ranHere(['mapping', 'check', 'mapping.yaml', 'export', '--json'], space.directory);
    // The mapping is valid, and does not read all columns yet.
    expect(checked.code).toBe(3);
  });

  it('tells parts of a table from other numbers in names, and what a country column holds', async () => {
    writeExport({
      'clients-1.csv': 'client id,Ctry,Street,Seen\n01,826,High Street 1,09:30\n',
      'clients-2.csv': 'client id,Ctry,Street,Seen\n02,826,High Street 2,17:05\n',
      'meters 2024-06.csv': 'client id,mpan\n01,a\n',
      'calls-2023-11.csv': 'client id,body\n01,x\n',
      'calls-2023-12.csv': 'client id,body\n02,y\n',
    });
    await ranHere(['init', 'export', '--json'], space.directory);
    const mapping = read('mapping.yaml');
    const { tables } = parse(mapping) as { tables: Record<string, { file: string }> };
    expect(Object.values(tables).map(({ file }) => file)).toEqual([
      'clients.csv',
      'calls-2023*.csv',
      'meters 2024-06.csv',
    ]);
    expect(mapping).toContain('# country: ');
    expect(mapping).toContain('#   Seen: time of day');
    const checked = await ranHere(['validate', 'export', '--supplier', 'X', '--json'], space.directory);
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 2 });
    expect(checked.stderr).not.toContain('Not read');
  });

  it('guesses a format that all but a few rows are in, and says how many are not', async () => {
    const rows = Array.from(
      { length: 20 },
      (_, at) => `${at + 1};${at === 7 ? '31.02.2024' : '01.02.2024'};1,5${at === 3 ? 'O' : '0'}`,
    );
    writeExport({ 'clients.csv': `client id;Since;Owes\n${rows.join('\n')}\n` });
    await ranHere(['init', 'export', '--json'], space.directory);
    const mapping = read('mapping.yaml');
    expect(parse(mapping)).toMatchObject({ format: { dates: 'dd.mm.yyyy', decimal_mark: ',' } });
    expect(mapping).toContain('#   Since: date, dd.mm.yyyy; 1 of the rows that were read differ\n');
    expect(mapping).toContain('#   Owes: amount; 1 of the rows');
  });

  it('says where nothing looks like an account', async () => {
    writeExport({ 'a.csv': 'X,Y\n1,\n1,\n' });
    const { code, stdout } = await ranHere(['init', 'export', '--json'], space.directory);
    expect(code).toBe(2);
    expect(summaryOf(stdout)).toMatchObject({ errors: [expect.stringContaining('account number')] });
  });
});

it('looks at five hundred tables, and says how many it left out', async () => {
  mkdirSync(join(space.directory, 'export'));
  for (let table = 0; table < 503; table += 1)
    writeFileSync(join(space.directory, 'export', `t${String(table)}x.csv`), 'a,b\n1,2\n2,3\n');
  const made = await ranHere(['init', 'export'], space.directory);
  expect(made.stdout.replace(/\s+/g, ' ')).toContain('3 tables more: init looks at the first 500 by name.');
});
