import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ranHere } from '../../cli/own-shell.ts';
import { lines, summaryOf, workspace } from '../../cli/tool.ts';
import { plansOf } from './plans-of.ts';
import { writeOddBook } from './odd-book.ts';

const count = 60;

it('a book whose files name accounts, contracts and meters in different ways is mapped without a problem', async () => {
  const space = workspace();
  onTestFinished(() => space.dispose());
  const { directory } = space;
  const book = writeOddBook(directory, count);
  const { plans, faults } = await plansOf(join(directory, 'export'), join(directory, 'mapping.yaml'));
  expect(faults).toBe(0);
  expect(plans.map(({ key }) => key.account)).toEqual(book.accounts);
  const codes = new Set(plans.flatMap(({ problems }) => problems.map(({ code }) => code)));
  expect([...codes]).toEqual(['value_omitted']);
  const total = (pick: (plan: (typeof plans)[number]) => number): number =>
    plans.reduce((sum, plan) => sum + pick(plan), 0);
  // A third of the accounts has both services: one contract, point and ledger for each.
  const contracts = 80;
  expect(total(({ payload }) => (payload['ledgers'] as unknown[]).length)).toBe(contracts);
  const points = plans.flatMap(({ payload }) =>
    (payload['supply_addresses'] as { supply_points: unknown[] }[]).flatMap(
      (address) => address.supply_points,
    ),
  );
  expect(points).toHaveLength(contracts);
  expect(total(({ ignoredRows }) => ignoredRows)).toBe(contracts);
  expect(total(({ extras }) => extras.notes.flatMap(({ notes }) => notes as unknown[]).length)).toBe(40);
  expect(
    total(
      ({ extras }) => extras.transactions.flatMap(({ transactions }) => transactions as unknown[]).length,
    ),
  ).toBe(6 * contracts);

  const args = ['export', '--mapping', 'mapping.yaml', '--json'];
  const checked = await ranHere(['validate', ...args], directory);
  expect(summaryOf(checked.stdout)).toMatchObject({ exit: 0, accounts: count, invalid: 0 });
  const tested = await ranHere(['mapping', 'test', 'mapping.yaml'], directory);
  expect(tested.stdout).toBe('1 case: 1 passed, 0 failed\n');
});

it('explain names the contract and the meter through which a note was found', async () => {
  const space = workspace();
  onTestFinished(() => space.dispose());
  writeOddBook(space.directory, count);
  const args = ['explain', 'export', '0000001000', '--mapping', 'mapping.yaml', '--json'];
  const first = await ranHere(args, space.directory);
  const value = lines(first.stdout).find(({ path }) => path === 'notes.0.body');
  expect(value).toMatchObject({ file: 'SEGNALAZIONI.csv', column: 'TESTO' });
  expect(value!['behind']).toMatchObject([
    { file: 'PUNTI.csv', column: 'MATRICOLA' },
    { file: 'FORNITURE.csv', column: 'CONTRATTO' },
  ]);
  // Answered from what was kept of the first search.
  expect((await ranHere(args, space.directory)).stdout).toBe(first.stdout);
});
