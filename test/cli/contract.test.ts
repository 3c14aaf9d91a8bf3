import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownContract } from '../contract/tenancy/own-contract.ts';
import { ranHere } from './own-shell.ts';
import { lines, project, summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

/** Three accounts of the sample as the tenancy of the contract would have them. */
function exported(change: (text: string) => string = (text) => text): void {
  mkdirSync(join(space.directory, 'export'));
  writeFileSync(
    join(space.directory, 'contract.yaml'),
    ownContract.replace('maxLength: 12', 'maxLength: 40'),
  );
  const accounts = readFileSync(project('fixtures/interface/accounts.ndjson'), 'utf8')
    .split('\n')
    .slice(1, 4);
  const ours = accounts.map((line) =>
    line.replace('{', '{"brand":"MARSH",').replace(/"sales_channel":"[^"]*"/, '"sales_channel":"PHONE"'),
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
    { code: 'invalid', file: 'accounts.ndjson', line: 1, column: 'brand', severity: 'error' },
    { code: 'invalid_choice', file: 'accounts.ndjson', line: 1, column: 'sales_channel' },
  ]);
});

it('takes the contract from the configuration, and without it knows none of its fields', async () => {
  exported();
  const bare = await ranHere(['validate', 'export', '--json'], space.directory);
  expect(summaryOf(bare.stdout)).toMatchObject({ invalid: 3, byCode: { unknown_field: 3 } });
  writeFileSync(join(space.directory, '.migraterc'), 'contract: contract.yaml\n');
  const configured = await ranHere(['validate', 'export', '--json'], space.directory);
  expect(summaryOf(configured.stdout)).toMatchObject({ valid: 3, problems: 0 });
});

it('does not start with a contract that it cannot use', async () => {
  exported();
  for (const [file, reason] of [
    ['nowhere.yaml', 'cannot be read'],
    ['export/accounts.ndjson', 'neither JSON nor YAML'],
  ] as const) {
    const ended = await ranHere(['run', 'export', '--contract', file], space.directory);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(reason)]);
  }
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
      ended.stderr.match(/warning: The contract .*contract.yaml has a pattern at \S+postal_code/g),
    ).toHaveLength(1);
  }
});
