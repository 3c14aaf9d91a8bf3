import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
