import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { concluded, refused } from './endings.ts';
import { linesOfType } from './endings.ts';
import { project, tool, workspace } from './tool.ts';

const space = workspace();
afterAll(() => space.dispose());
let stdout = '';

beforeAll(async () => {
  const run = await tool(['run', project('fixtures/flat'), '--limit', '3', '--json'], space.directory);
  expect(run.code).toBe(6);
  ({ stdout } = run);
});

it('gives the old and the new number of every account that was created, and of no other', async () => {
  const ended = await tool(['numbers', '--out', 'numbers.csv', '--json'], space.directory);
  const created = linesOfType(stdout, 'account').map(
    ({ account, krakenAccountNumber }) => `TENTACLE_ENERGY,${String(account)},${String(krakenAccountNumber)}`,
  );
  expect(created).toHaveLength(3);
  expect(concluded(ended, 'numbers', 0)).toMatchObject({ accounts: 3, out: 'numbers.csv' });
  const file = join(space.directory, 'numbers.csv');
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toEqual([
    'import_supplier,external_account_number,kraken_account_number',
    ...created.toSorted(),
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('writes an empty list for a supplier without accounts, and none where it cannot', async () => {
  const none = await tool(['numbers', '--supplier', 'OTHER', '--out', 'none.csv', '--json'], space.directory);
  expect(concluded(none, 'numbers', 0)).toMatchObject({ accounts: 0 });
  const nowhere = await tool(['numbers', '--out', 'no/where.csv', '--json'], space.directory);
  refused(nowhere, 'numbers', 2, 'its directory does not exist');
});

it('calls no two accounts with one number fine, until a run has settled whose it is', async () => {
  const file = join(space.directory, '.migrate/journal.db');
  const journal = openJournal(file, { synchronous: 'NORMAL', create: false });
  const [book] = await journal.overview();
  const created = [];
  for await (const entry of journal.accounts(book?.platform ?? '', 'TENTACLE_ENERGY'))
    if (entry.krakenAccountNumber !== undefined) created.push(entry);
  const [first, second] = created;
  await journal.change(second?.id ?? 0, { krakenAccountNumber: first?.krakenAccountNumber ?? '' });
  await journal.close();

  const numbers = await tool(['numbers', '--out', 'shared.csv', '--json'], space.directory);
  expect(concluded(numbers, 'numbers', 8)).toMatchObject({ accounts: 1, leftOut: 2 });
  expect(readFileSync(join(space.directory, 'shared.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(2);
  const check = await tool(['journal', 'check', '--json'], space.directory);
  expect(concluded(check, 'journal', 8)).toMatchObject({ byCode: { number_of_another_account: 2 } });
  const reconciled = await tool(['reconcile', '--json'], space.directory);
  expect(reconciled.code).toBe(8);
  expect(reconciled.stdout).toContain('"number_of_another_account"');

  await tool(['run', project('fixtures/flat')], space.directory);
  const settled = await tool(['numbers', '--out', 'settled.csv', '--json'], space.directory);
  expect(concluded(settled, 'numbers', 0)).toMatchObject({ leftOut: 0 });
  expect(readFileSync(join(space.directory, 'settled.csv'), 'utf8')).toContain(
    `TENTACLE_ENERGY,${second?.key.account},${second?.krakenAccountNumber}\n`,
  );
});
