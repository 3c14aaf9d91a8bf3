import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ownContract } from '../contract/tenancy/own-contract.ts';
import { ranHere } from './own-shell.ts';
import { lines, summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

/** Three accounts of the sample as the tenancy of the contract would have them. */
function exported(change: (text: string) => string = (text) => text): void {
  mkdirSync(join(space.directory, 'export'));
  writeFileSync(
    join(space.directory, 'contract.yaml'),
    ownContract.replace(
      'import_supplier: { type: string }\n        external',
      'import_supplier: { type: string, enum: [MARSH_POWER] }\n        external',
    ),
  );
  const ours = ['1', '2', '3'].map((number) =>
    JSON.stringify({
      import_supplier: 'MARSH_POWER',
      external_account_number: number,
      brand: 'MARSH',
      sales_channel: 'PHONE',
      transfer_balance: 12.5,
      customers: [{ family_name: 'Fen', email: 'fen@example.com' }],
      supply_addresses: [
        {
          supply_address: { street_address: '1 Bank', country: 'GB' },
          meter_points: [{ supply_type: 'GAS', mpxn: `10${number}`, pressure: '21.5' }],
        },
      ],
    }),
  );
  writeFileSync(join(space.directory, 'export', 'accounts.ndjson'), change(ours.join('\n')));
}

it('holds every account to the contract of the tenancy, and names the cell', async () => {
  exported((text) => text.replace('"brand":"MARSH"', '"brand":"SWAMP"').replace('"PHONE"', '"EVENTS"'));
  const args = ['validate', 'export', '--contract', 'contract.yaml', '--json'];
  const ended = await ranHere(args, space.directory);
  expect(ended.code).toBe(3);
  expect(summaryOf(ended.stdout)).toMatchObject({ accounts: 3, invalid: 1 });
  const problems = lines(ended.stdout).filter(({ type }) => type === 'problem');
  expect(problems).toMatchObject([
    { code: 'invalid_choice', file: 'accounts.ndjson', line: 1, column: 'brand', severity: 'error' },
    { code: 'invalid_choice', file: 'accounts.ndjson', line: 1, column: 'sales_channel' },
  ]);
});

it('takes the contract from the configuration, and without it knows none of its fields', async () => {
  exported();
  const bare = await ranHere(['validate', 'export', '--json'], space.directory);
  expect(summaryOf(bare.stdout)).toMatchObject({ invalid: 3, byCode: { unknown_field: 6 } });
  writeFileSync(join(space.directory, '.migraterc'), 'contract: contract.yaml\n');
  const configured = await ranHere(['validate', 'export', '--json'], space.directory);
  expect(summaryOf(configured.stdout)).toMatchObject({ valid: 3, problems: 0 });
});

it('does not start with a contract that it cannot use', async () => {
  exported();
  for (const [file, reason] of [
    ['nowhere.yaml', 'does not exist'],
    ['export/accounts.ndjson', 'neither JSON nor YAML'],
  ] as const) {
    const ended = await ranHere(['run', 'export', '--contract', file], space.directory);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(reason)]);
  }
});

it('makes no dry run where the contract has none: it sends nothing, and names the file', async () => {
  exported();
  const without = ownContract.replace(/^.*dry_run:.*\n/m, '');
  writeFileSync(join(space.directory, 'contract.yaml'), without);
  const ended = await ranHere(['run', 'export', '--contract', 'contract.yaml', '--dry-run'], space.directory);
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(/contract\.yaml has no dry_run/)]);
  expect(readdirSync(space.directory).sort()).toEqual(['contract.yaml', 'export']);
});

it('takes a contract in two files, from the settings and from the command line', async () => {
  exported();
  const whole = readFileSync(join(space.directory, 'contract.yaml'), 'utf8');
  const paths = parse(whole) as { paths: Record<string, unknown> };
  const part = (file: string, wanted: RegExp): void =>
    writeFileSync(
      join(space.directory, file),
      JSON.stringify({
        ...paths,
        paths: Object.fromEntries(Object.entries(paths.paths).filter(([path]) => wanted.test(path))),
      }),
    );
  part('v1.json', /account/);
  part('v2.json', /transactions/);
  writeFileSync(
    join(space.directory, 'export', 'transactions.ndjson'),
    JSON.stringify({
      import_supplier: 'MARSH_POWER',
      external_account_number: '1',
      transactions: [
        {
          type: 'CHARGE',
          transaction_id: 'a',
          transaction_date: '2024-01-15',
          amount: '1.00',
          meter: '12345',
        },
      ],
    }),
  );
  const named = await ranHere(['validate', 'export', '--contract', 'v1.json', '--json'], space.directory);
  expect(summaryOf(named.stdout)).toMatchObject({ byCode: { not_offered: 1 } });
  const both = ['--contract', 'v1.json', '--contract', 'v2.json'];
  const typed = await ranHere(['validate', 'export', ...both, '--json'], space.directory);
  expect(summaryOf(typed.stdout)).toMatchObject({ byCode: { max_length: 1 } });
  writeFileSync(
    join(space.directory, '.migraterc'),
    'contract: [v1.json, v2.json]\nrules: { max_length: off }\n',
  );
  const wrong = await ranHere(['validate', 'export'], space.directory);
  expect(wrong.stderr).toContain('max_length');
  writeFileSync(join(space.directory, '.migraterc'), 'contract: [v1.json, v2.json]\n');
  const ran = await ranHere(['run', 'export', '--json'], space.directory);
  expect(summaryOf(ran.stdout)).toMatchObject({ accounts: { completed: 2, rejected: 1 } });
  writeFileSync(join(space.directory, 'v1.json'), whole.replace('maxLength: 4', 'maxLength: 3'));
  const differing = await ranHere(['validate', 'export'], space.directory);
  expect([differing.code, differing.stderr]).toEqual([
    2,
    expect.stringMatching(
      /The contract \S+v2\.json cannot be used: it describes .* differently from \S+v1\.json/,
    ),
  ]);
});

it('holds to the contract strictly where it is told to, in the run and in the embedded platform', async () => {
  exported((text) => text.replace('"brand":"MARSH"', '"brand":"MARSH","created":"today"'));
  const args = ['export', '--contract', 'contract.yaml', '--json'];
  expect((await ranHere(['validate', ...args], space.directory)).code).toBe(0);
  const strictly = await ranHere(['validate', ...args, '--strict-contract'], space.directory);
  expect(summaryOf(strictly.stdout)).toMatchObject({ byCode: { read_only: 1 } });
  writeFileSync(join(space.directory, '.migraterc'), 'strictContract: true\n');
  const ran = await ranHere(['run', ...args], space.directory);
  expect(summaryOf(ran.stdout)).toMatchObject({ accounts: { completed: 2, rejected: 1 } });
});

it('warns of a pattern that it cannot check, and checks the rest', async () => {
  exported((text) => text.replace('"brand":"MARSH"', '"brand":"SWAMP"'));
  const file = join(space.directory, 'contract.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('{1,8}$', '{1,8}(?<!A)$'));
  for (const command of [
    ['validate', 'export'],
    ['run', 'export', '--dry-run'],
  ]) {
    const ended = await ranHere([...command, '--contract', 'contract.yaml'], space.directory);
    expect(ended.code).toBe(3);
    expect(
      ended.stderr.match(/warning: The contract .*contract.yaml has a pattern at \S+billing_postcode/g),
    ).toHaveLength(1);
  }
});

it('rehearses in the shape of the tenancy: runs against the embedded platform, and reconciles', async () => {
  exported();
  writeFileSync(join(space.directory, '.migraterc'), 'contract: contract.yaml\n');
  const ran = await ranHere(['run', 'export', '--json'], space.directory);
  expect(ran.stderr + JSON.stringify(summaryOf(ran.stdout))).toContain('"completed":3');
  expect(ran.code).toBe(0);
  const compared = await ranHere(['reconcile', 'export', '--json'], space.directory);
  expect(compared.code).toBe(0);
});

it('takes the fields of the contract from flat CSV, with meter points as a file of their own', async () => {
  exported();
  const flat = join(space.directory, 'flat');
  mkdirSync(flat);
  const csv = (name: string, ...rows: readonly string[]): void =>
    writeFileSync(join(flat, name), `${rows.join('\n')}\n`);
  csv(
    'accounts.csv',
    'external_account_number,import_supplier,brand,transfer_balance,billing_address1,billing_postcode',
    '1,MARSH_POWER,FEN,12.50,1 Bank,AB1 2CD',
  );
  csv('customers.csv', 'external_account_number,family_name,mobile,loyalty.points', '1,Fen,+447911123456,3');
  csv(
    'supply_addresses.csv',
    'external_account_number,supply_address.street_address,supply_address.country',
    '1,1 Bank,GB',
  );
  csv('meter_points.csv', 'external_account_number,mpxn,supply_type,pressure', '1,101,GAS,21.50');
  const args = ['explain', 'flat', '1', '--contract', 'contract.yaml', '--json'];
  const explained = await ranHere(args, space.directory);
  const values = lines(explained.stdout).filter(({ type }) => type === 'value');
  const told = new Map(
    values.map(({ path, value, file, column }) => [path, [value, `${String(file)} ${String(column)}`]]),
  );
  expect(told.get('transfer_balance')).toEqual(['12.50', 'accounts.csv transfer_balance']);
  expect(told.get('customers.0.loyalty.points')).toEqual([3, 'customers.csv loyalty.points']);
  expect(told.get('supply_addresses.0.meter_points.0.pressure')).toEqual([21.5, 'meter_points.csv pressure']);
  const checked = await ranHere(
    ['validate', 'flat', '--contract', 'contract.yaml', '--json'],
    space.directory,
  );
  expect(summaryOf(checked.stdout)).toMatchObject({ valid: 1, problems: 0 });
});

it('takes the fields of the contract as targets of a mapping, and suggests them', async () => {
  exported();
  const old = join(space.directory, 'old');
  mkdirSync(old);
  writeFileSync(join(old, 'K.csv'), 'NR,MARKE,STRASSE,NAME,MAIL\n1,FEN,1 Bank,Fen,fen@example.com\n');
  const mapping = (field: string): void =>
    writeFileSync(
      join(space.directory, 'mapping.yaml'),
      [
        'version: 1',
        'tables: { accounts: { file: K.csv, key: NR } }',
        'account:',
        '  import_supplier: { constant: MARSH_POWER }',
        '  brand: MARKE',
        `  ${field}: STRASSE`,
        '  customers: [{ family_name: NAME, email: MAIL }]',
        '',
      ].join('\n'),
    );
  const args = ['validate', 'old', '--mapping', 'mapping.yaml', '--contract', 'contract.yaml', '--json'];
  mapping('billing_address1');
  const good = await ranHere(args, space.directory);
  expect(summaryOf(good.stdout)).toMatchObject({ valid: 1, problems: 0 });
  mapping('biling_address1');
  const bad = await ranHere(args, space.directory);
  expect(bad.code).toBe(2);
  expect(bad.stderr).toContain('Did you mean billing_address1?');
});

it('begins a mapping under a contract, with its schema for editors beside it', async () => {
  exported();
  const old = join(space.directory, 'old');
  mkdirSync(old);
  writeFileSync(join(old, 'K.csv'), 'NR,NAME,MAIL\n1,Fen,fen@example.com\n2,Marsh,marsh@example.com\n');
  const made = await ranHere(['init', 'old', '--contract', 'contract.yaml', '--json'], space.directory);
  expect(summaryOf(made.stdout)).toMatchObject({
    exit: 0,
    written: ['mapping.yaml', 'mapping.schema.json', '.migraterc'],
  });
  const here = (file: string): string => readFileSync(join(space.directory, file), 'utf8');
  expect(here('mapping.yaml').split('\n')[0]).toBe('# yaml-language-server: $schema=mapping.schema.json');
  expect(here('mapping.schema.json')).toContain('billing_address1');
  expect(here('.migraterc')).toContain('contract: ["contract.yaml"]');
  const rules = await ranHere(['contract', 'rules', '--json'], space.directory);
  expect(rules.code).toBe(0);
});

it('lists the rules under the contract, and writes its schema for editors', async () => {
  exported();
  const rules = await ranHere(
    ['contract', 'rules', '--contract', 'contract.yaml', '--json'],
    space.directory,
  );
  expect(lines(rules.stdout)).toContainEqual(
    expect.objectContaining({ type: 'rule', code: 'customer_given_name_required', level: 'off' }),
  );
  const made = await ranHere(
    ['contract', 'schema', '--contract', 'contract.yaml', '--out', 'schema.json'],
    space.directory,
  );
  expect(made.code).toBe(0);
  const schema = readFileSync(join(space.directory, 'schema.json'), 'utf8');
  expect(schema).toContain('billing_address1');
  expect(schema).not.toContain('"billing_address"');
});

it('sends data that the contract has no place for only where the settings say so, and then leaves it out', async () => {
  exported();
  writeFileSync(
    join(space.directory, 'export', 'notes.ndjson'),
    JSON.stringify({
      import_supplier: 'MARSH_POWER',
      external_account_number: '1',
      notes: [{ body: 'Moved in' }],
    }),
  );
  const args = ['run', 'export', '--contract', 'contract.yaml', '--json'];
  const refused = await ranHere(args, space.directory);
  expect(refused.code).toBe(3);
  expect(lines(refused.stdout)).toContainEqual(
    expect.objectContaining({ type: 'problem', code: 'not_offered', file: 'notes.ndjson', line: 1 }),
  );
  const planned = await ranHere(['plan', 'export', '--contract', 'contract.yaml', '--json'], space.directory);
  expect(summaryOf(planned.stdout)).toMatchObject({
    notOffered: { notes: 1, agreements: 0, 'billing-documents': 0, 'payment-instruction': 0 },
  });
  const forPeople = await ranHere(['plan', 'export', '--contract', 'contract.yaml'], space.directory);
  expect(forPeople.stdout).toMatch(
    /Not offered by the tenancy's contract, by step\n +notes +1 +accounts have data/,
  );
  writeFileSync(join(space.directory, '.migraterc'), 'rules: { not_offered: warning }\n');
  const left = await ranHere(args, space.directory);
  expect([left.code, summaryOf(left.stdout)]).toEqual([
    0,
    expect.objectContaining({ accounts: expect.objectContaining({ completed: 3 }) }),
  ]);
});

it('keeps amounts in minor units apart from others, and knows those of earlier versions', async () => {
  exported();
  writeFileSync(join(space.directory, '.migraterc'), 'contract: contract.yaml\n');
  const statement = { statement_id: 'S1', gross_amount: 12345 };
  writeFileSync(
    join(space.directory, 'export', 'historical_statements.ndjson'),
    JSON.stringify({
      import_supplier: 'MARSH_POWER',
      external_account_number: '1',
      statements: [statement, { ...statement, statement_id: 'S2', gross_amount: null }],
    }),
  );
  const money = async (...more: string[]): Promise<unknown> => {
    const compared = await ranHere(['reconcile', ...more, '--json'], space.directory);
    return summaryOf(compared.stdout)['money'];
  };
  expect((await ranHere(['run', 'export'], space.directory)).code).toBe(0);
  const total = { source: '12345', acknowledged: '12345', unconfirmed: '0' };
  expect(await money('export')).toMatchObject({ gross_amount_minor_units: total });
  const journal = new Database(join(space.directory, '.migrate', 'journal.db'));
  journal.exec(
    `UPDATE part SET money = replace(money, '_minor_units', '') WHERE money LIKE '%_minor_units%'`,
  );
  journal.close();
  expect(await money('export')).toMatchObject({ gross_amount_minor_units: total });
  expect(await money()).toMatchObject({ gross_amount: { acknowledged: '12345.00' } });
});

it('tells in status and in the report which steps the tenancy does not offer', async () => {
  exported();
  writeFileSync(join(space.directory, '.migraterc'), 'contract: contract.yaml\n');
  await ranHere(['run', 'export'], space.directory);
  const absent = ['notes', 'agreements', 'billing-documents', 'payment-instruction'];
  const status = await ranHere(['status', '--json'], space.directory);
  expect(summaryOf(status.stdout)).toMatchObject({ suppliers: [{ notOffered: absent }] });
  const table = (await ranHere(['status'], space.directory)).stdout;
  expect(table).toMatch(/^ *notes +not offered$/m);
  expect(table).toMatch(/^ *transactions +0 +0 +0 +0$/m);
  const report = await ranHere(['report', '--out', 'report.html', '--json'], space.directory);
  expect(summaryOf(report.stdout)).toMatchObject({ notOffered: absent });
  expect(readFileSync(join(space.directory, 'report.html'), 'utf8')).toContain(
    `Not offered by the tenancy's contract: ${absent.join(', ')}.`,
  );
});

it('generates an export in the shape of the tenancy, which goes through to the proof', async () => {
  exported();
  writeFileSync(join(space.directory, '.migraterc'), 'contract: contract.yaml\n');
  const here = (...args: string[]) => ranHere([...args, '--json'], space.directory);
  const made = await here('generate', 'made', '--accounts', '12', '--contract', 'contract.yaml');
  expect(summaryOf(made.stdout)).toMatchObject({ accounts: 12 });
  expect(readdirSync(join(space.directory, 'made')).sort()).toEqual([
    'accounts.ndjson',
    'historical_statements.ndjson',
    'transactions.ndjson',
  ]);
  const checked = await here('validate', 'made');
  expect(summaryOf(checked.stdout)).toMatchObject({ exit: 0, valid: 12, problems: 0 });
  const ran = await here('run', 'made');
  expect(summaryOf(ran.stdout)).toMatchObject({ exit: 0, accounts: { completed: 12 } });
  expect((await here('reconcile', 'made')).code).toBe(0);
});

/** From the flat files of a generated export, as a mapping of an old system's files would. */
const mapping = `version: 1
tables:
  accounts: { file: accounts.csv, key: external_account_number }
  people: { file: customers.csv, key: external_account_number }
  places: { file: supply_addresses.csv, key: external_account_number }
  points: { file: meter_points.csv, key: external_account_number }
  bookings: { file: transactions.csv, key: external_account_number }
  bills: { file: historical_statements.csv, key: external_account_number }
account:
  import_supplier: import_supplier
  brand: brand
  sales_channel: sales_channel
  transfer_balance: transfer_balance
  billing_address1: billing_address1
  billing_postcode: billing_postcode
  customers:
    - { from: people, each: { family_name: family_name, email: email, mobile: mobile } }
  supply_addresses:
    - from: places
      each:
        supply_address: { street_address: supply_address.street_address, country: supply_address.country }
        meter_points:
          - from: points
            match: { supply_address_index: NR }
            each: { mpxn: mpxn, supply_type: supply_type, supply_start_date: supply_start_date }
transactions:
  - from: bookings
    each:
      transaction_id: transaction_id
      transaction_date: transaction_date
      amount: amount
      type: type
      meter: meter
      reason: reason
      payment_type: payment_type
historical_statements:
  - { from: bills, each: { statement_id: statement_id, gross_amount: gross_amount } }
`;

it.each([
  ['flat CSV', []],
  ['a mapping', ['--mapping', 'mapping.yaml']],
] as const)(
  'a generated export goes from validate to reconcile without a fault, from %s',
  async (_kind, more) => {
    exported();
    writeFileSync(join(space.directory, '.migraterc'), 'contract: contract.yaml\n');
    writeFileSync(join(space.directory, 'mapping.yaml'), mapping);
    const here = (...args: string[]) => ranHere([...args, '--json'], space.directory);
    const shape = ['--contract', 'contract.yaml', '--shape', 'flat'];
    for (const name of ['flat', 'again']) await here('generate', name, '--accounts', '12', ...shape);
    for (const file of readdirSync(join(space.directory, 'flat')))
      expect(readFileSync(join(space.directory, 'again', file))).toEqual(
        readFileSync(join(space.directory, 'flat', file)),
      );
    if (more.length > 0) numberAddresses(join(space.directory, 'flat', 'supply_addresses.csv'));
    for (const command of [['validate'], ['run', '--dry-run'], ['run'], ['reconcile']]) {
      const [name = '', ...flags] = command;
      const ended = await here(name, 'flat', ...more, ...flags);
      expect(`${command.join(' ')}: ${ended.code} ${ended.code === 0 ? '' : ended.stdout}`).toMatch(/: 0 /);
      if (name === 'validate') expect(summaryOf(ended.stdout)).toMatchObject({ valid: 12, problems: 0 });
    }
  },
);

/** Adds the number of each address within its account, by which an old system's points would name it. */
function numberAddresses(file: string): void {
  const [head = '', ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const seen = new Map<string, number>();
  const numbered = rows.map((row) => {
    const account = row.slice(0, row.indexOf(','));
    const number = seen.get(account) ?? 0;
    seen.set(account, number + 1);
    return `${row},${number}`;
  });
  writeFileSync(file, [`${head},NR`, ...numbered, ''].join('\n'));
}

it('flat CSV has the same accounts as the records of the same seed', async () => {
  exported();
  writeFileSync(join(space.directory, '.migraterc'), 'contract: contract.yaml\n');
  const here = (...args: string[]) => ranHere([...args, '--json'], space.directory);
  const made = ['--accounts', '5', '--seed', '3', '--contract', 'contract.yaml'];
  await here('generate', 'records', ...made);
  await here('generate', 'flat', '--shape', 'flat', ...made);
  const values = async (directory: string): Promise<string[]> => {
    const { stdout } = await here('explain', directory, 'EXT-000002');
    return lines(stdout)
      .filter(({ type }) => type === 'value')
      .map(({ step, path, value }) => JSON.stringify([step, path, value]))
      .sort();
  };
  expect(await values('flat')).toEqual(await values('records'));
});
