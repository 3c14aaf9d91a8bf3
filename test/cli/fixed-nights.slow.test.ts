import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded, linesOfType } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
let directory: string;
beforeEach(() => {
  space = workspace();
  ({ directory } = space);
});
afterEach(() => space.dispose());

const accounts = 24;
const path = (...names: string[]): string => join(directory, ...names);
const night = (...args: string[]) => ranHere(['run', ...args, '--json'], directory);
const here = (...args: string[]) => ranHere([...args, '--json'], directory);

/** Puts another value in a cell of the account: that of its balance, if no column is named. */
function edit(
  file: string,
  account: string,
  value: (before: string) => string,
  column = 'transfer_balance',
): void {
  const [header = '', ...rows] = readFileSync(path(file), 'utf8').split('\n');
  const at = header.split(',').indexOf(column);
  const edited = rows.map((row) => {
    const cells = row.split(',');
    return cells[0] === account ? cells.with(at, value(cells[at] ?? '')).join(',') : row;
  });
  expect(edited.join('\n')).not.toBe(rows.join('\n'));
  writeFileSync(path(file), [header, ...edited].join('\n'));
}

it('nights whose rejects are fixed and fed back end with 0, and stay there, in all that speaks of the book', async () => {
  const supplier = 'TENTACLE_ENERGY';
  await generateExport({ directory: path('book'), accounts, seed: 5, shape: 'flat', supplier });
  const broken = ['EXT-000003', 'EXT-000009', 'EXT-000020'] as const;
  const [first, second, third] = broken;
  for (const account of broken) edit('book/accounts.csv', account, (before) => `${before}x`);

  // The first night takes a few; the book is known all the same.
  expect(concluded(await night('book', '--limit', '5'), 'run', 6)['accounts']).toMatchObject({
    total: accounts,
  });
  const limited = concluded(await night('book', '--rejects', 'rejects'), 'run', 3);
  expect(limited).toMatchObject({
    accounts: { total: accounts, completed: accounts - 3, rejected: 3 },
    workLeft: false,
  });

  // Two of the three are fixed, one of them wrongly; the third stays as it was.
  edit('rejects/accounts.csv', first, (before) => before.replace('x', ''));
  edit('rejects/accounts.csv', second, (before) => before.replace('x', 'y'));
  const partly = await night('book', '--with', 'rejects', '--rejects', 'rejects-2');
  expect(concluded(partly, 'run', 3)['accounts']).toMatchObject({ total: accounts, rejected: 2 });
  expect(readFileSync(path('rejects-2/accounts.csv'), 'utf8').match(/invalid_amount at/g)).toHaveLength(2);

  // The rest is fixed, and run by itself.
  for (const account of [second, third])
    edit('rejects-2/accounts.csv', account, (before) => before.replace(/[xy]/, ''));
  expect(concluded(await night('rejects-2'), 'run', 0)['accounts']).toMatchObject({
    total: accounts,
    completed: accounts,
  });

  // The line of the crontab has not changed.
  const told: unknown[] = [];
  for (let again = 0; again < 3; again += 1) {
    const ended = await night('book', '--checksum');
    expect(concluded(ended, 'run', 0)).toMatchObject({
      accounts: { total: accounts, completed: accounts, rejected: 0 },
      requests: 0,
      stopReason: null,
      workLeft: false,
    });
    told.push(linesOfType(ended.stdout, 'problem').map(({ code, account }) => [code, account]));
  }
  expect(told).toEqual([broken.map((account) => ['superseded_by_fix', account]), [], []]);

  const status = concluded(await here('status'), 'status', 0);
  expect(status).toMatchObject({ suppliers: [{ accounts: { total: accounts, completed: accounts } }] });
  for (const proof of [
    ['reconcile'],
    ['reconcile', 'book'],
    ['reconcile', 'book', '--with', 'rejects', '--with', 'rejects-2'],
  ])
    expect(concluded(await here(...proof), 'reconcile', 0)).toMatchObject({ matches: true });
  expect((await ranHere(['report', '--out', 'r.html'], directory)).stdout).toContain(
    `Complete: all of ${accounts} accounts`,
  );
  expect(concluded(await here('numbers', '--out', 'n.csv'), 'numbers', 0)).toMatchObject({
    accounts,
    total: accounts,
  });
});

it('a row that is refused after its account arrived is replaced by its fix, in later nights and in the proof', async () => {
  const supplier = 'TENTACLE_ENERGY';
  await generateExport({ directory: path('book'), accounts: 3, seed: 5, shape: 'flat', supplier });
  concluded(await night('book'), 'run', 0);
  edit('book/accounts.csv', 'EXT-000002', (before) => `${before}x`);
  const refused = concluded(await night('book', '--rejects', 'rejects'), 'run', 3);
  expect(refused).toMatchObject({ refusedData: 1, accounts: { completed: 3 } });
  edit('rejects/accounts.csv', 'EXT-000002', (before) => before.replace('x', ''));
  expect(concluded(await night('book', '--with', 'rejects'), 'run', 0)['requests']).toBe(0);

  const next = await night('book');
  expect(concluded(next, 'run', 0)).not.toHaveProperty('refusedData');
  expect(linesOfType(next.stdout, 'problem')).toMatchObject([{ code: 'superseded_by_fix' }]);
  for (const proof of [
    ['reconcile', 'book'],
    ['reconcile', 'book', '--with', 'rejects'],
  ])
    expect(concluded(await here(...proof), 'reconcile', 0)).toMatchObject({ matches: true });
  // Another change of the row is new data.
  edit('book/accounts.csv', 'EXT-000002', (before) => `${before}y`);
  expect(concluded(await night('book'), 'run', 3)).toMatchObject({ refusedData: 1 });
});

it('the row that a fix replaced stays replaced where other rules would let it pass', async () => {
  const supplier = 'TENTACLE_ENERGY';
  await generateExport({ directory: path('book'), accounts: 4, seed: 5, shape: 'flat', supplier });
  const postcode = 'billing_address.postal_code';
  let sound = '';
  edit('book/accounts.csv', 'EXT-000002', (before) => ((sound = before), 'QQ'), postcode);
  const refused = await night('book', '--rejects', 'rejects');
  expect(concluded(refused, 'run', 3)).toMatchObject({ accounts: { completed: 3, rejected: 1 } });
  edit('rejects/accounts.csv', 'EXT-000002', () => sound, postcode);
  expect(concluded(await night('rejects'), 'run', 0)).toMatchObject({ accounts: { completed: 4 } });

  writeFileSync(path('.migraterc'), 'rules: { invalid_postcode: warning }\n');
  const ended = await night('book', '--checksum');
  expect(concluded(ended, 'run', 0)).toMatchObject({ accounts: { completed: 4 }, requests: 0 });
  expect(linesOfType(ended.stdout, 'problem').map(({ code }) => code)).toContain('superseded_by_fix');
  const planned = concluded(await here('plan', 'book'), 'plan', 0);
  expect(planned['accounts']).toMatchObject({ done: 4 });
});
