import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

const space = workspace();
const { directory } = space;
const path = (name: string): string => join(directory, name);
const outlets = ['told.json', 'night.log', 'night.prom'];

beforeAll(async () => {
  await generateExport({
    directory: path('export'),
    accounts: 2,
    seed: 3,
    shape: 'interface',
    supplier: 'TENTACLE_ENERGY',
  });
  mkdirSync(path('damaged'));
  writeFileSync(path('damaged/journal.db'), 'no journal');
});
beforeEach(() => {
  for (const name of outlets) rmSync(path(name), { force: true });
});
afterAll(() => space.dispose());

const night = (...flags: string[]) =>
  ranHere(['run', ...flags, '--json', '--log', 'night.log', '--metrics-file', 'night.prom'], directory, {
    env: { PATH: process.env['PATH'], MIGRATE_NOTIFY_COMMAND: `cat >${path('told.json')}` },
  });
const told = (): unknown => JSON.parse(readFileSync(path('told.json'), 'utf8'));
const logged = (): unknown =>
  JSON.parse(readFileSync(path('night.log'), 'utf8').trimEnd().split('\n').at(-1) ?? '');
const metrics = (): string => readFileSync(path('night.prom'), 'utf8');

it.each([
  ['a missing export', ['nowhere'], 'nowhere'],
  ['a damaged journal', ['export', '--journal', 'damaged/journal.db'], 'damaged/journal.db'],
  ['a missing list of accounts', ['export', '--accounts', 'nobody.txt'], 'nobody.txt'],
])('%s is told to everybody who would have watched the night', async (_name, flags, named) => {
  const ended = await night(...flags);
  expect(concluded(ended, 'run', 2)).toMatchObject({ stopReason: 'not-begun', workLeft: true });
  expect(told()).toMatchObject({ event: 'failure', exit: 2, stopped: 'not-begun' });
  expect(z.object({ text: z.string() }).parse(told()).text).toContain(named);
  expect(logged()).toMatchObject({ event: 'run not begun', level: 'error', exit: 2, reason: 'not-begun' });
  expect(metrics()).toContain('migrate_run_stopped{reason="not-begun"} 1\n');
  expect(metrics()).toContain('migrate_run_exit_code 2\n');
});

it('a closed window is told too, and is no failure', async () => {
  // Two minutes that are at least ten hours away.
  const hour = (new Date().getUTCHours() + 12) % 24;
  const at = (minute: string): string => `${String(hour).padStart(2, '0')}:${minute}`;
  const ended = await night('export', '--window', `${at('30')}-${at('31')}`, '--time-zone', 'UTC');
  expect(concluded(ended, 'run', 6)).toMatchObject({ stopReason: 'hours', stopped: 'hours', workLeft: true });
  expect(told()).toMatchObject({ event: 'end', exit: 6, stopped: 'hours' });
  expect(logged()).toMatchObject({ event: 'run not begun', level: 'info', reason: 'hours' });
  expect(metrics()).toContain('migrate_run_stopped{reason="hours"} 1\n');
});

it('the age of the last success goes on while nights do not begin, whatever is left of the journal', async () => {
  const lastSuccess = (): number =>
    Number(/^migrate_last_success_timestamp_seconds (\S+)$/m.exec(metrics())?.[1]);
  concluded(await night('export'), 'run', 0);
  const succeeded = lastSuccess();
  expect(succeeded).toBeGreaterThan(0);
  expect(metrics()).toContain('migrate_book_size{supplier="TENTACLE_ENERGY"} 2\n');
  await night('nowhere');
  expect(lastSuccess()).toBe(succeeded);
  expect(metrics()).toContain('migrate_book_accounts{supplier="TENTACLE_ENERGY",state="completed"} 2\n');
  await night('export', '--journal', 'damaged/journal.db');
  expect(lastSuccess()).toBe(succeeded);
});
