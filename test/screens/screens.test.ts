import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { project, served, tool, workspace, type Served } from '../cli/tool.ts';
import { nightStates } from './night-states.ts';
import { address } from './recorded-book.ts';
import { masked, screenOf, standing } from './terminal-screen.ts';

/*
 * What people see in a terminal of 80 and of 120 columns, in files beside this one. After a change that is meant, write them anew and
 * read them: npx vitest run --project quick test/screens -u
 */

const space = workspace();
afterAll(() => space.dispose());
const kept = (name: string, columns: number) => `golden/${name}.${columns}.txt`;

describe.each(Object.entries(nightStates))('a book that is %s', (name, { now, commands, record }) => {
  const directory = join(space.directory, name);
  beforeAll(() => record(directory));

  it.each([80, 120])('in %i columns', async (columns) => {
    const screens: string[] = [];
    for (const args of commands)
      screens.push(
        await screenOf(args, {
          directory,
          columns,
          env: { MIGRATE_BASE_URL: address },
          clock: standing(now),
        }),
      );
    await expect(`${screens.join('\n\n')}\n`).toMatchFileSnapshot(kept(name, columns));
  });
});

describe('on a platform', () => {
  let platform: Served;
  beforeAll(async () => {
    platform = await served(space.directory);
    await tool(['generate', 'book', '--accounts', '60', '--seed', '7'], space.directory);
    await tool(['generate', 'paused', '--accounts', '3', '--supplier', 'PAUSED_ENERGY'], space.directory);
    cpSync(project('fixtures/faulty/export'), join(space.directory, 'faulty'), { recursive: true });
  });
  afterAll(() => platform.stop());

  it.each([
    ['first-run', [['status'], ['plan', 'book'], ['run', 'book', '--yes'], ['status'], ['morning']]],
    [
      'nothing-to-do',
      [['run', 'book', '--yes', '--quiet'], ['run', 'book', '--yes'], ['plan', 'book'], ['list']],
    ],
    ['refused-data', [['run', 'faulty', '--yes', '--skip-unreadable']]],
    ['not-ongoing', [['run', 'paused', '--yes']]],
    [
      'wrong-options',
      [
        ['run'],
        ['run', 'book', '--rat', '5'],
        ['run', 'book', '--rate', 'x'],
        ['list', '--state', 'rejcted'],
        ['list', '--code', 'invalid_postcod'],
        ['list', '--step', 'note'],
        ['lst'],
      ],
    ],
  ] as const)('%s', async (name, commands) => {
    const env = {
      MIGRATE_BASE_URL: platform.url,
      MIGRATE_API_KEY: platform.apiKey,
      MIGRATE_TEAM: 'MIGRATIONS',
    };
    for (const columns of [80, 120]) {
      const directory = join(space.directory, `${name}-${columns}`);
      mkdirSync(directory);
      for (const book of ['book', 'paused', 'faulty'])
        cpSync(join(space.directory, book), join(directory, book), { recursive: true });
      const screens: string[] = [];
      for (const args of commands)
        screens.push(masked(await screenOf(args, { directory, columns, env }), directory));
      await expect(`${screens.join('\n\n')}\n`).toMatchFileSnapshot(kept(name, columns));
    }
  });
});
