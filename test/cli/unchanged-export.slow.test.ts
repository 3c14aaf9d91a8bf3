import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ranHere } from './own-shell.ts';
import { lines, summaryOf, workspace } from './tool.ts';

const mapping = `version: 1
tables:
  accounts: { file: A.csv, key: ID }
lookups:
  kinds: { file: codes/KINDS.csv, key: CODE, value: KIND }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  account_type: { column: KIND, lookup: kinds }
`;

let space: ReturnType<typeof workspace>;
const file = (name: string): string => join(space.directory, name);
beforeEach(() => {
  space = workspace();
  for (const directory of ['export', 'codes']) mkdirSync(file(directory));
  writeFileSync(file('export/A.csv'), 'ID,KIND\n1,P\n2,P\n3,P\n');
  writeFileSync(file('codes/KINDS.csv'), 'CODE,KIND\nP,DOMESTIC\n');
  writeFileSync(file('mapping.yaml'), mapping);
});
afterEach(() => space.dispose());

const run = ['run', 'export', '--mapping', 'mapping.yaml', '--json'];

/** Runs the whole export once more, after which all of it is there. */
async function again(...more: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout } = await ranHere([...run, ...more], space.directory);
  expect(code).toBe(0);
  const summary = summaryOf(stdout);
  expect(summary['accounts']).toMatchObject({ total: 3, completed: 3 });
  return summary;
}

it('an export that is finished and has not changed is not looked through again', async () => {
  expect(await again()).not.toHaveProperty('unchangedSince');
  expect(await again('--concurrency', '3')).toMatchObject({
    run: 2,
    unchangedSince: 1,
    requests: 0,
    suppliers: ['TENTACLE_ENERGY'],
  });
  expect(await again('--checksum')).toMatchObject({ run: 3, unchangedSince: 1, requests: 0 });

  const told = await ranHere(run.slice(0, -1), space.directory);
  expect(told.stdout.replaceAll(/\s+/g, ' ')).toMatch(/unchanged since run 1/);
  const history = await ranHere(['history', '--json'], space.directory);
  expect(lines(history.stdout).slice(0, 4)).toMatchObject(
    [4, 3, 2, 1].map((number) => ({ run: number, exit: 0, accounts: { completed: 3 } })),
  );
});

it.each([
  ['a file was touched', () => utimesSync(file('export/A.csv'), 1, 1)],
  ['the mapping was written again', () => writeFileSync(file('mapping.yaml'), mapping)],
  ['a code table was touched', () => utimesSync(file('codes/KINDS.csv'), 1, 1)],
])('nor where %s, and all holds the same', async (_what, change) => {
  await again();
  change();
  expect(await again()).toMatchObject({ unchangedSince: 1, requests: 0 });
});

it('nor where the same files lie in another directory', async () => {
  await again();
  cpSync(file('export'), file('tonight'), { recursive: true });
  const { code, stdout } = await ranHere(['run', 'tonight', ...run.slice(2)], space.directory);
  expect(code).toBe(0);
  expect(summaryOf(stdout)).toMatchObject({ unchangedSince: 1, accounts: { completed: 3 } });
});

it.each([
  [
    'a file holds something else of the same size',
    () => writeFileSync(file('export/A.csv'), 'ID,KIND\n1,P\n3,P\n2,P\n'),
  ],
  ['a file has another name', () => renameSync(file('export/B.csv'), file('export/C.csv'))],
  ['a file was added', () => writeFileSync(file('export/more.csv'), 'a\n1\n')],
  ['a setting is another', () => appendFileSync(file('.migraterc'), 'notesPerRequest: 3\n')],
])('it is read where %s', async (_what, change) => {
  writeFileSync(file('export/B.csv'), 'a\n1\n');
  await again();
  change();
  expect(await again()).not.toHaveProperty('unchangedSince');
  expect(await again()).toMatchObject({ unchangedSince: 2 });
});

it('--checksum reads it where a file holds something else and says of itself that it does not', async () => {
  writeFileSync(file('export/A.csv'), 'ID,KIND\n1,P\n2,P\n3,P\n');
  utimesSync(file('export/A.csv'), 1, 1);
  await again();
  writeFileSync(file('export/A.csv'), 'ID,KIND\n1,P\n3,P\n2,P\n');
  utimesSync(file('export/A.csv'), 1, 1);
  expect(await again('--checksum')).not.toHaveProperty('unchangedSince');
});

it('it is read where the mapping calls a module, of which nobody knows what it reads', async () => {
  writeFileSync(file('kinds.mjs'), 'export const kind = () => "DOMESTIC";\n');
  const calls = mapping.replace('{ column: KIND, lookup: kinds }', '{ column: KIND, call: kind }');
  writeFileSync(file('mapping.yaml'), calls.replace('tables:', 'module: ./kinds.mjs\ntables:'));
  await again();
  expect(await again()).not.toHaveProperty('unchangedSince');
});

it('it is read, and sent, where the platform is another', async () => {
  await again();
  rmSync(file('.migrate/platform.db'));
  expect(await again()).toMatchObject({ requests: 9 });
});

it('it is read where something is left to do', async () => {
  const limited = await ranHere([...run, '--limit', '2'], space.directory);
  expect(limited.code).toBe(6);
  expect(await again()).toMatchObject({ requests: 3 });

  appendFileSync(file('export/A.csv'), '4,X\n');
  for (const _time of [1, 2]) {
    const { code, stdout } = await ranHere(run, space.directory);
    expect(code).toBe(3);
    expect(summaryOf(stdout)).not.toHaveProperty('unchangedSince');
  }
  writeFileSync(file('export/A.csv'), readFileSync(file('export/A.csv'), 'utf8').replace('4,X\n', ''));
  await again();
});

it('a dry run, a run of chosen accounts and one that writes problems read it', async () => {
  await again();
  writeFileSync(file('accounts.txt'), '1\n2\n3\n');
  for (const more of [['--problems', 'problems.csv'], ['--dry-run'], ['--accounts', 'accounts.txt']])
    expect(await again(...more)).not.toHaveProperty('unchangedSince');
});
