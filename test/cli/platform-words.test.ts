import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { platform, sendJson } from '../client/loopback.ts';
import { concluded, linesOfType } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

const [row = ''] = readFileSync(project('fixtures/interface/accounts.ndjson'), 'utf8').split('\n');
const email = 'ext-000001.1@example.com';

/** A run of one account against a platform that refuses it, and repeats its data. */
async function ranRefused(...settings: string[]): Promise<(...args: string[]) => ReturnType<typeof ranHere>> {
  expect(row).toContain(email);
  writeFileSync(join(space.directory, 'accounts.ndjson'), `${row}\n`);
  writeFileSync(join(space.directory, '.migraterc'), settings.join('\n'));
  const url = await platform((_request, response) =>
    sendJson(response, 400, {
      detail: `Account already has an active instruction: ${email}, ring 020 7946 0958`,
      code: 'invalid',
    }),
  );
  const env = { MIGRATE_BASE_URL: url, MIGRATE_TOKEN: 'token', MIGRATE_TEAM: 'MIGRATIONS' };
  const here = (...args: string[]) => ranHere(args, space.directory, { env });
  concluded(await here('run', 'accounts.ndjson', '--yes', '--json'), 'run', 3);
  return here;
}

const kept = 'Account already has an active instruction: <customers.0.email>, ring <number>';

it('what the platform said in a run is told by show and list, without the data that it repeated', async () => {
  const here = await ranRefused();
  const shown = concluded(await here('show', 'EXT-000001', '--json'), 'show', 0);
  expect(shown['attempts']).toMatchObject([{ step: 'validate', words: kept }]);
  const listed = await here('list', '--json');
  expect(linesOfType(listed.stdout, 'part')).toMatchObject([{ step: 'validate', words: kept }]);
  const story = (await here('show', 'EXT-000001')).stdout.replaceAll(/\s+/g, ' ');
  for (const words of ['active instruction', '<customers.0.email>']) expect(story).toContain(words);
  expect(readFileSync(join(space.directory, '.migrate/journal.db')).includes(email)).toBe(false);
});

it('nothing that the platform said is kept with keepPlatformWords: false', async () => {
  const here = await ranRefused('keepPlatformWords: false');
  const shown = concluded(await here('show', 'EXT-000001', '--json'), 'show', 0);
  expect(shown['attempts']).toMatchObject([{ step: 'validate', status: 400, words: null }]);
  expect((await here('list')).stdout).not.toContain('active instruction');
  expect(readFileSync(join(space.directory, '.migrate/journal.db')).includes('active instruction')).toBe(
    false,
  );
});
