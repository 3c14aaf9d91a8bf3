import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { validateExport, type Problem } from '../../src/api/index.ts';
import { project, workspace } from '../cli/tool.ts';

let own: ReturnType<typeof workspace>;
beforeEach(() => void (own = workspace()));
afterEach(() => own.dispose());

/** Every problem of an export, as `code account file:line:column`, sorted. */
async function told(
  directory: string,
  settings: { mapping?: string; encoding?: string } = {},
): Promise<string[]> {
  const found: Problem[] = [];
  await validateExport({
    export: directory,
    cwd: own.directory,
    settings,
    onEvent: (event) => {
      if (event.type === 'problem') found.push(event.problem);
    },
  });
  return found.map(({ code, account, cell }) => `${code} ${account} ${placeOf(cell)}`).sort();
}

function placeOf(cell: Problem['cell']): string {
  return cell === undefined ? '' : `${cell.file}:${cell.line}:${cell.column}`;
}

describe('an account with a byte that is not of the encoding', () => {
  const key = 'external_account_number';
  const write = (files: Readonly<Record<string, Buffer | string>>): string => {
    const directory = join(own.directory, 'export');
    mkdirSync(directory);
    for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
    return directory;
  };
  const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

  test('has its other problems told at once: in the row, in the file and in the other files', async () => {
    const directory = write({
      'accounts.csv': bytes(
        `${key},import_supplier,transfer_balance,billing_address.street_address,billing_address.postal_code,billing_address.country\n` +
          'A-1,S,12.x,H\xe4gh Street,NOWHERE,GB\n',
      ),
      'customers.csv': bytes(
        `${key},given_name,family_name,landline,unable_to_read_meters\n` +
          'A-1,Zo\xeb,,12,perhaps\nA-1,\xc5sa,Berg,\xe9,\xe9\nA-1,,,abc,\n',
      ),
      'transactions.csv': `${key},transaction_id,transaction_date,amount,type,reason\nA-1,T1,2024-13-01,1x,PAYMENT,ACCOUNT_CHARGE_PAYMENT\n`,
    });
    const found = await told(directory, { encoding: 'utf-8' });
    expect(found).toEqual(
      [
        'invalid_encoding A-1 accounts.csv:2:billing_address.street_address',
        'invalid_encoding A-1 customers.csv:2:given_name',
        'invalid_encoding A-1 customers.csv:3:given_name',
        'invalid_encoding A-1 customers.csv:3:landline',
        'invalid_encoding A-1 customers.csv:3:unable_to_read_meters',
        'invalid_amount A-1 accounts.csv:2:transfer_balance',
        'invalid_boolean A-1 customers.csv:2:unable_to_read_meters',
        'invalid_phone_number A-1 customers.csv:2:landline',
        'invalid_phone_number A-1 customers.csv:4:landline',
        'customer_family_name_required A-1 customers.csv:2:family_name',
        'customer_family_name_required A-1 customers.csv:4:family_name',
        'customer_given_name_required A-1 customers.csv:4:given_name',
        'invalid_postcode A-1 accounts.csv:2:billing_address.postal_code',
        'invalid_amount A-1 transactions.csv:2:amount',
        'invalid_date A-1 transactions.csv:2:transaction_date',
      ].sort(),
    );
  });
});

test('an account whose own row cannot be read has the problems of its other rows told', async () => {
  const directory = join(own.directory, 'export');
  mkdirSync(directory);
  const key = 'external_account_number';
  writeFileSync(
    join(directory, 'accounts.csv'),
    `${key},import_supplier,billing_address.street_address,billing_address.country\nA-1,S,one,two,GB\n`,
  );
  writeFileSync(
    join(directory, 'customers.csv'),
    `${key},given_name,family_name,unable_to_read_meters\nA-1,Ada,,perhaps\n`,
  );
  expect(await told(directory)).toEqual([
    'customer_family_name_required A-1 customers.csv:2:family_name',
    'invalid_boolean A-1 customers.csv:2:unable_to_read_meters',
    'missing_contact_user_email_or_phone A-1 customers.csv:2:email',
    'wrong_number_of_cells A-1 accounts.csv:2:billing_address.country',
  ]);
});

test('a record of JSON with several values that cannot be read has its other problems told', async () => {
  const directory = join(own.directory, 'export');
  mkdirSync(directory);
  const record = `{"external_account_number":"A-1","import_supplier":"S","transfer_balance":"1x",
"customers":[{"given_name":"Zo\xeb","family_name":""},{"given_name":"\xc5sa","family_name":"Berg","landline":"12"}],
"account_type":"a\\u0000"}`.replaceAll('\n', ' ');
  writeFileSync(join(directory, 'accounts.ndjson'), Buffer.from(`${record}\n`, 'latin1'));
  expect(await told(directory, { encoding: 'utf-8' })).toEqual([
    'blank A-1 accounts.ndjson:1:customers.0.family_name',
    'invalid_amount A-1 accounts.ndjson:1:transfer_balance',
    'invalid_encoding A-1 accounts.ndjson:1:customers.0.given_name',
    'invalid_encoding A-1 accounts.ndjson:1:customers.1.given_name',
    'invalid_phone_number A-1 accounts.ndjson:1:customers.1.landline',
    'null_characters_not_allowed A-1 accounts.ndjson:1:account_type',
  ]);
});

/** A cell to put a wrong byte into. */
interface Target {
  readonly file: string;
  readonly row: number;
  readonly column: number;
}

describe.each([
  { export: 'fixtures/flat', delimiter: ',', encoding: 'utf-8', byte: 0xff, keys: [0] },
  {
    export: 'fixtures/legacy/export',
    mapping: 'fixtures/legacy/mapping.yaml',
    delimiter: ';',
    encoding: 'windows-1252',
    byte: 0x81,
    keys: [0],
  },
])('$export', ({ delimiter, encoding, byte, keys, mapping, export: original }) => {
  test('a byte in any cell is the problem of that cell, and brings no other problem', async () => {
    const files = new Map(
      readdirSync(project(original))
        .filter((file) => file.endsWith('.csv'))
        .map((file): [string, string[][]] => [
          file,
          parse(readFileSync(join(project(original), file), 'latin1'), { delimiter }),
        ]),
    );
    const settings = { encoding, ...(mapping === undefined ? {} : { mapping: project(mapping) }) };
    const byAccount = new Map<string, Target[]>();
    for (const [file, rows] of files)
      for (const [row, cells] of rows.entries())
        for (const column of cells.keys())
          if (row > 0 && !keys.includes(column) && /^[^[{]/.test(cells[column] ?? '')) {
            const account = cells[0] ?? '';
            byAccount.set(account, [...(byAccount.get(account) ?? []), { file, row, column }]);
          }
    const accounts = [...byAccount];
    // Every account has faults of its own, which must be told all the same.
    for (const [at, [, targets]] of accounts.entries())
      for (let cell = 7 + at; cell < targets.length; cell += 31) {
        const { file, row, column } = targets[cell]!;
        files.get(file)![row]![column] = '#!';
      }
    const writeAll = (name: string, damaged: readonly Target[]): string => {
      const directory = join(own.directory, name);
      mkdirSync(directory);
      for (const [file, rows] of files)
        writeFileSync(
          join(directory, file),
          Buffer.concat(
            rows.map((cells, row) => {
              const texts = cells.map((cell, column) => {
                const isHit = damaged.some(
                  (one) => one.file === file && one.row === row && one.column === column,
                );
                const text = `"${cell.replaceAll('"', '""')}"`;
                return isHit ? `${text.slice(0, -1)}\u0000"` : text;
              });
              const line = Buffer.from(`${texts.join(delimiter)}\n`, 'latin1');
              for (let at = line.indexOf(0); at >= 0; at = line.indexOf(0, at)) line[at] = byte;
              return line;
            }),
          ),
        );
      return directory;
    };
    const before = new Set(await told(writeAll('before', []), settings));
    // Of values that accounts share, the cell that is told depends on the others.
    const isNew = (problem: string): boolean =>
      !/^invalid_encoding |^\w+_of_another_account /.test(problem) && !before.has(problem);
    for (let round = 0; round < 4; round += 1) {
      const damaged = accounts.map(([, targets], at) => targets[(round * 137 + at * 11) % targets.length]!);
      const after = await told(writeAll(`round-${round}`, damaged), settings);
      const wrong = after.filter((problem) => problem.startsWith('invalid_encoding '));
      expect(wrong.map((problem) => problem.split(' ')[1]).sort()).toEqual(
        accounts.map(([account]) => account).sort(),
      );
      expect(after.filter(isNew)).toEqual([]);
      // Only what the one cell decides is not told.
      expect(after.length - wrong.length).toBeGreaterThan(before.size * 0.8);
    }
  });
});
