import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { stateSpec } from '../../src/platform/store/schema.ts';
import { openDatabase, type Sqlite } from '../../src/sqlite/open-database.ts';
import { concluded, linesOfType, refused } from './endings.ts';
import { served, tool, workspace, type Ended, type Served } from './tool.ts';

const supplier = 'TENTACLE_ENERGY';
const space = workspace();
afterAll(() => space.dispose());

async function madeExport(name: string, accounts: number, seed: number): Promise<string> {
  const directory = join(space.directory, name);
  await generateExport({ directory, accounts, seed, shape: 'interface', supplier });
  return directory;
}

/** Changes what the embedded platform of a directory holds, as an outage or a person's hand would. */
function meddle(directory: string, change: (db: Sqlite) => void): void {
  const db = openDatabase(join(directory, '.migrate/platform.db'), stateSpec);
  db.pragma('foreign_keys = OFF');
  change(db);
  db.close();
}

const codes = (ended: Ended) =>
  linesOfType(ended.stdout, 'difference').map(({ account, code }) => `${String(account)} ${String(code)}`);

describe('a migration that went well', () => {
  let source: string;
  let directory: string;
  beforeAll(async () => {
    directory = space.directory;
    source = await madeExport('book', 8, 3);
    expect((await tool(['run', source, '--json'], directory)).code).toBe(0);
  });

  it('is proven by the lists of the platform, with every total, and one digest whoever asks', async () => {
    const ended = await tool(['reconcile', source, '--supplier', supplier, '--json'], directory);
    const { money, digest, ...summary } = concluded(ended, 'reconcile', 0);
    expect(summary).toMatchObject({
      supplier,
      matches: true,
      differences: 0,
      source: { accounts: 8, imported: 8 },
      journal: { accounts: 8, imported: 8 },
      platform: { accounts: 8, imported: 8 },
    });
    const kinds = Object.entries(money as Record<string, Record<string, string>>);
    expect(kinds.map(([kind]) => kind)).toEqual(
      expect.arrayContaining(['transfer_balance', 'ledger_balance', 'gross_amount', 'CHARGE', 'PAYMENT']),
    );
    for (const [, totals] of kinds)
      expect(totals).toEqual({
        source: totals['acknowledged'],
        acknowledged: totals['source'],
        unconfirmed: '0.00',
      });
    const again = await tool(['reconcile', source, '--json'], directory);
    expect(concluded(again, 'reconcile', 0)['digest']).toBe(digest);
  });

  it('is compared with the platform alone where no export is given', async () => {
    const ended = await tool(['reconcile'], directory);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(
      /They match: journal and platform agree on every account\.\nDigest [0-9a-f]{64}\n$/,
    );
  });

  it('is held against the export of today', async () => {
    const accounts = readFileSync(join(source, 'accounts.ndjson'), 'utf8').trimEnd().split('\n');
    const numbers = accounts.map(
      (line) => (JSON.parse(line) as { external_account_number: string }).external_account_number,
    );
    const changed = join(space.directory, 'changed');
    mkdirSync(changed);
    const [first = '', second = '', ...others] = accounts;
    const renamed = first.replaceAll(numbers[0]!, 'EXT-NEW');
    const dearer = JSON.stringify({ ...(JSON.parse(second) as object), transfer_balance: '123456.78' });
    writeFileSync(join(changed, 'accounts.ndjson'), [renamed, dearer, ...others].join('\n'));
    const ended = await tool(['reconcile', changed, '--json'], directory);
    expect(concluded(ended, 'reconcile', 8)).toMatchObject({
      matches: false,
      source: { accounts: 8, imported: 7 },
    });
    const told = codes(ended);
    expect(told).toContain(`${numbers[0]!} not_in_export`);
    expect(told).toContain('EXT-NEW not_created');
    expect(told).toContain(`${numbers[1]!} changed_since_sent`);
    expect(linesOfType(ended.stdout, 'difference')).toContainEqual(
      expect.objectContaining({
        code: 'money_differs',
        account: numbers[1],
        kind: 'transfer_balance',
        source: '123456.78',
      }),
    );
  });

  it('is counted by status on the platform too, where that is asked for', async () => {
    const ended = await tool(['status', '--remote', '--json'], directory);
    expect(concluded(ended, 'status', 0)).toMatchObject({
      suppliers: [{ supplier, accounts: { completed: 8 }, remote: { accounts: 8, pending: 0, imported: 8 } }],
    });
    const { stdout } = await tool(['status', '--remote'], directory);
    expect(stdout).toContain('The platform lists 8: 8 created (in the journal 8), 0 staged.');
  });

  it('is not compared while a run drives the supplier, nor for a supplier that nobody knows', async () => {
    const journal = openJournal(join(directory, '.migrate/journal.db'), {
      synchronous: 'NORMAL',
      create: false,
    });
    const [{ platform } = { platform: '' }] = await journal.platforms();
    const owner = { host: 'another', pid: 1, processStart: 'a' };
    await journal.takeLease({ platform, supplier, owner }, Date.now(), Date.now() + 60_000, () => false);
    refused(
      await tool(['reconcile', '--json'], directory),
      'reconcile',
      7,
      'Nothing was compared: another run holds',
    );
    await journal.takeLease({ platform, supplier, owner }, Date.now(), 0, () => true);
    await journal.close();
    refused(
      await tool(['reconcile', '--supplier', 'TENTACLE_ENERGIE', '--json'], directory),
      'reconcile',
      2,
      `no accounts of TENTACLE_ENERGIE on embedded. It has ${supplier} on embedded.`,
    );
  });

  it('shows what changed on the platform since', async () => {
    const external = (db: Sqlite) =>
      db.prepare<[], string>('SELECT external FROM import_process ORDER BY external').pluck().all();
    let numbers: string[] = [];
    meddle(directory, (db) => {
      numbers = external(db);
      const [gone, renumbered, pending, added] = numbers;
      const of = (account: string | undefined) =>
        `process_id = (SELECT id FROM import_process WHERE external = '${account}')`;
      db.exec(`DELETE FROM account WHERE ${of(gone)}; DELETE FROM import_process WHERE external = '${gone}';
        UPDATE account SET number = number + 1000 WHERE ${of(renumbered)};
        DELETE FROM account WHERE ${of(pending)};
        UPDATE import_process SET external = 'ZZ-ADDED' WHERE external = '${added}'`);
    });
    const ended = await tool(['reconcile', '--json'], directory);
    expect(concluded(ended, 'reconcile', 8)).toMatchObject({
      matches: false,
      differences: 5,
      journal: { accounts: 8, imported: 8 },
      platform: { accounts: 7, imported: 6 },
    });
    expect(codes(ended)).toEqual([
      `${numbers[0]!} missing_on_platform`,
      `${numbers[1]!} number_differs`,
      `${numbers[2]!} state_differs`,
      `${numbers[3]!} missing_on_platform`,
      'ZZ-ADDED created_outside',
    ]);
  });
});

it('keeps telling of records that left the export, until they are back', async () => {
  const space = workspace();
  try {
    const source = join(space.directory, 'book');
    await generateExport({ directory: source, accounts: 3, seed: 3, shape: 'interface', supplier });
    const json = (command: string) => tool([command, source, '--json'], space.directory);
    concluded(await json('run'), 'run', 0);
    const notes = join(source, 'notes.ndjson');
    const [first = '', ...others] = readFileSync(notes, 'utf8').trimEnd().split('\n');
    writeFileSync(notes, `${others.join('\n')}\n`);
    const account = String((JSON.parse(first) as Record<string, unknown>)['external_account_number']);
    expect(codes(await json('reconcile'))).toEqual([`${account} changed_since_sent`]);
    for (const _night of [1, 2]) {
      concluded(await json('run'), 'run', 0);
      const ended = await json('reconcile');
      expect(concluded(ended, 'reconcile', 8)).toMatchObject({ byCode: { no_longer_in_export: 1 } });
      expect(codes(ended)).toEqual([`${account} no_longer_in_export`]);
    }
    writeFileSync(notes, `${[first, ...others].join('\n')}\n`);
    expect(concluded(await json('run'), 'run', 0)).toMatchObject({ requests: 0 });
    expect(concluded(await json('reconcile'), 'reconcile', 0)).toMatchObject({ matches: true });
  } finally {
    space.dispose();
  }
});

describe('a platform with faults', () => {
  let directory: string;
  let source: string;
  let platform: Served;
  beforeAll(async () => {
    directory = join(space.directory, 'faulty');
    mkdirSync(directory);
    source = await madeExport('small', 4, 9);
  });
  afterEach(() => platform.stop());

  /** The same platform again, with these faults. */
  async function platformWith(operator: object): Promise<Record<string, string>> {
    const file = join(directory, 'operator.json');
    writeFileSync(file, JSON.stringify(operator));
    platform = await served(directory, '--port', '0', '--state', 'state.db', '--operator', file);
    return {
      MIGRATE_BASE_URL: platform.url,
      MIGRATE_API_KEY: platform.apiKey,
      MIGRATE_RETRY_ATTEMPTS: '2',
      MIGRATE_RETRY_BASE_MS: '1',
    };
  }
  const faults = (...rules: object[]) => ({ faults: { seed: 1, rules } });

  it('leaves money unconfirmed where an answer is lost, and tells of the dates that it moved', async () => {
    const rules = [{ kind: 'reset', when: 'after', on: ['transactions'], accounts: ['EXT-000002'] }];
    const openStatementPeriod = { from: '2001-01-01', to: '2001-01-31' };
    const env = await platformWith({ ...faults(...rules), openStatementPeriod });
    const run = await tool(['run', source, '--yes', '--json'], directory, {
      ...env,
      MIGRATE_TEAM: 'MIGRATIONS',
    });
    expect(run.code).toBe(3);
    const ended = await tool(['reconcile', source, '--json'], directory, env);
    const { money, datesMoved } = concluded(ended, 'reconcile', 8);
    expect(codes(ended)).toEqual(['EXT-000002 unconfirmed', 'EXT-000002 incomplete']);
    const totals = Object.values(money as Record<string, Record<string, string>>);
    expect(totals.some(({ unconfirmed }) => Number(unconfirmed) > 0)).toBe(true);
    const moved = linesOfType(ended.stdout, 'date-moved');
    expect(moved.length).toBeGreaterThan(0);
    expect(datesMoved).toBe(moved.length);
    expect(moved[0]).toMatchObject({
      file: 'transactions.ndjson',
      column: expect.stringContaining('transaction_date') as string,
    });
  });

  it('proves nothing by a list that breaks off, and is asked again before that is said', async () => {
    const always = await platformWith(faults({ kind: 'truncated', on: ['allProcesses'] }));
    const ended = await tool(['reconcile', '--json'], directory, always);
    refused(ended, 'reconcile', 5, 'list of accounts was incomplete, and an incomplete list proves nothing');
    expect(concluded(ended, 'reconcile', 5)).not.toHaveProperty('matches');
    await platform.stop();
    const once = await platformWith(
      faults(
        { kind: 'truncated', on: ['allProcesses'], at: [1] },
        { kind: 'expire-tokens', on: ['allProcesses'], at: [2] },
      ),
    );
    const whole = await tool(['reconcile', '--json'], directory, once);
    expect(concluded(whole, 'reconcile', 8)).toMatchObject({ platform: { accounts: 4, imported: 4 } });
  });

  it('ends with 4 where it refuses the key, and with 5 where it is not there', async () => {
    const env = await platformWith({});
    const wrong = await tool(['reconcile', '--json'], directory, { ...env, MIGRATE_API_KEY: 'sk_planted' });
    refused(wrong, 'reconcile', 4, 'The platform refused the credentials');
    expect(wrong.stdout + wrong.stderr).not.toContain('planted');
    await platform.stop();
    const nobody = { ...env, MIGRATE_PLATFORM_ID: 'x' };
    const journal = openJournal(join(directory, '.migrate/journal.db'), {
      synchronous: 'NORMAL',
      create: false,
    });
    await journal.open('x', { supplier, account: 'EXT-1' });
    await journal.close();
    refused(
      await tool(['reconcile', '--json'], directory, nobody),
      'reconcile',
      5,
      'the platform is unavailable (connection_refused)',
    );
  });
});

it('amounts that a conversion refuses are in no total, also where they look like others', async () => {
  const directory = join(space.directory, 'refused');
  mkdirSync(join(directory, 'book'), { recursive: true });
  writeFileSync(
    join(directory, 'mapping.yaml'),
    `version: 1
format: { delimiter: ';', decimal_mark: ',', thousands_mark: '.' }
tables:
  accounts: { file: A.csv, key: ID }
  amounts: { file: T.csv, key: ID, dates: yyyy-mm-dd }
account:
  import_supplier: { constant: ${supplier} }
  ledgers: [{ ledger_code: { constant: ENERGY }, ledger_balance: BALANCE }]
  transfer_balance: BALANCE
transactions:
  from: amounts
  each: { transaction_id: N, transaction_date: DATE, amount: AMOUNT, type: { column: KIND, codes: { C: CHARGE } } }
`,
  );
  writeFileSync(join(directory, 'book/A.csv'), 'ID;BALANCE\n1;1.23\n2;10,00\n3;7,00\n');
  writeFileSync(join(directory, 'book/T.csv'), 'ID;N;KIND;AMOUNT;DATE\n3;t1;XX;5,00;2024-01-01\n');
  expect((await tool(['run', 'book', '--mapping', 'mapping.yaml'], directory)).code).toBe(3);
  const ended = await tool(['reconcile', 'book', '--mapping', 'mapping.yaml'], directory);
  expect(ended.stdout).toMatch(/transfer balances +10\.00 +10\.00 +0\.00 +0\.00/);
  expect(ended.stdout).not.toContain('XX');
  expect(ended.stdout).toContain('Amounts of 2 accounts of the export cannot be read');
});
