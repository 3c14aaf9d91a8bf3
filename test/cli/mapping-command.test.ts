import Database from 'better-sqlite3';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workbook } from '../source/workbook.ts';
import { ranHere } from './own-shell.ts';
import { lines, summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

const mapping = `version: 1
format: { decimal_mark: ',', datetimes: dd/mm/yyyy }
tables:
  accounts: { file: CLIENTI.csv, key: CODICE }
  contracts: { file: CONTRATTI.csv, key: { of: CLIENTE, digits: true, pad: 4 } }
  remarks: { file: 'NOTE_*.csv.gz', key: CONTRATTO, via: contracts, encoding: windows-1252, delimiter: '|' }
  unused: { file: ALTRO.csv, key: X }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  account_type: { column: TIPO, codes: { D: DOMESTIC, B: BUSINESS }, default: DOMESTIC }
  transfer_balance: { column: SALDO, sign: trailing }
  sales_channel: { column: CANALE, trim: '*' }
notes:
  from: remarks
  where: { TESTO: { not: '' }, CANCELLATO: '' }
  each: { body: TESTO, created_at: DATA }
`;

const cases = `- name: a debt behind the amount
  rows:
    accounts: [{ CODICE: 0017, SALDO: '12,50-', TIPO: D }]
  fields: { account.transfer_balance: '-12.50', account.account_type: DOMESTIC, notes: null }
- name: a note of a contract
  rows:
    accounts: [{ CODICE: 0017 }, { CODICE: 0018 }]
    contracts: [{ CLIENTE: 18, CONTRATTO: K1 }]
    remarks:
      - { CONTRATTO: K1, DATA: 05/02/2024, TESTO: "two\\nlines" }
      - { CONTRATTO: K1, DATA: morgen, TESTO: x }
      - { CONTRATTO: K2, DATA: 05/02/2024, TESTO: x }
  account: '0018'
  payloads:
    account: { account_type: DOMESTIC }
    notes:
      - { body: "two\\nlines", created_at: '2024-02-05T00:00:00Z' }
      - { body: x, created_at: morgen }
  problems:
    - { code: orphan_row, table: remarks, row: 3, column: CONTRATTO }
    - invalid_datetime
`;

function write(files: Record<string, string | Buffer>): void {
  for (const [name, text] of Object.entries(files)) {
    if (name.includes('/')) mkdirSync(join(space.directory, name.split('/')[0]!), { recursive: true });
    writeFileSync(join(space.directory, name), text);
  }
}

describe('mapping test', () => {
  it('maps the rows of each case', async () => {
    write({ 'mapping.yaml': mapping, 'mapping.cases.yaml': cases });
    const { code, stdout, stderr } = await ranHere(['mapping', 'test', 'mapping.yaml'], space.directory);
    expect([code, stdout, stderr]).toEqual([0, '2 cases: 2 passed, 0 failed\n', '']);
  });

  it('maps rows of a table whose file has another ending', async () => {
    write({
      'mapping.yaml': mapping.replaceAll('.csv', '.txt'),
      'mapping.cases.yaml': cases,
    });
    const { code, stdout, stderr } = await ranHere(['mapping', 'test', 'mapping.yaml'], space.directory);
    expect([code, stdout, stderr]).toEqual([0, '2 cases: 2 passed, 0 failed\n', '']);
  });

  it('shows field by field what is different, at the line of the case', async () => {
    write({
      'mapping.yaml': mapping.replace('pad: 4', 'pad: 5'),
      'mapping.cases.yaml': cases.replace("'-12.50'", "'12.50'"),
    });
    const { code, stdout } = await ranHere(['mapping', 'test', 'mapping.yaml', '--json'], space.directory);
    expect(code).toBe(3);
    const [first, second] = lines(stdout);
    expect(first).toEqual({
      type: 'case',
      name: 'a debt behind the amount',
      passed: false,
      file: 'mapping.cases.yaml',
      line: 1,
      differences: [{ path: 'account.transfer_balance', expected: '12.50', found: '-12.50' }],
    });
    expect(second!['differences']).toContainEqual({
      path: 'notes.0.body',
      expected: 'two\nlines',
      found: null,
    });
    expect(summaryOf(stdout)).toMatchObject({ command: 'mapping test', exit: 3, cases: 2, failed: 2 });
  });

  it.each([
    ['a file of cases that does not exist', {}, 'mapping.cases.yaml does not exist'],
    ['a wrong key', { 'mapping.cases.yaml': '- name: x\n  rows: {}\n  feilds: {}\n' }, ':3:0.feilds: '],
    ['an unknown table', { 'mapping.cases.yaml': '- name: x\n  rows: { no: [] }\n' }, 'has no table no'],
    [
      'an account that is not there',
      { 'mapping.cases.yaml': "- name: x\n  rows: { accounts: [{ CODICE: 1 }] }\n  account: '2'\n" },
      'no account 2',
    ],
  ])('refuses %s', async (_what, files, said) => {
    write({ 'mapping.yaml': mapping, ...files });
    const { code, stderr } = await ranHere(['mapping', 'test', 'mapping.yaml'], space.directory);
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(said);
  });
});

describe('mapping check', () => {
  const files = {
    'mapping.yaml': mapping
      .replace('NOTE_*.csv.gz', 'NOTE.csv')
      .replace("encoding: windows-1252, delimiter: '|' ", ''),
    'export/CLIENTI.csv': 'CODICE,TIPO,SALDO,CANALE,FAX\n0017,D,"1,00",,030\n0018,D,,,\n',
    'export/CONTRATTI.csv': 'CLIENTE,CONTRATTO\n17,K1\n',
    'export/NOTE.csv': 'CONTRATTO,DATA,TESTO,CANCELLATO\nK1,05/02/2024,ciao,S\n',
    'export/ALTRO.csv': 'X\n0017\n',
  };

  it('names tables that nothing reads without an export', async () => {
    write(files);
    const { code, stdout } = await ranHere(['mapping', 'check', 'mapping.yaml'], space.directory);
    expect(code).toBe(3);
    expect(stdout).toContain('mapping.yaml:7:tables.unused');
    expect(stdout).toContain('1 finding\n');
  });

  it('names with an export what is not read, not filled and never needed', async () => {
    write(files);
    const { code, stdout } = await ranHere(
      ['mapping', 'check', 'mapping.yaml', 'export', '--json'],
      space.directory,
    );
    expect(code).toBe(3);
    const found = lines(stdout).flatMap(({ type, code: of, file, line, column }) =>
      type === 'problem' ? [`${String(of)} ${String(file)}:${String(line)}:${String(column)}`] : [],
    );
    expect(found).toEqual([
      'unused_table mapping.yaml:7:tables.unused',
      'unread_column CLIENTI.csv:1:FAX',
      'never_used mapping.yaml:10:account.account_type.codes.B',
      'never_used mapping.yaml:10:account.account_type.default',
      'never_used mapping.yaml:12:account.sales_channel',
      'unfilled_field mapping.yaml:12:account.sales_channel',
      'never_used mapping.yaml:15:notes.where.CANCELLATO',
      'unfilled_field mapping.yaml:16:notes.each.body',
      'unfilled_field mapping.yaml:16:notes.each.created_at',
    ]);
    expect(summaryOf(stdout)).toMatchObject({ findings: 9, accounts: 2, byCode: { unused_table: 1 } });
  });

  it('names the header where it is: below blank lines and comments, and below the titles of a sheet', async () => {
    write({
      'm.yaml': `version: 1
tables:
  accounts: { file: A.csv, key: ID, comment: '#' }
  notes: { file: N.xlsx, key: ID }
account: { account_type: TYPE }
notes: { from: notes, each: { body: TEXT } }
`,
      'export/A.csv': '# of 2024-03-01\n\nID,TYPE,FAX\n1,DOMESTIC,030\n',
      'export/N.xlsx': workbook({
        Notes: [['Notes of March'], [], ['ID', 'TEXT', 'BY'], [1, 'hello', 'me']],
      }),
    });
    const { stdout } = await ranHere(['mapping', 'check', 'm.yaml', 'export', '--json'], space.directory);
    expect(lines(stdout).filter(({ type }) => type === 'problem')).toMatchObject([
      { code: 'unread_column', file: 'A.csv', line: 3, column: 'FAX' },
      { code: 'unread_column', file: 'N.xlsx', line: 3, column: 'BY', sheet: 'Notes', cell: 'C3' },
    ]);
    const { stdout: shown } = await ranHere(['mapping', 'check', 'm.yaml', 'export'], space.directory);
    expect(shown).toContain('A.csv:3:FAX');
    expect(shown).toContain('N.xlsx:Notes!C3');
  });

  it('finds nothing to say of a mapping that is used in full', async () => {
    write({
      'm.yaml':
        'version: 1\ntables: { accounts: { file: A.csv, key: ID } }\naccount: { account_type: TYPE }\n',
      'export/A.csv': 'ID,TYPE\n1,DOMESTIC\n',
    });
    const { code, stdout } = await ranHere(['mapping', 'check', 'm.yaml', 'export'], space.directory);
    expect([code, stdout]).toEqual([0, '0 findings in 1 account\n']);
  });
});

describe('a mapping that names a database', () => {
  const mapping = `version: 1
source: { driver: sqlite, file: old.db }
tables:
  accounts: { query: SELECT * FROM customer ORDER BY number, key: number }
account:
  import_supplier: { constant: S }
  account_type: { constant: DOMESTIC }
`;

  beforeEach(() => {
    write({ 'm.yaml': mapping, 'old.yaml': mapping.replace('DOMESTIC', 'BUSINESS') });
    const db = new Database(join(space.directory, 'old.db'));
    db.exec(
      "CREATE TABLE customer (number TEXT, fax TEXT); INSERT INTO customer VALUES ('01', ''), ('02', '')",
    );
    db.close();
  });

  it('is checked with a snapshot of it', async () => {
    const without = await ranHere(['mapping', 'check', 'm.yaml'], space.directory);
    expect([without.code, without.stdout]).toEqual([0, '0 findings\n']);
    const args = ['mapping', 'check', 'm.yaml', '--snapshot', 'book'];
    const { code, stdout } = await ranHere(args, space.directory);
    expect(code).toBe(3);
    expect(stdout).toContain('accounts.ndjson.gz:1:fax: The mapping does not read this column.');
    expect(stdout).toContain('1 finding in 2 accounts');
  });

  it('is compared with another one, for all accounts or one', async () => {
    const args = ['--mapping', 'm.yaml', '--diff', 'old.yaml'];
    const all = await ranHere(['explain', ...args], space.directory);
    expect([all.code, all.stdout]).toMatchObject([
      0,
      expect.stringContaining('2 accounts compared: 2 changed.'),
    ]);
    const one = await ranHere(['explain', '02', ...args, '--snapshot', 'sample'], space.directory);
    expect(one.stdout).toContain('"BUSINESS" -> "DOMESTIC"');
    expect(one.stdout).toContain('1 account compared: 1 changed.');
  });

  it('needs a name where nothing else names the accounts', async () => {
    const nothing = await ranHere(['explain'], space.directory);
    expect([nothing.code, nothing.stderr]).toMatchObject([
      2,
      expect.stringContaining('Name an export and an account.'),
    ]);
    const mistyped = await ranHere(['explain', 'exprot', '--diff', 'old.yaml'], space.directory);
    expect([mistyped.code, mistyped.stderr]).toMatchObject([
      2,
      expect.stringContaining('exprot does not exist'),
    ]);
  });
});

describe('explain --diff', () => {
  const before = `version: 1
tables:
  accounts: { file: A.csv, key: ID }
  notes: { file: N.csv, key: ID }
account:
  import_supplier: { constant: S }
  account_type: { column: TYPE, codes: { D: DOMESTIC } }
  transfer_balance: BALANCE
notes: { from: notes, each: { body: TEXT } }
`;
  const after = before
    .replace('{ D: DOMESTIC }', '{ D: DOMESTIC, B: BUSINESS }')
    .replace('transfer_balance: BALANCE', "transfer_balance: { calc: '-{BALANCE}' }")
    .replace('{ body: TEXT }', '{ body: { column: TEXT, case: upper } }');
  const files = {
    'old.yaml': before,
    'new.yaml': after,
    'export/A.csv': 'ID,TYPE,BALANCE\n01,D,0\n02,B,5.00\n03,D,7.00\n',
    'export/N.csv': 'ID,TEXT\n01,SECRET\n01,second\n03,third\n',
  };
  const args = ['explain', 'export', '--mapping', 'new.yaml', '--diff', 'old.yaml'];

  it('names the fields that change, in how many accounts and where, without values', async () => {
    write(files);
    const { code, stdout } = await ranHere([...args, '--json'], space.directory);
    expect(code).toBe(0);
    const at = (account: string, file: string, line: number, column: string) => ({
      account,
      file,
      line,
      column,
    });
    const field = (path: string, changed: number, examples: object[]) => ({
      ...{ type: 'field', path, accounts: changed, added: 0, removed: 0, changed, examples },
    });
    expect(lines(stdout).slice(0, -1)).toEqual([
      field('account.transfer_balance', 2, [
        at('02', 'A.csv', 3, 'BALANCE'),
        at('03', 'A.csv', 4, 'BALANCE'),
      ]),
      field('notes.*.body', 2, [at('01', 'N.csv', 3, 'TEXT'), at('03', 'N.csv', 4, 'TEXT')]),
      field('account.account_type', 1, [at('02', 'A.csv', 3, 'TYPE')]),
      {
        ...field('problems.unknown_code', 0, [{ account: '02', file: null, line: null, column: null }]),
        accounts: 1,
        removed: 1,
      },
    ]);
    expect(summaryOf(stdout)).toMatchObject({ accounts: 3, changed: 3, added: 0, fields: 4 });
    const text = await ranHere(args, space.directory);
    expect(text.stdout).toContain('notes.*.body: 2 accounts (changed in 2)\n    01  N.csv:3:TEXT\n');
    expect(text.stdout).toContain('3 accounts compared: 3 changed.');
    expect(text.stdout).not.toMatch(/SECOND|second|5\.00/);
  });

  it('shows the values of an account that is named', async () => {
    write(files);
    const { stdout } = await ranHere([...args.slice(0, 2), '02', ...args.slice(2)], space.directory);
    expect(stdout).toContain('account.transfer_balance\n    "5.00" -> "-5.00"  (A.csv:3:BALANCE)\n');
    expect(stdout).toContain('1 account compared: 1 changed.');
  });

  it('compares as many accounts as it is told', async () => {
    write(files);
    const { stdout } = await ranHere([...args, '--limit', '1'], space.directory);
    expect(stdout).toContain('1 account compared: 1 changed.');
  });

  it.each([
    [
      ['explain', 'export', '--mapping', 'new.yaml'],
      'Name an account, another mapping with --diff, or an earlier export with --earlier.',
    ],
    [[...args.slice(0, 2), '99', ...args.slice(2)], 'The export has no account 99.'],
    [[...args.slice(0, -1), 'none.yaml'], 'none.yaml does not exist.'],
  ])('refuses what it cannot compare: %s', async (wrong, said) => {
    write(files);
    const { code, stderr } = await ranHere(wrong, space.directory);
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(said);
  });
});

describe('explain --earlier', () => {
  const files = {
    'm.yaml': `version: 1
tables:
  accounts: { file: A.csv, key: ID }
  notes: { file: N.csv, key: ID }
account:
  import_supplier: { constant: S }
  transfer_balance: BALANCE
notes: { from: notes, each: { body: TEXT } }
`,
    'monday/A.csv': 'ID,BALANCE\n01,1.00\n02,5.00\n',
    'monday/N.csv': 'ID,TEXT\n01,first\n01,second\n',
    'tuesday/A.csv': 'ID,BALANCE\n01,1.00\n03,7.00\n02,6.50\n',
    'tuesday/N.csv': 'ID,TEXT\n01,first\n',
  };
  const compared = (...args: string[]) =>
    ranHere(['explain', '--earlier', 'monday', '--mapping', 'm.yaml', ...args], space.directory);

  it('names the fields that changed from one night to the next, and what left the export in the earlier one', async () => {
    write(files);
    const { code, stdout } = await compared('tuesday');
    expect(code).toBe(0);
    expect(stdout).toContain('account.transfer_balance: 1 account (changed in 1)\n    02  A.csv:4:BALANCE\n');
    expect(stdout).toContain('notes.*.body: 1 account (removed in 1)\n    01  monday/N.csv:3:TEXT\n');
    expect(stdout).toContain('2 accounts compared: 2 changed. 1 account exists only in the new export.');
    expect(stdout).not.toMatch(/6\.50|second/);
  });

  it('shows the values of an account that is named', async () => {
    write(files);
    const { stdout } = await compared('tuesday', '02');
    expect(stdout).toContain(
      'account.transfer_balance\n    "5.00" -> "6.50"  (A.csv:4:BALANCE, before monday/A.csv:3:BALANCE)\n',
    );
    const { stdout: json } = await compared('tuesday', '02', '--json');
    expect(lines(json)[0]).toMatchObject({
      ...{ file: 'A.csv', line: 4, column: 'BALANCE' },
      beforeCell: { file: 'monday/A.csv', line: 3, column: 'BALANCE' },
    });
  });

  it('takes rows in another order for no change, and knows an account that left', async () => {
    write({ ...files, 'shuffled/A.csv': 'ID,BALANCE\n02,5.00\n01,1.00\n', 'shuffled/N.csv': 'ID,TEXT\n01,second\n01,first\n' }); // prettier-ignore
    const { stdout } = await compared('shuffled');
    expect(stdout).toContain('2 accounts compared: 0 changed.');
    const left = await ranHere(['explain', 'monday', '03', '--earlier', 'tuesday', '--mapping', 'm.yaml'], space.directory); // prettier-ignore
    expect([left.code, left.stderr]).toEqual([
      2,
      expect.stringContaining('The export has no account 03 any more: it is only in tuesday.'),
    ]);
  });

  it('refuses an export that is not there', async () => {
    write(files);
    const { code, stderr } = await compared('tuesday', '02', '--earlier', 'sunday');
    expect([code, stderr]).toEqual([2, expect.stringContaining('sunday does not exist')]);
  });
});
