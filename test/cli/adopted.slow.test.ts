import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { concluded, linesOfType } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { served, workspace, type Served } from './tool.ts';

const space = workspace();
const { directory } = space;
let platform: Served;
let env: Record<string, string>;

/** A platform that has every account of the export, which another journal created. */
beforeAll(async () => {
  platform = await served(directory);
  env = { MIGRATE_BASE_URL: platform.url, MIGRATE_API_KEY: platform.apiKey, MIGRATE_TEAM: 'MIGRATIONS' };
  await here('generate', 'export', '--accounts', '12', '--seed', '5', '--shape', 'flat');
  concluded(await here('run', 'export', '--yes', '--journal', 'first.db', '--json'), 'run', 0);
});
afterAll(async () => {
  await platform.stop();
  space.dispose();
});

const here = (...args: string[]) => ranHere(args, directory, { env });

/** Writes the ruling into each line of the list. */
function ruled(file: string, ruling: string): void {
  const [head = '', ...lines] = readFileSync(join(directory, file), 'utf8').trimEnd().split(/\r?\n/);
  const at = head.split(',').indexOf('ruling');
  const filled = lines.map((line) => {
    // The cells before it have no quotes here.
    const cells = line.split(',');
    return [...cells.slice(0, at), ruling, ...cells.slice(at + 1)].join(',');
  });
  writeFileSync(join(directory, file), [head, ...filled].join('\n'));
}

it('leads from accounts that the platform has already, through the list of what it refused, to their end', async () => {
  const adopted = ['--journal', 'second.db'];
  const run = await here('run', 'export', '--yes', '--adopt', ...adopted);
  expect(run.code).toBe(3);
  const text = run.stdout.replaceAll(/\s+/g, ' ');
  expect(text).toContain('no cell is wrong for that');
  expect(text).not.toContain('correct the cells');
  const morning = concluded(await here('morning', ...adopted, '--json'), 'morning', 3);
  expect(morning).toMatchObject({ reason: 'already-held', who: 'us' });

  const list = ['list', '--state', 'rejected', '--csv', 'rejected.csv', ...adopted, '--json'];
  concluded(await here(...list), 'list', 0);
  expect(readFileSync(join(directory, 'rejected.csv'), 'utf8')).not.toContain(',stage,');
  ruled('rejected.csv', 'done');
  concluded(await here('resolve', '--from', 'rejected.csv', '--yes', ...adopted, '--json'), 'resolve', 0);
  const again = concluded(await here('run', 'export', '--yes', ...adopted, '--json'), 'run', 0);
  expect(again).toMatchObject({ accounts: { total: 12, completed: 12 }, requests: 0 });
  expect(concluded(await here('morning', ...adopted, '--json'), 'morning', 0)).toMatchObject({ good: true });
});

it('leads from accounts of others to their ruling as a list, after which nothing is sent for them', async () => {
  const others = ['--journal', 'third.db'];
  expect((await here('run', 'export', '--yes', ...others, '--json')).code).toBe(3);
  const list = ['list', '--state', 'skipped', '--csv', 'theirs.csv', ...others, '--json'];
  concluded(await here(...list), 'list', 0);
  const remote = await here('list', '--state', 'skipped', '--remote', ...others, '--json');
  expect(linesOfType(remote.stdout, 'part')[0]).toMatchObject({
    account: 'EXT-000001',
    listing: {
      krakenAccountNumber: 'A-00000001',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    },
  });
  const shown = await here('show', 'EXT-000002', '--remote', ...others);
  expect(shown.stdout).toMatch(/Now on the platform: A-00000002, created at \d{4}-/);
  ruled('theirs.csv', 'skip');
  const ruling = await here('resolve', '--from', 'theirs.csv', '--yes', ...others, '--json');
  expect(concluded(ruling, 'resolve', 0)).toMatchObject({ accounts: 12, skip: 12 });
  const again = concluded(await here('run', 'export', '--yes', ...others, '--json'), 'run', 0);
  expect(again).toMatchObject({ accounts: { skipped: 12 } });
});
