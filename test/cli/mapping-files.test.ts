import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ranHere } from './own-shell.ts';
import { lines, summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

const mapping = `version: 1
tables:
  accounts: { file: A.csv, key: ID }
lookups:
  kinds: { file: export/KINDS.csv, key: CODE, value: KIND }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  account_type: { column: KIND, lookup: kinds }
`;

function write(files: Readonly<Record<string, string | Buffer>>): void {
  mkdirSync(join(space.directory, 'export'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(space.directory, name), content);
}

const checked = () => ranHere(['validate', 'export', '--mapping', 'mapping.yaml'], space.directory);

it('says which files of an export its mapping leaves unread', async () => {
  write({
    'mapping.yaml': mapping,
    'export/A-1.csv': 'ID,KIND\n1,P\n',
    'export/A-2.csv': 'ID,KIND\n2,P\n',
    'export/KINDS.csv': 'CODE,KIND\nP,DOMESTIC\n',
    'export/PHONES.csv': 'ID,NUMBER\n1,030 23125 001\n',
    'export/notes.ndjson.gz': '',
  });
  const { code, stderr } = await checked();
  expect(code).toBe(0);
  expect(stderr).toContain(
    'Not read, because the mapping has no table for it: PHONES.csv, notes.ndjson.gz. Add one',
  );
});

it('names a file that no built-in shape has, and not the table that it would be a part of', async () => {
  write({
    'export/accounts.csv': 'external_account_number,import_supplier\n1,X\n',
    'export/ledger_2024-01.csv': 'external_account_number\n',
  });
  const { code, stderr } = await ranHere(['validate', 'export'], space.directory);
  expect(code).toBe(0);
  expect(stderr).toContain('ledger_2024-01.csv:1: Neither of the built-in shapes has a file of this name');
});

it('refuses a mapping file that is not UTF-8, and names the line', async () => {
  const text = mapping.replace('{ column: KIND, lookup: kinds }', '{ constant: GESCHÄFT }');
  write({ 'export/A.csv': 'ID,KIND\n1,P\n', 'mapping.yaml': Buffer.from(text, 'latin1') });
  const { code, stderr } = await checked();
  expect([code, stderr]).toEqual([2, expect.stringContaining('is not UTF-8: line 8 has invalid bytes')]);
});

it('names what a mapping says wrong of a file once, at its own line, however many files that is true of', async () => {
  write({
    'mapping.yaml': mapping
      .replace('tables:', 'format: { encoding: utf8000, delimiter: "\\n" }\ntables:')
      .replace('KINDS.csv, key', 'KINDS.csv, encoding: ebcdic, key'),
    'export/A-1.csv': 'ID,KIND\n1,P\n',
    'export/A-2.csv': 'ID,KIND\n2,P\n',
    'export/KINDS.csv': 'CODE,KIND\nP,DOMESTIC\n',
  });
  const unknown = await checked();
  expect(unknown.code).toBe(2);
  expect(unknown.stderr.match(/mapping\.yaml:\d+:[\w.]+/g)).toEqual([
    'mapping.yaml:2:format.encoding',
    'mapping.yaml:2:format.delimiter',
    'mapping.yaml:6:lookups.kinds.encoding',
  ]);
  expect(unknown.stderr).toContain('Write one such as utf-8, windows-1252 or iso-8859-15.');

  const missing = mapping.replace('A.csv', 'Aa.csv').replace('KINDS.csv', 'KIND.csv');
  write({ 'mapping.yaml': missing });
  const first = await checked();
  expect(first.stderr).toContain('mapping.yaml:5:lookups.kinds: There is no file export/KIND.csv.');
  write({ 'mapping.yaml': missing.replace('KIND.csv', 'KINDS.csv') });
  const second = await checked();
  expect([second.code, second.stderr]).toEqual([
    2,
    expect.stringContaining(
      'mapping.yaml:3:tables.accounts.file: There is no file Aa.csv. Did you mean A.csv?',
    ),
  ]);
});

it('names the files whose encoding is a guess, and reads them as stated where that is stated', async () => {
  const names = Buffer.from([0xa4, 0x20, 0x53, 0xbd, 0x72]);
  const row = Buffer.concat([Buffer.from('external_account_number;billing_address.locality\n1;'), names]);
  write({ 'export/accounts.csv': row, 'export/notes.csv': 'external_account_number,body\n' });
  const shown = async (...flags: string[]): Promise<readonly [string | undefined, string]> => {
    const { stdout, stderr } = await ranHere(
      ['explain', 'export', '1', '--supplier', 'X', '--verbose', ...flags],
      space.directory,
    );
    return [/(\S S.r)/.exec(stdout)?.[1], stderr];
  };
  const [guessed, said] = await shown();
  expect(guessed).toBe('€ Sœr');
  expect(said).toContain('Not UTF-8, and read as iso-8859-15: accounts.csv. This is a guess.');
  expect(said).toContain('accounts.csv: CSV, iso-8859-15 (a guess), delimiter ";"');
  expect(said).toContain('notes.csv: CSV, utf-8, delimiter ","');
  const [stated, unsaid] = await shown('--encoding', 'cp1252');
  expect(stated).toBe('¤ S½r');
  expect(unsaid).not.toContain('guess');
});

it('takes the delimiter and the encoding of files that do not say them from the settings', async () => {
  const text = 'external_account_number\tbilling_address.locality;x\n1\tZ\xfcrich\n';
  write({
    'export/accounts.csv': Buffer.from(text.replace(';x', ''), 'latin1'),
    '.migraterc': 'encoding: windows-1252\ndelimiter: "\\t"\nsupplier: X\n',
  });
  const explain = (...flags: string[]) => ranHere(['explain', 'export', '1', ...flags], space.directory);
  expect((await explain()).stdout).toContain('Zürich');
  const wrong = await explain('--delimiter', ';', '--encoding', 'nonsense');
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('--encoding: must be an encoding such as utf-8, windows-1252 or iso-8859-15.'),
  ]);
  const other = await explain('--delimiter', ';');
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringContaining("no column 'external_account_number'"),
  ]);
  expect((await explain('--delimiter', String.raw`\t`)).stdout).toContain('Zürich');
});

it('leaves out rows that find their account through an ignored row, over several hops, and counts them', async () => {
  write({
    'mapping.yaml': `version: 1
tables:
  accounts: { file: A.csv, key: ID }
  contracts: { file: C.csv, key: ID, ignore: { STATE: X } }
  points: { file: P.csv, key: CONTRACT, via: { table: contracts, column: NO } }
  calls: { file: N.csv, key: POINT, via: { table: points, column: POINT } }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
notes:
  - from: contracts
    each: { body: { template: 'contract {NO}' } }
  - from: points
    each: { body: { template: 'point {POINT}' } }
  - from: calls
    each: { body: TEXT }
`,
    'export/A.csv': 'ID\n1\n',
    'export/C.csv': 'ID,NO,STATE\n1,C1,A\n1,C2,X\n',
    'export/P.csv': 'CONTRACT,POINT\nC2,P2\nC1,P1\n',
    'export/N.csv': 'POINT,TEXT\nP2,of the cancelled\nP1,of the other\n',
  });
  const args = ['explain', 'export', '1', '--mapping', 'mapping.yaml', '--json'];
  const { stdout } = await ranHere(args, space.directory);
  const bodies = lines(stdout).filter(({ path }) => /^notes\.\d+\.body$/.test(String(path)));
  expect(bodies.map(({ value }) => value)).toEqual(['contract C1', 'point P1', 'of the other']);
  const validated = await ranHere(['validate', 'export', ...args.slice(3)], space.directory);
  expect(summaryOf(validated.stdout)).toMatchObject({ ignoredRows: 3 });
});

it('reads a code table by the columns that together say which row is meant', async () => {
  const byTwo = mapping
    .replace('key: CODE', 'key: [CODE, AREA]')
    .replace('column: KIND', 'column: [KIND, AREA]');
  write({
    'mapping.yaml': byTwo,
    'export/A.csv': 'ID,KIND,AREA\n1,P,N\n2,P,S\n3,P,\n4,P,X\n',
    'export/KINDS.csv': 'CODE,AREA,KIND\nP,N,DOMESTIC\nP,S,BUSINESS\nP,,DOMESTIC\n',
  });
  const { stdout } = await checked();
  expect(stdout).toContain('A.csv:5:KIND  unknown_code');
  expect(stdout).toContain('4 accounts checked: 3 valid');
  const shown = await ranHere(['explain', 'export', '2', '--mapping', 'mapping.yaml'], space.directory);
  expect(shown.stdout).toMatch(/account_type: BUSINESS +A\.csv:3:KIND, AREA, by export\/KINDS\.csv:3:KIND/);

  write({ 'export/KINDS.csv': 'CODE,AREA,KIND\nP,N,DOMESTIC\nP,S,BUSINESS\nP,N,BUSINESS\n' });
  expect((await checked()).stderr).toContain(
    'export/KINDS.csv:4:CODE: The code is already on line 2 of export/KINDS.csv. Remove one.',
  );
  write({ 'mapping.yaml': byTwo.replace('column: [KIND, AREA]', 'column: KIND') });
  expect((await checked()).stderr).toContain('The codes of this table are in 2 columns (CODE, AREA).');
});
