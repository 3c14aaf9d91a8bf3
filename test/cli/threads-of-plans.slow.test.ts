import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesOfType } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project, summaryOf, tool, workspace } from './tool.ts';

const faulty = (name: string) => project(`fixtures/faulty/${name}`);

let space: ReturnType<typeof workspace>;
beforeAll(() => void (space = workspace()));
afterAll(() => space.dispose());

/** What a command says in one thread, which is also what it says in two. */
async function same(cwd: string, ...args: readonly string[]) {
  const said = (threads: number) => ranHere([...args, '--threads', String(threads), '--json'], cwd);
  const [one, two] = [await said(1), await said(2)];
  expect({ code: two.code, stdout: two.stdout }).toEqual({ code: one.code, stdout: one.stdout });
  return one;
}

describe('a plan that is made in several threads', () => {
  it.each([
    ['flat CSV', [project('fixtures/flat')]],
    ['records', [project('fixtures/interface')]],
    ['a mapping', [project('fixtures/legacy/export'), '--mapping', project('fixtures/legacy/mapping.yaml')]],
    ['every fault', [faulty('export'), '--skip-unreadable']],
    ["a tenancy's contract", [faulty('records'), '--contract', faulty('contract.yaml')]],
  ])('is what one thread makes: %s', async (_, args) => {
    const { stdout } = await same(space.directory, 'plan', ...args);
    expect(linesOfType(stdout, 'account').length).toBeGreaterThan(0);
  });
});

/** A book of which most accounts arrived, and whose export has changed since; `shape`: of its files. */
async function changedBook(shape: 'interface' | 'flat') {
  const cwd = join(space.directory, shape);
  mkdirSync(cwd);
  await ranHere(['generate', 'export', '--accounts', '60', '--seed', '5', '--shape', shape], cwd);
  const ran = await tool(['run', 'export', '--limit', '50', '--json'], cwd);
  expect(summaryOf(ran.stdout)).toMatchObject({ accounts: { completed: 50 } });
  cpSync(join(cwd, 'export'), join(cwd, 'fix'), { recursive: true });
  const change = (name: string, edit: (lines: string[]) => string[]): void => {
    const path = join(cwd, 'export', name);
    writeFileSync(path, edit(readFileSync(path, 'utf8').split('\n')).join('\n'));
  };
  if (shape === 'flat') {
    change('accounts.csv', (lines) => lines.map((line, at) => (at % 9 === 4 ? line.replace(/-?\d+\.\d\d/, '12.34') : line))); // prettier-ignore
    change('agreements.csv', (lines) => lines.filter((_, at) => at % 11 !== 5));
  } else {
    change('accounts.ndjson', (lines) => lines.map((line, at) => (at % 9 === 4 ? line.replace(/"transfer_balance":"[^"]*"/, '"transfer_balance":"12.34"') : line))); // prettier-ignore
    change('notes.ndjson', (lines) => lines.filter((_, at) => at % 11 !== 5));
  }
  return cwd;
}

describe.each(['interface', 'flat'] as const)('a changed book of the shape %s', (shape) => {
  let cwd: string;
  beforeAll(async () => void (cwd = await changedBook(shape)));

  it('has the same plan, and the same differences with their cells', async () => {
    const plan = await same(cwd, 'plan', 'export');
    const dues = new Set(linesOfType(plan.stdout, 'account').map(({ plan }) => plan));
    expect([...dues]).toEqual(expect.arrayContaining(['new', 'done']));
    writeFileSync(join(cwd, 'some.txt'), 'EXT-000002\nEXT-000057\nEXT-000005\n');
    const some = await same(cwd, 'plan', 'export', '--accounts', 'some.txt');
    const ofSome = linesOfType(plan.stdout, 'account').filter(({ account }) =>
      ['EXT-000002', 'EXT-000005', 'EXT-000057'].includes(String(account)),
    );
    expect(linesOfType(some.stdout, 'account')).toEqual(ofSome);
    const compared = await same(cwd, 'reconcile', 'export');
    expect(compared.stdout).toContain('"column":"transfer_balance"');
    expect(summaryOf(compared.stdout)['differences']).toBeGreaterThan(5);
  });

  it('is the same with fixes, whose accounts replace those of the export', async () => {
    await same(cwd, 'plan', 'export', '--with', 'fix');
    await same(cwd, 'reconcile', 'export', '--with', 'fix');
  });
});

it('a run holds back the accounts that share what rules refuse to share, in any number of threads', async () => {
  const held = async (threads: number) => {
    const cwd = join(space.directory, `shared-${threads}`);
    mkdirSync(cwd);
    await ranHere(['generate', 'export', '--accounts', '40', '--seed', '6'], cwd);
    writeFileSync(join(cwd, '.migraterc'), 'rules:\n  supply_point_of_another_account: error\n');
    const path = join(cwd, 'export/accounts.ndjson');
    const [first = '', second = '', ...others] = readFileSync(path, 'utf8').split('\n');
    const point = /"identifier":"[^"]*"/;
    const shared = second.replace(point, point.exec(first)?.[0] ?? '');
    writeFileSync(path, [first, shared, ...others].join('\n'));
    const plan = await ranHere(['plan', 'export', '--threads', String(threads), '--json'], cwd);
    const run = await tool(['run', 'export', '--threads', String(threads), '--json'], cwd);
    const problems = linesOfType(run.stdout, 'problem').map(({ account, code, cell }) => ({ account, code, cell })); // prettier-ignore
    return { plan: plan.stdout, problems, accounts: summaryOf(run.stdout)['accounts'] };
  };
  const one = await held(1);
  expect(one.accounts).toMatchObject({ completed: 38, rejected: 2 });
  expect(one.plan.match(/"plan":"blocked"/g)).toHaveLength(2);
  expect(await held(2)).toEqual(one);
});
