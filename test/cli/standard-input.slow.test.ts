import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { workbook, zipOf } from '../source/workbook.ts';
import { ranHere } from './own-shell.ts';
import { bin, ended, lines, project, summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
const file = (name: string): string => join(space.directory, name);
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

/** Runs a command with these bytes on its standard input, in two blocks. */
function piped(input: string | Buffer, ...args: string[]) {
  const bytes = Buffer.from(input);
  return ranHere([...args, '--json'], space.directory, {
    // eslint-disable-next-line @typescript-eslint/require-await
    async *standardInput() {
      yield bytes.subarray(0, 7);
      yield bytes.subarray(7);
    },
  });
}

const accounts = readFileSync(project('fixtures/interface/accounts.ndjson'), 'utf8');
const mapping = `version: 1
tables:
  accounts: { file: KUNDEN.csv, key: NR, delimiter: ";" }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  transfer_balance: SALDO
`;

it.each([
  ['records', accounts],
  ['an array', `\ufeff [${accounts.trim().split('\n').join(',\n')}]`],
  ['compressed records', gzipSync(accounts)],
])('%s on standard input are the accounts', async (_what, input) => {
  const { code, stdout } = await piped(input, 'validate', '-');
  expect(code).toBe(0);
  expect(summaryOf(stdout)).toMatchObject({ accounts: 50, valid: 50 });
});

it('rows on standard input are the accounts, named as such', async () => {
  const { code, stdout } = await piped('external_account_number,import_supplier\nA-1\n', 'validate', '-');
  expect(code).toBe(3);
  expect(lines(stdout)[0]).toMatchObject({ code: 'wrong_number_of_cells', file: 'accounts.csv', line: 2 });
});

it('a mapping gives the table its name, whatever it is compressed by', async () => {
  writeFileSync(file('mapping.yaml'), mapping);
  for (const input of ['NR;SALDO\n1;x\n', gzipSync('NR;SALDO\n1;x\n')]) {
    const { stdout } = await piped(input, 'validate', '-', '--mapping', 'mapping.yaml', '--rejects', 'out');
    const [problem] = lines(stdout);
    expect(problem).toMatchObject({ code: 'invalid_amount', line: 2, column: 'SALDO' });
    expect(String(problem?.['file'])).toMatch(/^KUNDEN\.csv(\.gz)?$/);
    expect(readdirSync(file('out'))).toEqual([problem?.['file']]);
    rmSync(file('out'), { recursive: true });
  }
});

it('an archive and a workbook on standard input are read', async () => {
  const names = readdirSync(project('fixtures/flat'));
  const parts = names.map((name) => [name, readFileSync(project(`fixtures/flat/${name}`))] as const);
  const archive = await piped(await zipOf(Object.fromEntries(parts)), 'validate', '-');
  expect(summaryOf(archive.stdout)).toMatchObject({ accounts: 50, valid: 50 });
  writeFileSync(
    file('mapping.yaml'),
    mapping.replace('KUNDEN.csv', 'b.xlsx').replace(', delimiter: ";"', ''),
  );
  const book = workbook({ Kunden: [['NR', 'SALDO'], ['1', 2]] }); // prettier-ignore
  const read = await piped(book, 'explain', '-', '1', '--mapping', 'mapping.yaml');
  expect(read.stdout).toContain('"file":"b.xlsx"');
});

it('a mapping of several files, no input and --snapshot beside it are refused', async () => {
  writeFileSync(
    file('mapping.yaml'),
    mapping.replace('account:', '  notes: { file: N.csv, key: NR }\naccount:'),
  );
  const several = await piped('NR;SALDO\n', 'validate', '-', '--mapping', 'mapping.yaml');
  expect([several.code, summaryOf(several.stdout)['errors']]).toEqual([
    2,
    [expect.stringContaining('reads 2 files (KUNDEN.csv, N.csv), but standard input (-) is one')],
  ]);
  const none = await piped('', 'validate', '-');
  expect([none.code, summaryOf(none.stdout)['errors']]).toEqual([
    2,
    [expect.stringContaining('Standard input (-) is empty')],
  ]);
  expect((await piped(accounts, 'validate', '-', '--snapshot', 'x')).code).toBe(2);
});

it('a run of a table is resumed, planned, explained and proved, and not repeated', async () => {
  expect((await piped(accounts, 'run', '-', '--limit', '10')).code).toBe(6);
  const plan = await piped(accounts, 'plan', '-');
  expect(summaryOf(plan.stdout)).toMatchObject({ accounts: { done: 10, new: 40 } });
  const all = await piped(accounts, 'run', '-');
  expect(all.code).toBe(0);
  expect(summaryOf(all.stdout)).toMatchObject({ accounts: { total: 50, completed: 50 } });
  expect(summaryOf((await piped(accounts, 'run', '-')).stdout)).toMatchObject({ unchangedSince: 2 });
  const explained = await piped(accounts, 'explain', '-', 'EXT-000003');
  expect(explained.stdout).toContain('"file":"accounts.ndjson"');
  const proof = await piped(accounts, 'reconcile', '-', '--supplier', 'TENTACLE_ENERGY');
  expect(summaryOf(proof.stdout)).toMatchObject({ differences: 0 });
  const history = await ranHere(['history', '--json'], space.directory);
  expect(lines(history.stdout)[0]).toMatchObject({ export: '-' });

  // What a later input does not have any more is no longer in the export.
  const fewer = accounts.slice(accounts.indexOf('\n') + 1);
  const less = await piped(fewer, 'plan', '-');
  expect(summaryOf(less.stdout)).toMatchObject({ accounts: { done: 49 }, absent: 1 });
});

it('what is piped into the program is kept for its owner, until it ends', async () => {
  mkdirSync(file('tmp'));
  const child = spawn(process.execPath, [bin, 'validate', '-', '--json'], {
    cwd: space.directory,
    env: { PATH: process.env['PATH'], TMPDIR: file('tmp') },
  });
  child.stdin.write(accounts.slice(0, 1000));
  let kept: string | undefined;
  while (kept === undefined) {
    [kept] = readdirSync(file('tmp'));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(statSync(file(`tmp/${kept}`)).mode & 0o777).toBe(0o700);
  child.stdin.end(accounts.slice(1000));
  const { code, stdout } = await ended(child);
  expect([code, summaryOf(stdout)['valid']]).toEqual([0, 50]);
  expect(readdirSync(file('tmp'))).toEqual([]);
});

it('an interrupt ends the program while it waits for input', async () => {
  mkdirSync(file('tmp'));
  const child = spawn(process.execPath, [bin, 'validate', '-', '--json'], {
    cwd: space.directory,
    env: { PATH: process.env['PATH'], TMPDIR: file('tmp') },
  });
  while (readdirSync(file('tmp')).length === 0) await new Promise((resolve) => setImmediate(resolve));
  child.kill('SIGINT');
  const { code, stdout } = await ended(child);
  expect(code).toBe(6);
  expect(JSON.stringify(summaryOf(stdout)['errors'])).toContain('Interrupted while standard input was read');
  expect(readdirSync(file('tmp'))).toEqual([]);
});
