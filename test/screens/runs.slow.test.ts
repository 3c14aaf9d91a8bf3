import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bin, project, tool, workspace } from '../cli/tool.ts';
import { seen } from '../report/fixture.ts';
import { kept } from './terminal-screen.ts';

const space = workspace();
afterAll(() => space.dispose());

/** From util-linux: runs a command in a pseudo terminal. */
const script = '/usr/bin/script';

/** The bytes that the binary writes on a terminal that is so wide, and its exit code. */
async function onTerminal(
  args: readonly string[],
  { directory, columns, term = 'xterm' }: { directory: string; columns: number; term?: string },
): Promise<{ readonly text: string; readonly code: number }> {
  const line = ['exec', process.execPath, bin, ...args].map((word) => `'${word}'`).join(' ');
  const command = `stty cols ${columns} rows 50; ${line}`;
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: '/nonexistent',
    TERM: term,
    NO_COLOR: '1',
    MIGRATE_TIME_ZONE: 'UTC',
  };
  const { stdout, code } = await promisify(execFile)(script, ['-qec', command, '/dev/null'], {
    cwd: directory,
    env,
  }).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    (error: unknown) => z.object({ stdout: z.string(), code: z.number() }).parse(error),
  );
  return { text: stdout, code };
}

/** What differs from run to run, in something of the same form. */
function masked(screen: string, directory: string): string {
  return screen
    .replaceAll(directory, '/srv/migration')
    .replaceAll(/ in \d+(?:\.\d+)?(?:ms|s|m \d+s)(?=[.,;]|$)/gm, ' in 1.5s')
    .replaceAll(/\[=+\]/g, '[====]')
    .replaceAll(/\d+(?:\.\d+)?\/s/g, '10/s')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '2026-07-01 20:00:00');
}

/** Lines are folded alike in directories whose names are as long. */
function directoryOf(name: string): string {
  const directory = join(
    space.directory,
    name.padEnd(Math.max(name.length, 80 - space.directory.length), '-'),
  );
  mkdirSync(directory);
  return directory;
}

describe.skipIf(!existsSync(script))('the binary in a terminal (needs script)', () => {
  beforeAll(async () => {
    await tool(['generate', 'book', '--accounts', '40', '--seed', '7'], space.directory);
    await tool(['generate', 'paused', '--accounts', '5', '--supplier', 'PAUSED_ENERGY'], space.directory);
    cpSync(project('fixtures/faulty/export'), join(space.directory, 'faulty'), { recursive: true });
  });

  it.each([
    ['first-run', [['status'], ['plan', 'book'], ['run', 'book'], ['status'], ['morning']]],
    ['nothing-to-do', [['run', 'book', '--quiet'], ['run', 'book'], ['plan', 'book'], ['list']]],
    [
      'refused-data',
      [
        ['run', 'faulty', '--skip-unreadable'],
        ['list', '--limit', '6'],
        ['list', '--code', 'invalid_postcod'],
      ],
    ],
    ['not-ongoing', [['run', 'paused'], ['status']]],
    [
      'wrong-options',
      [
        ['run'],
        ['run', 'book', '--rat', '5'],
        ['run', 'book', '--rate', 'x'],
        ['run', 'book', '--limit', 'many'],
        ['list', '--state', 'rejcted'],
        ['list', '--step', 'note'],
        ['lst'],
      ],
    ],
  ] as const)('%s', async (name, commands) => {
    for (const columns of [80, 120]) {
      const directory = directoryOf(`${name}-${columns}`);
      for (const book of ['book', 'paused', 'faulty'])
        cpSync(join(space.directory, book), join(directory, book), { recursive: true });
      const screens: string[] = [];
      for (const args of commands) {
        const { text, code } = await onTerminal(args, { directory, columns });
        const lines = seen(text).map((line) => line.trimEnd());
        screens.push(
          [`$ migrate ${args.join(' ')}`, lines.join('\n').trimEnd(), `[exit ${code}]`].join('\n'),
        );
      }
      const all = masked(`${screens.join('\n\n')}\n`, directory);
      await expect(all).toMatchFileSnapshot(kept(name, columns));
    }
  });

  it('a terminal that knows no cursor gets no sequence of one', async () => {
    const directory = directoryOf('dumb');
    cpSync(join(space.directory, 'book'), join(directory, 'book'), { recursive: true });
    for (const args of [['run', 'book'], ['status'], ['list']]) {
      const { text } = await onTerminal(args, { directory, columns: 80, term: 'dumb' });
      expect(text).not.toContain('\u001b');
      expect(text.replaceAll('\r\n', '')).not.toContain('\r');
    }
  });
});
