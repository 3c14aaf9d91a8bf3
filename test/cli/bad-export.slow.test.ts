import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded, linesOfType, refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace, type Ended } from './tool.ts';

const shapes = {
  flat: { shape: 'flat' },
  ndjson: { shape: 'interface' },
  array: { shape: 'interface', format: 'json' },
} as const;

let space: ReturnType<typeof workspace>;
let directory: string;
beforeEach(() => {
  space = workspace();
  ({ directory } = space);
});
afterEach(() => space.dispose());

/** Four accounts, EXT-000001 to EXT-000004, in `export`; a copy that stays whole is in `whole`. */
async function exported(shape: keyof typeof shapes): Promise<void> {
  await generateExport({
    directory: path(''),
    accounts: 4,
    seed: 5,
    supplier: 'TENTACLE_ENERGY',
    ...shapes[shape],
  });
  cpSync(path(''), join(directory, 'whole'), { recursive: true });
}

const path = (file: string): string => join(directory, 'export', file);
const rowsOf = (file: string): string[] => readFileSync(path(file), 'utf8').trimEnd().split('\n');
const write = (file: string, rows: readonly string[]): void => writeFileSync(path(file), rows.join('\n'));

/** Changes one line of a file, counted from 1. */
function change(file: string, line: number, to: (row: string) => string): void {
  write(
    file,
    rowsOf(file).map((row, at) => (at === line - 1 ? to(row) : row)),
  );
}

function cutOff(file: string): void {
  const whole = readFileSync(path(file));
  writeFileSync(path(file), whole.subarray(0, whole.length - 60));
}

function errorsIn({ stdout }: Ended, file: string): Record<string, unknown>[] {
  return linesOfType(stdout, 'problem').filter(
    (problem) => problem['severity'] === 'error' && problem['file'] === file,
  );
}

const oneRejected = { total: 4, completed: 3, rejected: 1 };

const partlyBad: readonly {
  readonly fault: string;
  readonly shape: keyof typeof shapes;
  readonly file: string;
  readonly spoil: (file: string) => void;
  readonly problem: Readonly<Record<string, unknown>>;
  /** What the run makes of the accounts. */
  readonly accounts: Readonly<Record<string, number>>;
  /** The accounts that the second run takes, once the fault is mended. */
  readonly then: readonly string[];
}[] = [
  {
    fault: 'a wrongly quoted cell',
    shape: 'flat',
    file: 'accounts.csv',
    spoil: (file) => change(file, 3, (row) => row.replace('151 The', '"151" The')),
    problem: {
      code: 'wrong_quoting',
      account: 'EXT-000002',
      line: 3,
      column: 'billing_address.street_address',
    },
    accounts: oneRejected,
    then: ['EXT-000002'],
  },
  {
    fault: 'a byte of another encoding',
    shape: 'flat',
    file: 'customers.csv',
    spoil: (file) => {
      const rows = rowsOf(file).map((row, at) => {
        const [account = '', title = '', name = '', ...rest] = row.split(',');
        const bytes = Buffer.from(name, at === 5 ? 'latin1' : 'utf8');
        return [Buffer.from(`${account},${title},`), bytes, Buffer.from(`,${rest.join(',')}\n`)];
      });
      writeFileSync(path(file), Buffer.concat(rows.flat()));
    },
    problem: { code: 'invalid_encoding', account: 'EXT-000003', line: 6, column: 'given_name' },
    accounts: oneRejected,
    then: ['EXT-000003'],
  },
  {
    fault: 'a row with too many cells',
    shape: 'flat',
    file: 'customers.csv',
    spoil: (file) => change(file, 5, (row) => `${row},more`),
    problem: {
      code: 'wrong_number_of_cells',
      account: 'EXT-000002',
      line: 5,
      column: 'unable_to_read_meters',
    },
    accounts: oneRejected,
    then: ['EXT-000002'],
  },
  {
    fault: 'a row with too few cells',
    shape: 'flat',
    file: 'customers.csv',
    spoil: (file) => change(file, 6, (row) => row.split(',').slice(0, 3).join(',')),
    problem: { code: 'wrong_number_of_cells', account: 'EXT-000003', line: 6, column: 'family_name' },
    accounts: oneRejected,
    then: ['EXT-000003'],
  },
  {
    fault: 'a row of a child file whose account is not there',
    shape: 'flat',
    file: 'customers.csv',
    spoil: (file) => change(file, 5, (row) => `${row}\n${row.replace('EXT-000002', 'EXT-900002')}`),
    problem: { code: 'orphan_row', account: 'EXT-900002', line: 6, column: 'external_account_number' },
    accounts: { total: 4, completed: 4 },
    then: [],
  },
  {
    fault: 'an account that is there twice',
    shape: 'flat',
    file: 'accounts.csv',
    spoil: (file) => write(file, [...rowsOf(file), rowsOf(file)[1] ?? '']),
    problem: { code: 'duplicate_account', account: 'EXT-000001', line: 6, column: 'external_account_number' },
    accounts: oneRejected,
    then: ['EXT-000001'],
  },
];

describe.each(partlyBad)('$fault', ({ shape, file, spoil, problem, accounts, then }) => {
  it('is named with its place; the good accounts run, and the others once it is mended', async () => {
    await exported(shape);
    spoil(file);
    const named = expect.objectContaining({ file, severity: 'error', ...problem }) as unknown;

    const checked = await ranHere(['validate', 'export', '--json'], directory);
    expect(concluded(checked, 'validate', 3)).toMatchObject({ accounts: accounts['total'] });
    const errors = linesOfType(checked.stdout, 'problem').filter(({ severity }) => severity === 'error');
    expect(errors).toEqual([named]);

    const run = await ranHere(['run', 'export', '--json'], directory);
    expect(concluded(run, 'run', 3)).toMatchObject({ accounts });
    expect(errorsIn(run, file)).toEqual([named]);

    copyFileSync(join(directory, 'whole', file), path(file));
    const mended = await ranHere(['run', 'export', '--json'], directory);
    expect(concluded(mended, 'run', 0)).toMatchObject({ accounts: { total: 4, completed: 4 } });
    expect(linesOfType(mended.stdout, 'account').map(({ account }) => account)).toEqual(then);
  });
});

describe('an export that cannot be read', () => {
  const unreadable: readonly {
    readonly name: string;
    readonly spoil: () => void;
    readonly error: string;
    readonly place?: Readonly<Record<string, unknown>>;
  }[] = [
    {
      name: 'is not there',
      spoil: () => rmSync(path(''), { recursive: true }),
      error: 'export does not exist. Check the path.',
    },
    {
      name: 'is an empty directory',
      spoil: () => {
        rmSync(path(''), { recursive: true });
        mkdirSync(path(''));
      },
      error: 'Name the directory that has them;',
    },
    {
      name: 'has no accounts file',
      spoil: () => rmSync(path('accounts.csv')),
      error: 'The export has no accounts.json, accounts.ndjson or accounts.csv. Add it',
    },
    {
      name: 'has an empty accounts file',
      spoil: () => writeFileSync(path('accounts.csv'), ''),
      error: 'accounts.csv:1: accounts.csv is empty: it has not even a header. Export it again.',
      place: { file: 'accounts.csv', line: 1 },
    },
    {
      name: 'has a directory in place of a file',
      spoil: () => {
        rmSync(path('customers.csv'));
        mkdirSync(path('customers.csv'));
      },
      error: 'customers.csv is not a file. Name a file.',
      place: { file: 'customers.csv' },
    },
    {
      name: 'has a column that nobody knows',
      spoil: () => change('accounts.csv', 1, (row) => row.replace('postal_code', 'postcode')),
      error:
        'accounts.csv:1:billing_address.postcode: The flat shape has no column billing_address.postcode in this file. ' +
        'Did you mean billing_address.postal_code?',
      place: { file: 'accounts.csv', line: 1, column: 'billing_address.postcode' },
    },
    {
      name: 'lacks the column of the account number',
      spoil: () => change('customers.csv', 1, (row) => row.replace('external_account_number', 'account')),
      error: "customers.csv has no column 'external_account_number'",
      place: { file: 'customers.csv', line: 1, column: 'external_account_number' },
    },
  ];

  it.each(unreadable)('because it $name ends before anything is sent', async ({ spoil, error, place }) => {
    await exported('flat');
    spoil();
    const ended = await ranHere(['run', 'export', '--json'], directory);
    refused(ended, 'run', 2, error);
    expect(linesOfType(ended.stdout, 'problem')).toEqual([
      expect.objectContaining({ severity: 'error', ...place }),
    ]);
    expect(existsSync(join(directory, '.migrate'))).toBe(false);
  });

  it('whose accounts came empty, and whose other files did not, has each of their rows named', async () => {
    await exported('flat');
    write('accounts.csv', rowsOf('accounts.csv').slice(0, 1));
    const ended = await ranHere(['run', 'export', '--json'], directory);
    expect(concluded(ended, 'run', 3)).toMatchObject({ requests: 0, accounts: { total: 0 } });
    const codes = linesOfType(ended.stdout, 'problem').map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['orphan_row']));
  });

  it.skipIf(process.getuid?.() === 0)(
    'because one may not read it says so (needs a user other than root)',
    async () => {
      await exported('flat');
      chmodSync(path('customers.csv'), 0);
      const ended = await ranHere(['run', 'export', '--json'], directory);
      refused(ended, 'run', 2, 'customers.csv cannot be read. Check its permissions.');
    },
  );

  it('is refused by validate in the same words', async () => {
    const ended = await ranHere(['validate', 'export', '--json'], directory);
    refused(ended, 'validate', 2, 'export does not exist. Check the path.');
  });

  it.each([
    ['flat', 'accounts.csv', 'wrong_number_of_cells'],
    ['flat', 'customers.csv', 'wrong_number_of_cells'],
    ['ndjson', 'accounts.ndjson', 'malformed_json'],
    ['ndjson', 'notes.ndjson', 'malformed_json'],
    ['array', 'accounts.json', undefined],
  ] as const)('because a file was cut off holds the run back: %s, %s', async (shape, file, ofRow) => {
    await exported(shape);
    cutOff(file);
    const checked = await ranHere(['validate', 'export', '--json'], directory);
    concluded(checked, 'validate', 3);
    const codes = errorsIn(checked, file).map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['truncated_file', ...(ofRow === undefined ? [] : [ofRow])]));
    expect(checked.stderr).toContain('A run would send nothing: a file is cut off');

    const held = await ranHere(['run', 'export', '--json'], directory);
    refused(held, 'run', 2, `${file}:`, 'A file is cut off, so nothing was sent');
    expect(linesOfType(held.stdout, 'problem')).toEqual([
      expect.objectContaining({ code: 'truncated_file', account: null, file }),
    ]);
    expect(existsSync(join(directory, '.migrate'))).toBe(false);

    const without = await ranHere(['run', 'export', '--json', '--skip-unreadable'], directory);
    expect(concluded(without, 'run', 3)).toMatchObject({ accounts: { completed: 3 } });
  });

  it('in a row that may be any account’s holds the run back, unless it is to go without', async () => {
    await exported('flat');
    change('customers.csv', 5, (row) => row.replace('EXT-000002', ''));
    const place = { file: 'customers.csv', line: 5, column: 'external_account_number' };
    const held = await ranHere(['run', 'export', '--json'], directory);
    refused(held, 'run', 2, 'customers.csv:5:external_account_number:', '--skip-unreadable');
    expect(linesOfType(held.stdout, 'problem')).toEqual([expect.objectContaining(place)]);
    expect(existsSync(join(directory, '.migrate'))).toBe(false);
    const told =
      'A run would send nothing: it is not known which accounts some rows belong to. Fix or remove them, or run without them with --skip-unreadable.';
    expect((await ranHere(['validate', 'export'], directory)).stdout.replaceAll(/\s+/g, ' ')).toContain(told);
    expect((await ranHere(['validate', 'export', '--json'], directory)).stderr).toContain(told);

    const without = await ranHere(['run', 'export', '--json', '--skip-unreadable'], directory);
    expect(concluded(without, 'run', 3)).toMatchObject({ accounts: { completed: 4 } });
  });
});

it('an empty file of records beside the accounts is warned of', async () => {
  await exported('ndjson');
  writeFileSync(path('notes.ndjson'), '');
  writeFileSync(path('transactions.ndjson.gz'), gzipSync(''));
  rmSync(path('transactions.ndjson'));
  const ended = await ranHere(['validate', 'export', '--json'], directory);
  concluded(ended, 'validate', 0);
  expect(ended.stderr).toContain(
    'warning: Empty, so no records are sent from it: notes.ndjson, transactions.ndjson.gz. If that is',
  );
});
