import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { read, utils, write, type CellObject, type WorkBook } from '@e965/xlsx';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ranHere } from './own-shell.ts';
import { lines, summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

const mapping = `version: 1
format: { delimiter: ';', decimal_mark: ',', encoding: windows-1252 }
tables:
  accounts: { file: KUNDEN.csv, key: NR }
  contracts: { file: VERTRAG.csv, key: KUNDE }
  remarks: { file: 'NOTIZ_*.csv', key: VERTRAG, via: { table: contracts, column: ID }, datetimes: dd.mm.yyyy }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  transfer_balance: SALDO
notes: { from: remarks, each: { body: TEXT, created_at: AM } }
`;

function put(files: Readonly<Record<string, string>>): void {
  mkdirSync(join(space.directory, 'export'), { recursive: true });
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(space.directory, name), Buffer.from(text, 'latin1'));
}

const odd = {
  'mapping.yaml': mapping,
  'export/KUNDEN.csv': 'NR;SALDO;ORT\nA1;1,10;Köln\nA2;zwölf;Münster\nA3;=1+1;Ulm\nA4;0,00;Aalen;zu viel\n',
  'export/VERTRAG.csv': 'KUNDE;ID\nA1;V1\nA2;V2\nA3;V3\nA4;V4\n',
  'export/NOTIZ_1.csv': 'VERTRAG;TEXT;AM\nV2;"zwei\nZeilen";31.02.2024\n',
  'export/NOTIZ_2.csv': 'VERTRAG;TEXT;AM\nV1;gut;01.02.2024\nV3;"sagt ""ja""";02.02.2024\n',
};

const here = (command: string, ...args: string[]) => ranHere([command, ...args, '--json'], space.directory);
const opened = (name: string): WorkBook => read(readFileSync(join(space.directory, name)), { cellNF: true });

function cellOf(book: WorkBook, sheet: string, ref: string): CellObject | undefined {
  return book.Sheets[sheet]?.[ref] as CellObject | undefined;
}

function texts(book: WorkBook, sheet: string, rows: number, columns: string): unknown[][] {
  return Array.from({ length: rows }, (_row, at) =>
    columns.split('').map((column) => cellOf(book, sheet, `${column}${at + 1}`)?.v ?? ''),
  );
}

it('rejected rows of CSV files become a workbook, and its corrections take their place', async () => {
  put(odd);
  const first = await here('validate', 'export', '--mapping', 'mapping.yaml', '--rejects', 'fixes.xlsx');
  expect(summaryOf(first.stdout)).toMatchObject({ accounts: 4, valid: 1 });
  const book = opened('fixes.xlsx');
  expect(book.SheetNames).toEqual(['accounts', 'contracts', 'remarks']);
  expect(texts(book, 'accounts', 4, 'ABC')).toEqual([
    ['NR', 'SALDO', 'ORT'],
    ['A2', 'zwölf', 'Münster'],
    ['A3', '=1+1', 'Ulm'],
    ['A4', '0,00', 'Aalen'],
  ]);
  expect(cellOf(book, 'accounts', 'B2')?.c?.[0]?.t).toContain('invalid_amount');
  expect(cellOf(book, 'accounts', 'B3')).toMatchObject({ t: 's', v: '=1+1' });
  expect(cellOf(book, 'accounts', 'D4')?.v).toContain('cells');
  // What the row has too much of stands behind its reason.
  expect(cellOf(book, 'accounts', 'E4')?.v).toBe('zu viel');
  expect(texts(book, 'remarks', 3, 'ABC')).toEqual([
    ['VERTRAG', 'TEXT', 'AM'],
    ['V2', 'zwei\nZeilen', '31.02.2024'],
    ['V3', 'sagt "ja"', '02.02.2024'],
  ]);
  expect(cellOf(book, 'remarks', 'C2')?.c?.[0]?.t).toContain('invalid_datetime');

  Object.assign(cellOf(book, 'accounts', 'B2') ?? {}, { v: '-1.012,50', w: '-1.012,50', t: 's' });
  // Cells that are entered as a number and a date need no decimal comma, and no format of the mapping.
  Object.assign(cellOf(book, 'accounts', 'B3') ?? {}, { v: 2.5, w: '2.5', t: 'n' });
  book.Sheets['remarks']!['C2'] = { t: 'n', v: 45351, z: 'yyyy-mm-dd' };
  delete book.Sheets['accounts']?.['E4'];
  writeFileSync(
    join(space.directory, 'fixes.xlsx'),
    write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer,
  );
  const args = ['export', '--mapping', 'mapping.yaml', '--with', 'fixes.xlsx'];
  const again = await here('validate', ...args, '--rejects', 'left.xlsx');
  expect(lines(again.stdout).filter(({ type }) => type === 'problem')).toMatchObject([
    { account: 'A2', code: 'invalid_amount', file: 'fixes.xlsx', sheet: 'accounts', cell: 'B2' },
  ]);
  expect(texts(opened('left.xlsx'), 'accounts', 2, 'AB')).toEqual([
    ['NR', 'SALDO'],
    ['A2', '-1.012,50'],
  ]);
  Object.assign(cellOf(book, 'accounts', 'B2') ?? {}, { v: '-1012,50', w: '-1012,50' });
  writeFileSync(
    join(space.directory, 'fixes.xlsx'),
    write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer,
  );
  const run = await here('run', ...args, '--yes');
  expect(summaryOf(run.stdout)).toMatchObject({ accounts: { completed: 4 } });
  const proof = await here('reconcile', ...args.slice(0, 3));
  expect(proof.code).toBe(0);
});

it('those of the built-in CSV files too, whose names a sheet is too short for', async () => {
  const { code } = await ranHere(
    ['generate', 'export', '--accounts', '3', '--shape', 'flat', '--seed', '4'],
    space.directory,
  );
  expect(code).toBe(0);
  const file = join(space.directory, 'export/accounts.csv');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/ZZ\d+ \d[A-Z]{2}|,\d{4},AU/, 'NOWHERE'));
  const broken = join(space.directory, 'export/historical_statement_transactions.csv');
  writeFileSync(broken, readFileSync(broken, 'utf8').replaceAll(/,-?\d+\.\d\d,/g, ',much,'));
  const first = await here('validate', 'export', '--rejects', 'fixes.xlsx');
  expect(first.code).toBe(3);
  const again = await here('validate', 'export', '--with', 'fixes.xlsx');
  expect(again.code).toBe(3);
  expect(
    new Set(lines(again.stdout).flatMap(({ type, file: of }) => (type === 'problem' ? [of] : []))),
  ).toEqual(new Set(['fixes.xlsx']));
});

it('says of rejected rows that are named as the export that they are for --with', async () => {
  put(odd);
  await here('validate', 'export', '--mapping', 'mapping.yaml', '--rejects', 'fixes.xlsx');
  await ranHere(['generate', 'flat', '--accounts', '1', '--shape', 'flat'], space.directory);
  const file = join(space.directory, 'flat/accounts.csv');
  writeFileSync(file, readFileSync(file, 'utf8').replace('TENTACLE_ENERGY', ''));
  await here('validate', 'flat', '--rejects', 'flat.xlsx');
  const remedy = (name: string) =>
    `${name} contains rejected rows of an export. Name the export, and add --with ${name}.`;
  for (const [command, name, ...others] of [
    ['validate', 'fixes.xlsx', '--mapping', 'mapping.yaml'],
    ['run', 'fixes.xlsx', '--mapping', 'mapping.yaml'],
    ['validate', 'flat.xlsx'],
  ] as const) {
    const { code, stdout, stderr } = await here(command, name, ...others);
    expect([code, summaryOf(stdout)['errors']]).toEqual([2, [remedy(name)]]);
    expect(stderr).not.toContain('warning');
  }

  const other = utils.book_new();
  utils.book_append_sheet(other, utils.aoa_to_sheet([['NR', 'SALDO']]), 'accounts');
  writeFileSync(join(space.directory, 'other.xlsx'), write(other, { type: 'buffer' }) as Buffer);
  const { stdout } = await here('validate', 'other.xlsx', '--mapping', 'mapping.yaml');
  expect(summaryOf(stdout)['errors']).toEqual([
    expect.stringContaining('There is no file KUNDEN.csv.') as string,
    expect.anything(),
    expect.anything(),
  ]);
});

it('highlights the cells with errors; a warning is only a comment', async () => {
  put({
    'mapping.yaml': `version: 1
tables: { accounts: { file: KUNDEN.csv, key: NR } }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  transfer_balance: SALDO
  sales_channel: WEG
`,
    'export/KUNDEN.csv': 'NR,SALDO,WEG\nA1,much,BY_PIGEON\n',
  });
  await here('validate', 'export', '--mapping', 'mapping.yaml', '--rejects', 'fixes.xlsx');
  const book = read(readFileSync(join(space.directory, 'fixes.xlsx')), { cellStyles: true });
  const look = (ref: string) => {
    const cell = cellOf(book, 'accounts', ref);
    const { patternType } = (cell?.s ?? {}) as { patternType?: string };
    return [cell?.c?.[0]?.t.replace(/: [^:]*$/, ''), patternType === 'solid'];
  };
  expect(look('A2')).toEqual([undefined, false]);
  expect(look('B2')).toEqual(['invalid_amount', true]);
  expect(look('C2')).toEqual(['warning: unknown_value', false]);
});

it('refuses a workbook that is there, and records of JSON, before anything is read through', async () => {
  put({
    'export/accounts.ndjson': '{"import_supplier":"S","external_account_number":"1"}\n',
    'there.xlsx': '',
  });
  const there = await here('validate', 'export', '--rejects', 'there.xlsx');
  expect(there.code).toBe(2);
  expect(there.stdout + there.stderr).toContain('there.xlsx already exists');
  const records = await here('validate', 'export', '--rejects', 'new.xlsx');
  expect(records.code).toBe(2);
  expect(records.stdout + records.stderr).toContain('accounts.ndjson has JSON records');
});

const texts32k = (length: number): string => 'x'.repeat(length);

it('every text and every name comes back as it was, and what a cell cannot hold is refused', async () => {
  const odd = [
    '  a ',
    'a\r\nb',
    'a\rb',
    '_x000D_',
    'c\u0001d',
    '=SUM(1)',
    '+1',
    '0017',
    '1e5',
    'TRUE',
    '<é>&amp;',
    texts32k(32_767),
  ];
  const rows = odd.map((text, at) => `${at};zwölf;N;"${text}"`);
  const files = (more: readonly string[]) => ({
    'odd.yaml': `version: 1
format: { delimiter: ';' }
tables: { accounts: { file: ODD.csv, key: NR } }
account:
  import_supplier: { constant: S }
  transfer_balance: SALDO
  billing_address: { street_address: TEXT, locality: 'Name  long' }
`,
    'export/ODD.csv': ['NR;SALDO;Name  long;TEXT', ...rows, ...more].join('\n'),
  });
  put(files([]));
  const args = ['export', '--mapping', 'odd.yaml'];
  await here('validate', ...args, '--rejects', 'odd.xlsx');
  for (const [at, text] of odd.entries()) {
    const told = await here('explain', 'export', String(at), ...args.slice(1), '--with', 'odd.xlsx');
    const values = lines(told.stdout).filter(
      ({ type, path }) => type === 'value' && path === 'billing_address.street_address',
    );
    expect(values).toMatchObject([{ value: text, file: 'odd.xlsx', cell: `D${at + 2}` }]);
  }
  put(files([`99;zwölf;N;${texts32k(32_768)}`]));
  const refused = await here('validate', ...args, '--rejects', 'long.xlsx');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('ODD.csv has a text of more than 32767 characters in a rejected row');
});

it('rejected rows of a Parquet file become a workbook, and its corrections take their place', async () => {
  put({
    'mapping.yaml': `version: 1
tables: { accounts: { file: kunden.parquet, key: NR } }
account: { import_supplier: { constant: TENTACLE_ENERGY }, transfer_balance: SALDO }
`,
  });
  const columnData = [
    { name: 'NR', data: ['A1', 'A2'], type: 'STRING' as const },
    { name: 'SALDO', data: ['1.10', 'zwölf'], type: 'STRING' as const },
    { name: 'LISTE', data: [1, 2], type: 'FLOAT16' as const },
  ];
  writeFileSync(
    join(space.directory, 'export/kunden.parquet'),
    Buffer.from(parquetWriteBuffer({ columnData })),
  );
  const refused = await here('validate', 'export', '--mapping', 'mapping.yaml', '--rejects', 'fixes');
  const { stderr } = await ranHere(['validate', 'export', '--mapping', 'mapping.yaml'], space.directory);
  expect(stderr).toContain(
    'kunden.parquet: not read, because they contain lists, records or binary data: LISTE.',
  );
  expect(refused.code).toBe(2);
  expect(summaryOf(refused.stdout)['errors']).toEqual([
    '--rejects: the rows of kunden.parquet cannot be corrected in a file of that kind. Name a workbook: --rejects rejects.xlsx',
  ]);

  const first = await here('validate', 'export', '--mapping', 'mapping.yaml', '--rejects', 'fixes.xlsx');
  expect(lines(first.stdout).find(({ account }) => account === 'A2')).toMatchObject({ file: 'kunden.parquet', line: 2, column: 'SALDO' }); // prettier-ignore
  const book = opened('fixes.xlsx');
  expect(texts(book, 'accounts', 2, 'AB')).toEqual([['NR', 'SALDO'], ['A2', 'zwölf']]); // prettier-ignore
  book.Sheets['accounts']!['B2'] = { t: 's', v: '12.00' };
  writeFileSync(join(space.directory, 'fixed.xlsx'), write(book, { type: 'buffer' }) as Buffer);
  const again = await here('validate', 'export', '--mapping', 'mapping.yaml', '--with', 'fixed.xlsx');
  expect(lines(again.stdout).filter(({ column }) => column === 'SALDO')).toEqual([]);
});

it('dates of a Parquet file are dates in the workbook, and are read back as such', async () => {
  put({
    'mapping.yaml': `version: 1
format: { dates: d. m. yyyy, datetimes: 'd. m. yyyy H:MM' }
tables: { accounts: { file: kunden.parquet, key: NR } }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  transfer_balance: SALDO
  ledgers: [{ ledger_code: { constant: ENERGY }, last_statement_closing_date: SEIT }]
notes: { from: accounts, each: { body: NR, created_at: AM } }
`,
  });
  const days = [Date.UTC(2024, 1, 29), Date.UTC(1899, 11, 31)].map((day) => day / 86_400_000);
  const required = { repetition_type: 'REQUIRED' } as const;
  writeFileSync(
    join(space.directory, 'export/kunden.parquet'),
    Buffer.from(
      parquetWriteBuffer({
        schema: [
          { name: 'root', num_children: 4 },
          { name: 'NR', type: 'BYTE_ARRAY', converted_type: 'UTF8', ...required },
          { name: 'SALDO', type: 'BYTE_ARRAY', converted_type: 'UTF8', ...required },
          { name: 'SEIT', type: 'INT32', converted_type: 'DATE', ...required },
          { name: 'AM', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', ...required },
        ],
        columnData: [
          { name: 'NR', data: ['A1', 'A2'] },
          { name: 'SALDO', data: ['zehn', 'zwölf'] },
          { name: 'SEIT', data: days },
          { name: 'AM', data: [new Date(0), new Date(1000)] },
        ],
      }),
    ),
  );
  const args = ['export', '--mapping', 'mapping.yaml'];
  await here('validate', ...args, '--rejects', 'fixes.xlsx');
  const book = opened('fixes.xlsx');
  expect(cellOf(book, 'accounts', 'C2')).toMatchObject({ t: 'n', v: 45351, w: '2024-02-29' });
  // Programs show different days for this number of days.
  expect(cellOf(book, 'accounts', 'C3')).toMatchObject({ t: 's', v: '1899-12-31' });
  // A workbook has no time in UTC.
  expect(cellOf(book, 'accounts', 'D2')).toMatchObject({ t: 's', v: '1970-01-01T00:00:00Z' });
  for (const ref of ['B2', 'B3']) book.Sheets['accounts']![ref] = { t: 's', v: '12.00' };
  writeFileSync(join(space.directory, 'fixed.xlsx'), write(book, { type: 'buffer' }) as Buffer);
  const again = await here('validate', ...args, '--with', 'fixed.xlsx');
  const found = lines(again.stdout).filter(({ column }) => column === 'SEIT' || column === 'AM');
  expect(found).toMatchObject([{ account: 'A2', code: 'invalid_date', cell: 'C3' }]);
});
