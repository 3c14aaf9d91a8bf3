import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { served, summaryOf, workspace, type Served } from './tool.ts';

const space = workspace();
const { directory } = space;
let platform: Served;

beforeAll(async () => {
  await generateExport({
    directory: `${directory}/export`,
    accounts: 4,
    seed: 3,
    shape: 'interface',
    supplier: 'TENTACLE_ENERGY',
  });
  platform = await served(directory);
});
afterAll(async () => {
  await platform.stop();
  space.dispose();
});

const told = (journal: string, ...flags: string[]) =>
  ranHere(['run', 'export', '--yes', '--journal', `${journal}.db`, ...flags], directory, {
    env: {
      PATH: process.env['PATH'],
      MIGRATE_BASE_URL: platform.url,
      MIGRATE_API_KEY: platform.apiKey,
      MIGRATE_TEAM: 'MIGRATIONS',
    },
  });
const run = (journal: string, ...flags: string[]) => told(journal, '--json', ...flags);

it('the summary says why a run stopped and whether work is left', async () => {
  expect(concluded(await run('first', '--limit', '1'), 'run', 6)).toMatchObject({
    stopReason: 'limit',
    workLeft: true,
  });
  const whole = concluded(await run('first'), 'run', 0);
  expect(whole).toMatchObject({ stopReason: null, workLeft: false });
  expect(Number.isInteger(whole['durationMs'])).toBe(true);
});

it('one ruling for a list of accounts of others ends it: the run ends with 0, tomorrow too, and nothing is unread', async () => {
  const book = ['--journal', 'theirs.db'];
  await run('theirs');
  const journal = (...args: string[]) => ranHere([...args, ...book], directory, { env: {} });
  const list = join(directory, 'theirs.csv');
  await journal('list', '--state', 'skipped', '--csv', list);
  const [header = '', ...rows] = readFileSync(list, 'utf8').trim().split(/\r?\n/);
  const at = header.split(',').indexOf('ruling');
  const ruled = rows.map((row) => row.split(',').toSpliced(at, 1, 'skip').join(','));
  writeFileSync(list, [header, ...ruled].join('\n'));
  expect(concluded(await journal('resolve', '--from', list, '--yes', '--json'), 'resolve', 0)).toMatchObject({
    accounts: 4,
    skip: 4,
  });
  for (const night of [1, 2])
    expect(concluded(await run('theirs'), 'run', 0), `night ${night}`).toMatchObject({
      accounts: { skipped: 4 },
      notOurs: 4,
    });
  expect(concluded(await journal('morning', '--json'), 'morning', 0)).toMatchObject({ good: true });
  const numbers = await journal('numbers', '--out', join(directory, 'n.csv'));
  expect(numbers.stdout).toContain('4 skipped, which the platform has and this journal did not create');
});

it('a list of accounts can be ruled on by name too, and says what it leaves', async () => {
  await run('named');
  const file = join(directory, 'named.txt');
  const book = readFileSync(join(directory, 'export/accounts.ndjson'), 'utf8').trim().split('\n');
  const numbers = book.map((line) => (JSON.parse(line) as Record<string, string>)['external_account_number']);
  writeFileSync(file, numbers.join('\n'));
  const rule = (journal: string) =>
    ranHere(
      [
        'resolve',
        '--accounts',
        file,
        '--step',
        'process',
        '--as',
        'skip',
        '--json',
        '--journal',
        `${journal}.db`,
      ],
      directory,
      { env: {} },
    );
  expect(concluded(await rule('named'), 'resolve', 0)).toMatchObject({ accounts: 4, left: 0 });
  const ours = await rule('first');
  expect(concluded(ours, 'resolve', 2)).toMatchObject({ accounts: 0, left: 4 });
  expect(ours.stderr).toContain('4 accounts of the list are left as before');
});

it('a run that skipped accounts as not ours does not end with 0, today or tomorrow, until they are adopted', async () => {
  for (const night of [1, 2])
    expect(concluded(await run('fresh'), 'run', 3), `night ${night}`).toMatchObject({
      accounts: { skipped: 4 },
      stopReason: null,
      workLeft: false,
    });
  expect((await told('fresh')).stdout).toMatch(
    /4 skipped: the platform has them.*--adopt continues with them/s,
  );
  const adopted = await run('fresh', '--adopt');
  expect(summaryOf(adopted.stdout)).toMatchObject({ accounts: { skipped: 0 } });
});

it('the last line of the progress counts no account that the run has given back', async () => {
  const { stderr } = await told('given-back', '--limit', '1');
  expect(stderr).toMatch(/^1 of 4 accounts in /m);
});
