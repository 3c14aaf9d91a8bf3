import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { workspace } from '../cli/tool.ts';
import { nightStates } from './night-states.ts';
import { address } from './recorded-book.ts';
import { kept, screenOf, standing } from './terminal-screen.ts';

const space = workspace();
afterAll(() => space.dispose());

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
