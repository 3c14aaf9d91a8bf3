import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { read, write, type CellObject, type WorkBook } from '@e965/xlsx';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { workbook } from '../source/workbook.ts';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

const space = workspace();
afterAll(() => space.dispose());

const mapping = `version: 1
format: { zone: Europe/Berlin }
tables:
  accounts: { file: book.xlsx, sheet: Kunden, key: NR }
  notes: { file: book.xlsx, sheet: Notizen, key: NR, datetimes: yyyy-mm-dd }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  transfer_balance: SALDO
notes: { from: notes, each: { body: TEXT, created_at: AM } }
`;

beforeAll(() => {
  mkdirSync(join(space.directory, 'export'));
  const bytes = workbook({
    Kunden: [
      ['NR', 'SALDO'],
      ['B2', 12.3],
      ['B1', 'zwölf'],
      ['A1', 1],
    ],
    Notizen: [
      ['NR', 'TEXT', 'AM'],
      ['B1', '=1+1', new Date(Date.UTC(2024, 2, 31))],
    ],
  });
  writeFileSync(join(space.directory, 'export/book.xlsx'), bytes);
  writeFileSync(join(space.directory, 'mapping.yaml'), mapping);
});

function sheetCell(book: WorkBook, ref: string): CellObject {
  const found: CellObject | undefined = book.Sheets['Kunden']?.[ref] as CellObject | undefined;
  if (found === undefined) throw new Error(`no cell ${ref}`);
  return found;
}

const json = (command: string, ...args: string[]) =>
  ranHere([command, ...args, '--mapping', 'mapping.yaml', '--json'], space.directory);

it('rejects of a workbook are a workbook: corrected and fed back, its rows are right', async () => {
  const first = await json('validate', 'export', '--rejects', 'fixes');
  const problems = first.stdout.split('\n').filter((line) => line.includes('"code":"invalid_amount"'));
  expect(problems.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({ file: 'book.xlsx', line: 3, column: 'SALDO', sheet: 'Kunden', cell: 'B3' }),
  ]);
  const path = join(space.directory, 'fixes/book.xlsx');
  const book = read(readFileSync(path), { cellNF: true });
  const { c: comments = [] } = sheetCell(book, 'B2');
  expect(comments[0]?.t).toMatch(/^invalid_amount: /);
  book.Sheets['Kunden']!['B2'] = { t: 'n', v: 12 };
  const bytes: unknown = write(book, { type: 'buffer', bookType: 'xlsx' });
  writeFileSync(path, Buffer.from(bytes instanceof Uint8Array ? bytes : []));
  const explained = await json('explain', 'export', 'B1', '--with', 'fixes');
  const values = explained.stdout.split('\n').filter((line) => line.includes('"type":"value"'));
  expect(values.map((line): unknown => JSON.parse(line))).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ path: 'transfer_balance', value: '12', file: 'fixes/book.xlsx', cell: 'B2' }),
      expect.objectContaining({ path: 'notes.0.body', value: '=1+1', sheet: 'Notizen' }),
      expect.objectContaining({ path: 'notes.0.created_at', value: '2024-03-30T23:00:00Z' }),
    ]),
  );
});

it('init guesses the sheets of a workbook', async () => {
  const made = await ranHere(
    ['init', join(space.directory, 'export'), '--json'],
    join(space.directory, 'fixes'),
  );
  concluded(made, 'init', 0);
  const text = readFileSync(join(space.directory, 'fixes/mapping.yaml'), 'utf8');
  expect(text).toContain('accounts: { file: book.xlsx, sheet: Kunden, key: NR }');
  expect(text).toContain('notizen: { file: book.xlsx, sheet: Notizen, key: NR }');
});

it('names the sheets with rows that its mapping leaves unread', async () => {
  mkdirSync(join(space.directory, 'unread'));
  const bytes = workbook({
    Kunden: [
      ['NR', 'SALDO'],
      ['A1', 1],
    ],
    Notizen: [['NR', 'TEXT', 'AM']],
    'Alte Kunden': [
      ['NR', 'SALDO'],
      ['A2', 1],
    ],
    Tabelle3: [],
  });
  writeFileSync(join(space.directory, 'unread/book.xlsx'), bytes);
  const { code, stderr } = await ranHere(
    ['validate', 'unread', '--mapping', 'mapping.yaml'],
    space.directory,
  );
  expect(code).toBe(0);
  expect(stderr).toContain(
    'Not read, because the mapping has no table for it: book.xlsx, sheet Alte Kunden.',
  );
  expect(stderr).not.toMatch(/Tabelle3|sheet Notizen/);
});
