import { join } from 'node:path';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { stateSpec } from '../../src/platform/store/schema.ts';
import { openDatabase, type Sqlite } from '../../src/sqlite/open-database.ts';
import { concluded, linesOfType } from './endings.ts';
import { tool, workspace } from './tool.ts';

const supplier = 'TENTACLE_ENERGY';
const space = workspace();
afterAll(() => space.dispose());
let source: string;

beforeAll(async () => {
  source = join(space.directory, 'book');
  await generateExport({ directory: source, accounts: 12, seed: 3, shape: 'interface', supplier });
  expect((await tool(['run', source, '--json'], space.directory)).code).toBe(0);
});

async function readBack(...words: string[]) {
  return tool(['reconcile', source, '--read-back', ...words, '--json'], space.directory);
}

function meddle(change: (db: Sqlite) => void): void {
  const db = openDatabase(join(space.directory, '.migrate/platform.db'), stateSpec);
  change(db);
  db.close();
}

it('the platform holds what was sent, to the penny, by its own ledger', async () => {
  const { readBack: found, ...summary } = concluded(await readBack('all'), 'reconcile', 0);
  expect(summary).toMatchObject({ matches: true, differences: 0 });
  expect(found).toMatchObject({ read: 12, differ: 0, notReadable: 0, unread: 0, confidence: null });
});

it('a sample says what it proves, and a list is read alone', async () => {
  const sample = concluded(await readBack('sample', '5'), 'reconcile', 0)['readBack'];
  expect(sample).toMatchObject({ read: 5, confidence: { level: 0.95, population: 12, atMost: 0.4507 } });
  const file = join(space.directory, 'list');
  writeFileSync(file, 'EXT-000002\nEXT-000007\n');
  expect(concluded(await readBack('accounts', file), 'reconcile', 0)['readBack']).toMatchObject({ read: 2 });
});

it('goes on in the next hour where the budget stopped it', async () => {
  writeFileSync(join(space.directory, '.migraterc'), 'readBack: { perHour: 1, concurrency: 1 }\n');
  expect(concluded(await readBack('sample', '3', '--seed', 'x'), 'reconcile', 6)['readBack']).toMatchObject({
    read: 0,
    unread: 3,
    stopped: 'budget',
  });
  writeFileSync(join(space.directory, '.migraterc'), 'readBack: { concurrency: 1 }\n');
  expect(concluded(await readBack('sample', '3', '--seed', 'x'), 'reconcile', 0)['readBack']).toMatchObject({
    read: 3,
    unread: 0,
  });
});

it('accounts that the export does not have, or has as other data, are told as that, and nothing continues', async () => {
  const part = join(space.directory, 'part');
  cpSync(source, part, { recursive: true });
  const accounts = readFileSync(join(part, 'accounts.ndjson'), 'utf8').trim().split('\n');
  const [first = '', ...others] = accounts.slice(2);
  const changed = { ...(JSON.parse(first) as object), transfer_balance: '3.21' };
  writeFileSync(join(part, 'accounts.ndjson'), [JSON.stringify(changed), ...others].join('\n'));
  for (const name of readdirSync(part).filter((one) => one !== 'accounts.ndjson'))
    writeFileSync(
      join(part, name),
      readFileSync(join(part, name), 'utf8').replaceAll(/^.*EXT-00000[12]".*\n/gm, ''),
    );
  const words = ['reconcile', part, '--supplier', supplier, '--read-back', 'all'];
  const { readBack: found } = concluded(await tool([...words, '--json'], space.directory), 'reconcile', 8);
  expect(found).toMatchObject({ read: 9, changed: 1, notInExport: 2, unread: 0, stopped: null });
  const { stdout } = await tool(words, space.directory);
  expect(stdout).toContain('2 accounts not read: not in this export');
  expect(stdout).not.toContain('it continues');
});

it('each difference names account, field and cell, and its consequence is not told beside it', async () => {
  meddle((db) => {
    const numberOf = db
      .prepare<[string], number>(
        'SELECT number FROM account JOIN import_process ON import_process.id = process_id WHERE external = ?',
      )
      .pluck();
    const change = (table: string, account: string, from: string, to: string) =>
      db
        .prepare(
          `UPDATE ${table} SET data = replace(data, ?, ?) WHERE rowid = (SELECT min(rowid) FROM ${table} WHERE account = ?)`,
        )
        .run(from, to, numberOf.get(account));
    change('posted_transaction', 'EXT-000001', '"amount":"', '"amount":"1');
    db.prepare('DELETE FROM note WHERE rowid = (SELECT min(rowid) FROM note WHERE account = ?)').run(
      numberOf.get('EXT-000002'),
    );
    change('payment_instruction', 'EXT-000003', 'EXAMPLE_PAY', 'OTHER');
  });
  const ended = await readBack('all');
  expect(concluded(ended, 'reconcile', 8)).toMatchObject({
    matches: false,
    differences: 3,
    readBack: { read: 12, differ: 3 },
  });
  const told = linesOfType(ended.stdout, 'difference').map(({ account, field, kind, file, line }) =>
    [account, field, kind, file, line].map(String).join(' '),
  );
  expect(told.sort()).toEqual([
    'EXT-000001 transactions.amount amount transactions.ndjson 1',
    'EXT-000002 notes missing notes.ndjson 2',
    'EXT-000003 paymentInstructions.vendor value payment_instructions.ndjson 3',
  ]);
  expect(ended.stdout).not.toContain('OTHER');
});

it('a mutation in a configured query is refused before anything is read', async () => {
  writeFileSync(
    join(space.directory, '.migraterc'),
    "readBack: { queries: { notes: 'mutation { a }' }, values: { notes: { query: notes, at: a } } }\n",
  );
  const { errors } = concluded(await readBack('all'), 'reconcile', 2);
  expect(errors).toEqual([
    'readBack.queries.notes contains a mutation. Reading back only sends queries; remove it.',
  ]);
});
