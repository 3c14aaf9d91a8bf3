import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ranHere } from './own-shell.ts';
import { lines, project, summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

const files = ['accounts', 'notes', 'transactions', 'historical_statements', 'payment_instructions'];

/** The first accounts of the sample; the second one has taken over four values of the first. */
function clashing(): string {
  const directory = join(space.directory, 'export');
  mkdirSync(directory);
  for (const file of files) {
    const records = readFileSync(project(`fixtures/interface/${file}.ndjson`), 'utf8').split('\n');
    const few = records.filter((line) => /"EXT-00000[1-5]"/.test(line)).join('\n');
    writeFileSync(
      join(directory, `${file}.ndjson`),
      few
        .replace('"EXT-000002-T0007"', '"EXT-000001-T0031"')
        .replace('"EXT-000002-S1"', '"EXT-000001-S1"')
        .replace('"card-000002"', '"card-000001"')
        .replace(pointOf(few, 'EXT-000002'), pointOf(few, 'EXT-000001')),
    );
  }
  return directory;
}

function pointOf(records: string, account: string): string {
  const record = records.split('\n').find((line) => line.includes(`"${account}"`)) ?? '';
  return /"identifier":"[^"]*"/.exec(record)?.[0] ?? 'no supply point';
}

const codes = [
  'payment_reference_of_another_account',
  'statement_id_of_another_account',
  'supply_point_of_another_account',
  'transaction_id_of_another_account',
];

function configured(level: string): void {
  const rules = codes.map((code) => `  ${code}: ${level}\n`).join('');
  writeFileSync(join(space.directory, '.migraterc'), `rules:\n${rules}`);
}

function problemsIn(stdout: string): Record<string, unknown>[] {
  return lines(stdout).filter(({ type }) => type === 'problem');
}

it('what two accounts share is a warning at both cells, each naming the other', async () => {
  const ended = await ranHere(['validate', clashing(), '--json'], space.directory);
  expect(ended.code).toBe(0);
  expect(summaryOf(ended.stdout)).toMatchObject({ accounts: 5, valid: 5, problems: 8, warnings: 8 });
  const problems = problemsIn(ended.stdout);
  for (const code of codes) {
    const [first, second, ...more] = problems.filter((problem) => problem['code'] === code);
    expect([first?.['account'], second?.['account'], more]).toEqual(['EXT-000001', 'EXT-000002', []]);
    for (const [mine, theirs] of [
      [first, second],
      [second, first],
    ])
      expect(mine?.['detail']).toContain(['file', 'line', 'column'].map((key) => theirs?.[key]).join(':'));
  }
  expect(problems.find(({ code }) => code === 'statement_id_of_another_account')).toMatchObject({
    file: 'historical_statements.ndjson',
    line: 1,
    column: 'statements.0.statement_id',
  });
});

it('as errors they make both accounts invalid, also where they are looked at alone by supplier', async () => {
  configured('error');
  const args = ['validate', clashing(), '--supplier', 'TENTACLE_ENERGY', '--json'];
  const ended = await ranHere(args, space.directory);
  expect(ended.code).toBe(3);
  expect(summaryOf(ended.stdout)).toMatchObject({ accounts: 5, valid: 3, invalid: 2, warnings: 0 });
});

it('they can be turned off', async () => {
  configured('off');
  const ended = await ranHere(['validate', clashing(), '--json'], space.directory);
  expect(summaryOf(ended.stdout)).toMatchObject({ valid: 5, problems: 0 });
});

it('a run sends neither account where sharing is an error, not even the first', async () => {
  configured('error');
  const ended = await ranHere(['run', clashing(), '--json'], space.directory);
  expect(ended.code).toBe(3);
  expect(summaryOf(ended.stdout)).toMatchObject({ accounts: { total: 5, completed: 3, rejected: 2 } });
  const problems = problemsIn(ended.stdout);
  expect(new Set(problems.map(({ account }) => account))).toEqual(new Set(['EXT-000001', 'EXT-000002']));
});

it('a run tells what accounts share, and sends them, where sharing is a warning', async () => {
  const ended = await ranHere(['run', clashing(), '--json'], space.directory);
  expect(ended.code).toBe(0);
  expect(summaryOf(ended.stdout)).toMatchObject({ accounts: { total: 5, completed: 5 } });
  expect(
    problemsIn(ended.stdout)
      .map(({ severity, account }) => `${String(severity)} ${String(account)}`)
      .toSorted(),
  ).toEqual(['EXT-000001', 'EXT-000002'].flatMap((account) => codes.map(() => `warning ${account}`)));
});
