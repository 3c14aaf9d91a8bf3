import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project, summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

/** A fault, and how it is fixed, in one cell of one account of each sample. */
const samples = [
  { name: 'interface', file: 'accounts.ndjson', account: 'EXT-000003', good: /"postal_code":"[^"]*"/ },
  { name: 'flat', file: 'accounts.csv', account: 'EXT-000003', good: /,[A-Z]{2},(?=[^\n]*$)/ },
];

const bad: Readonly<Record<string, string>> = { interface: '"postal_code":"?"', flat: ',Nowhere,' };

/** The sample with one account damaged, and the row that has to be put back. */
function damaged({ name, file, account, good }: (typeof samples)[number]): {
  readonly damage: string;
  readonly sound: string;
} {
  const directory = join(space.directory, 'export');
  cpSync(project(`fixtures/${name}`), directory, { recursive: true });
  const text = readFileSync(join(directory, file), 'utf8');
  const row = text.split('\n').find((line) => line.includes(account)) ?? '';
  const sound = good.exec(row)?.[0] ?? '';
  const damage = bad[name] ?? '';
  writeFileSync(join(directory, file), text.replace(row, row.replace(sound, damage)));
  return { damage, sound };
}

it.each(samples)(
  'rejects of the $name sample are an export: fixed and fed back, all is valid',
  async (sample) => {
    const { directory } = space;
    const { damage, sound } = damaged(sample);
    const first = await ranHere(['validate', 'export', '--rejects', 'out', '--json'], directory);
    expect(first.code).toBe(3);
    expect(summaryOf(first.stdout)).toMatchObject({ accounts: 50, invalid: 1 });
    expect(readdirSync(join(directory, 'out'))).toEqual(readdirSync(join(directory, 'export')));

    const again = await ranHere(['validate', 'out', '--rejects', 'out2', '--json'], directory);
    expect(summaryOf(again.stdout)).toMatchObject({ accounts: 1, invalid: 1, problems: 1 });
    const [once, twice] = ['out', 'out2'].map((name) =>
      readFileSync(join(directory, name, sample.file), 'utf8'),
    );
    expect(twice?.length).toBeLessThanOrEqual(once?.length ?? 0);

    const path = join(directory, 'out2', sample.file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(damage, sound));
    const fixed = await ranHere(['run', 'out2', '--rejects', 'out3', '--json'], directory);
    expect(fixed.code).toBe(0);
    expect(summaryOf(fixed.stdout)).toMatchObject({ accounts: { total: 1, completed: 1 } });
    // Nothing was rejected, so there is nothing to be fixed.
    expect(readdirSync(directory)).not.toContain('out3');
  },
);

it('a run copies what it rejects, also what an earlier run has rejected already', async () => {
  const { directory } = space;
  damaged(samples[0]!);
  for (const out of ['first', 'second']) {
    const ended = await ranHere(['run', 'export', '--rejects', out, '--json'], directory);
    expect(ended.code).toBe(3);
    const rows = readFileSync(join(directory, out, 'accounts.ndjson'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(rows).toHaveLength(1);
    expect(JSON.parse(rows[0] ?? '')).toMatchObject({
      external_account_number: 'EXT-000003',
      rejected_because: 'invalid_postcode at accounts.ndjson:3:billing_address.postal_code',
    });
  }
});

it('a run says how many accounts it copies, those that arrived earlier too', async () => {
  const { directory } = space;
  const sample = samples[1]!;
  cpSync(project('fixtures/flat'), join(directory, 'export'), { recursive: true });
  await ranHere(['run', 'export', '--limit', '3'], directory);
  const file = join(directory, 'export', sample.file);
  const text = readFileSync(file, 'utf8');
  const wrong = new Set(['EXT-000001', 'EXT-000003', 'EXT-000050']);
  const rows = text.split('\n').map((row) => {
    return wrong.has(row.split(',')[0] ?? '') ? row.replace(sample.good, bad['flat'] ?? '') : row;
  });
  writeFileSync(file, rows.join('\n'));
  const ran = await ranHere(['run', 'export', '--rejects', 'out'], directory);
  const told = ran.stdout.replaceAll(/\s+/g, ' ');
  expect(told).toContain('The rows of 3 accounts with refused data are in out. Fix them there');
  expect(told).toContain('2 accounts that arrived earlier have data in the export now that is refused.');
  expect(told).not.toContain('fix the problems above');
  const copied = readFileSync(join(directory, 'out', sample.file), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1);
  expect(copied.map((row) => row.split(',')[0])).toEqual([...wrong]);

  // Also where none of them is rejected.
  const others = ['run', 'export', '--rejects', 'more', '--accounts', 'list.txt'];
  writeFileSync(join(directory, 'list.txt'), 'EXT-000001\nEXT-000002\n');
  const again = (await ranHere(others, directory)).stdout.replaceAll(/\s+/g, ' ');
  expect(again).toContain('The rows of 1 account with refused data are in more.');
});

it('validate says where the rows are that it copied, and how to give them back', async () => {
  const faulty = project('fixtures/faulty/export');
  const ended = await ranHere(['validate', faulty, '--rejects', 'fixes'], space.directory);
  expect(ended.stdout).toMatch(/The rows of \d+ accounts with refused data are in fixes\.[^]*--with\s+fixes/);
});

it('rejects are not laid into a directory that has something in it', async () => {
  const { directory } = space;
  writeFileSync(join(directory, 'here'), '');
  const ended = await ranHere(['validate', project('fixtures/flat'), '--rejects', '.'], directory);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('--rejects: . is not empty. Name a new directory');
  const file = await ranHere(['validate', project('fixtures/flat'), '--rejects', 'here'], directory);
  expect(file.stderr).toContain('it is not a directory');
  const old = await ranHere(['validate', project('fixtures/flat'), '--rejects', 'fixes.xls'], directory);
  expect(old.code).toBe(2);
  expect(old.stderr).toContain('Name it with the ending .xlsx.');
});

it('where rejects cannot be laid down, nothing is sent, and nothing is made above it', async () => {
  const { directory } = space;
  // With the name of its draft it is longer than a file system takes.
  const ended = await ranHere(
    ['run', project('fixtures/flat'), '--rejects', 'r'.repeat(250), '--json'],
    directory,
  );
  refused(ended, 'run', 2, 'cannot be written: its name is too long');
  const nested = await ranHere(['run', project('fixtures/flat'), '--rejects', 'a/b/c'], directory);
  expect(nested.code).toBe(0);
  expect(readdirSync(directory)).toEqual(['.migrate']);
});
