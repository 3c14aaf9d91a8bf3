import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { linesOfType } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { summaryOf, workspace } from './tool.ts';

const mapping = `version: 1
tables:
  accounts: { file: A.csv, key: ID }
lookups:
  tariffs: { file: codes/tariffs.csv, key: CODE, value: TARIFF }
  kinds: { file: codes/kinds.csv, key: CODE, value: KIND }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  account_type: { column: KIND, lookup: kinds }
  sales_channel: { column: T, lookup: tariffs }
`;

let space: ReturnType<typeof workspace>;
const file = (name: string): string => join(space.directory, name);
const edit = (name: string, from: string | RegExp, to: string): void =>
  writeFileSync(file(name), readFileSync(file(name), 'utf8').replace(from, to));
const migrate = (...args: readonly string[]) =>
  ranHere([...args, '--mapping', 'mapping.yaml'], space.directory);
const words = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** The first problem of an account that changed after its import. */
const changedDetail = (stdout: string): unknown =>
  linesOfType(stdout, 'problem').find(({ code }) => code === 'changed_after_import')?.['detail'];

beforeEach(() => {
  space = workspace();
  for (const directory of ['export', 'codes']) mkdirSync(file(directory));
  const rows = Array.from({ length: 9 }, (_, at) => `A-${at},P,${at < 3 ? 'X' : 'Y'}\n`);
  writeFileSync(file('export/A.csv'), `ID,KIND,T\n${rows.join('')}`);
  writeFileSync(file('codes/tariffs.csv'), 'CODE,TARIFF\nX,DIRECT\nY,BROKER\n');
  writeFileSync(file('codes/kinds.csv'), 'CODE,KIND\nP,DOMESTIC\n');
  writeFileSync(file('mapping.yaml'), mapping);
});
afterEach(() => space.dispose());

it('explain names the row of the code table that gave a value', async () => {
  const { stdout } = await migrate('explain', 'export', 'A-4');
  expect(stdout).toMatch(/sales_channel: BROKER +A\.csv:6:T, by codes\/tariffs\.csv:3:TARIFF/);
  const values = linesOfType((await migrate('explain', 'export', 'A-4', '--json')).stdout, 'value');
  expect(values.find(({ path }) => path === 'account_type')).toMatchObject({
    ...{ file: 'A.csv', line: 6, column: 'KIND' },
    behind: [{ file: 'codes/kinds.csv', line: 2, column: 'KIND' }],
  });
});

it('a value in a code table that does not fit is named with its row', async () => {
  edit('codes/kinds.csv', 'DOMESTIC', 'CASTLE');
  edit('mapping.yaml', 'sales_channel: { column: T', 'unknown_occupier: { column: T');
  const { stdout } = await migrate('validate', 'export');
  expect(words(stdout)).toContain('Correct it at codes/tariffs.csv:2:TARIFF.');
});

it('a changed code table is named as the change, by every run, and never the export', async () => {
  await migrate('run', 'export');
  edit('codes/tariffs.csv', 'X,DIRECT', 'X,BROKER');
  for (const night of [2, 3]) {
    const ran = await migrate('run', 'export', '--json');
    expect(summaryOf(ran.stdout)).toMatchObject({
      accounts: { completed: 6, rejected: 3 },
      changedBy: [{ by: 'codes', files: ['codes/tariffs.csv'], sinceRun: 1, accounts: 3 }],
      changedAccounts: 0,
    });
    // What is left as it was is not told again.
    if (night === 2)
      expect(changedDetail(ran.stdout)).toContain('codes/tariffs.csv changed after the account was imported');
    expect(ran.stdout).not.toMatch(/changed in the export|restore the export/i);
  }
  const { stdout } = await migrate('run', 'export');
  expect(words(stdout)).toContain(
    'codes/tariffs.csv changed since run 1: 3 accounts map differently, and an account that exists is not changed. Restore codes/tariffs.csv, or correct the account on the platform by hand.',
  );
  const said = await Promise.all([
    migrate('status'),
    migrate('reconcile', 'export'),
    migrate('show', 'A-0'),
    migrate('plan', 'export'),
  ]);
  for (const told of said) expect(told.stdout).not.toMatch(/changed in the export|restore the export/i);

  edit('codes/tariffs.csv', 'X,BROKER', 'X,DIRECT');
  expect(summaryOf((await migrate('run', 'export', '--json')).stdout)).toMatchObject({
    accounts: { completed: 9, rejected: 0 },
  });
});

it('what changes in the export, and then in a code table, is not put down to the code table', async () => {
  await migrate('run', 'export');
  edit('export/A.csv', 'A-0,P,X', 'A-0,P,Y');
  const ran = await migrate('run', 'export', '--json');
  expect(summaryOf(ran.stdout)).toMatchObject({ changedBy: [{ by: 'export', accounts: 1 }] });
  expect(changedDetail(ran.stdout)).toContain('changed in the export');
  writeFileSync(file('codes/tariffs.csv'), `${readFileSync(file('codes/tariffs.csv'), 'utf8')}Z,DIRECT\n`);
  const again = await migrate('run', 'export', '--json');
  expect(summaryOf(again.stdout)).not.toHaveProperty('changedBy');
  expect(words((await migrate('run', 'export')).stdout)).toContain(
    'Restore what changed (the export, the mapping or a code table)',
  );
});

it('a changed mapping is named as the change', async () => {
  await migrate('run', 'export');
  edit('mapping.yaml', '{ column: T, lookup: tariffs }', '{ constant: BROKER }');
  const ran = await migrate('run', 'export', '--json');
  expect(summaryOf(ran.stdout)).toMatchObject({ changedBy: [{ by: 'mapping', accounts: 3 }] });
  expect(changedDetail(ran.stdout)).toMatch(/because the mapping, .* changed/);
});

it('an account that was corrected by hand is complete until the code table is restored', async () => {
  await migrate('run', 'export');
  edit('codes/tariffs.csv', 'X,DIRECT', 'X,BROKER');
  await migrate('run', 'export');
  for (const account of ['A-0', 'A-1', 'A-2'])
    await ranHere(['resolve', account, '--as', 'corrected'], space.directory);
  expect(summaryOf((await migrate('run', 'export', '--json')).stdout)).toMatchObject({
    accounts: { completed: 9 },
  });
  edit('codes/tariffs.csv', 'X,BROKER', 'X,DIRECT');
  expect(summaryOf((await migrate('run', 'export', '--json')).stdout)).toMatchObject({
    accounts: { completed: 6, rejected: 3 },
  });
});
