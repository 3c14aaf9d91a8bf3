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
