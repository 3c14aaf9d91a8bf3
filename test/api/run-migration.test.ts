import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { existsSync, writeFileSync } from 'node:fs';
import {
  CannotStart,
  runMigration,
  validateExport,
  type MigrationEvent,
  type MigrationOptions,
} from '../../src/api/index.ts';
import { project, served, workspace, type Served } from '../cli/tool.ts';

const interfaceExport = project('fixtures/interface');

const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function place(): string {
  const own = workspace();
  ends.push(() => own.dispose());
  return own.directory;
}

async function platform(): Promise<Served> {
  const running = await served(place(), '--port', '0');
  ends.push(() => running.stop());
  return running;
}

/** A run against a platform that is there, with few accounts side by side. */
function against({ url, apiKey }: Served, cwd: string): MigrationOptions {
  return {
    export: interfaceExport,
    cwd,
    env: { MIGRATE_API_KEY: apiKey },
    settings: { baseUrl: url, team: 'MIGRATIONS', concurrency: 4 },
  };
}

async function refusal(options: MigrationOptions): Promise<CannotStart> {
  const error: unknown = await runMigration(options).catch((thrown: unknown) => thrown);
  if (!(error instanceof CannotStart)) throw new Error('it began');
  return error;
}

test('several runs go on in one process, each with its own journal, and print nothing', async () => {
  const stdout = vi.spyOn(process.stdout, 'write');
  const stderr = vi.spyOn(process.stderr, 'write');
  const events: MigrationEvent[][] = [[], []];
  const endings = await Promise.all(
    events.map((heard) =>
      runMigration({ export: interfaceExport, cwd: place(), onEvent: (event) => void heard.push(event) }),
    ),
  );
  expect(stdout).not.toHaveBeenCalled();
  expect(stderr).not.toHaveBeenCalled();
  vi.restoreAllMocks();
  for (const [at, ending] of endings.entries()) {
    expect(ending).toMatchObject({ run: 1, exit: 0, platform: 'embedded', suppliers: ['TENTACLE_ENERGY'] });
    expect(ending.accounts).toMatchObject({ completed: 50, total: 50 });
    const heard = events[at] ?? [];
    expect(heard.filter(({ type }) => type === 'account')).toHaveLength(50);
    expect(heard.filter(({ type }) => type === 'request')).toHaveLength(ending.requests);
    expect(heard.at(-1)).toEqual({ type: 'ended', ending });
    expect(heard.findLast(({ type }) => type === 'progress')).toEqual({
      type: 'progress',
      of: 'account',
      done: 50,
      total: 50,
    });
  }
});

test('a run that is aborted finishes what is in flight, and the next one does the rest', async () => {
  const cwd = place();
  const here = against(await platform(), cwd);
  const stop = new AbortController();
  const stopped = await runMigration({
    ...here,
    signal: stop.signal,
    onEvent: ({ type }) => {
      if (type === 'account') stop.abort();
    },
  });
  expect(stopped).toMatchObject({ exit: 6, stopped: { reason: 'interrupt' } });
  expect(stopped.accounts.completed).toBeGreaterThan(0);
  expect(stopped.accounts.completed).toBeLessThan(50);
  expect(stopped.accounts.total).toBe(50);

  const rest = await runMigration(here);
  expect(rest).toMatchObject({ run: 2, exit: 0 });
  expect(rest.accounts.completed).toBe(50);
  const again = await runMigration({ ...here, signal: stop.signal, accounts: [] }).catch(
    (error: unknown) => error,
  );
  expect(again).toMatchObject({ name: 'CannotStart', exit: 6 });
});

test('two runs of one supplier on one journal exclude one another', async () => {
  const cwd = place();
  const here = against(await platform(), cwd);
  let second: Promise<{ exit: number }> | undefined;
  const first = await runMigration({
    ...here,
    onEvent: ({ type }) => void (type === 'account' && (second ??= runMigration(here))),
  });
  expect((await second)?.exit).toBe(7);
  expect(first.exit).toBe(0);
});

test("what a listener throws ends the run in good order, and is the caller's to see", async () => {
  const cwd = place();
  const here = against(await platform(), cwd);
  const fault = new Error('no room for more');
  await expect(
    runMigration({
      ...here,
      onEvent: ({ type }) => {
        if (type === 'account') throw fault;
      },
    }),
  ).rejects.toBe(fault);
  const rest = await runMigration(here);
  expect(rest).toMatchObject({ run: 2, exit: 0 });
});

test('nothing is read that was not named: no .migraterc, no environment', async () => {
  const cwd = place();
  writeFileSync(join(cwd, '.migraterc'), 'concurrency: none\n');
  vi.stubEnv('MIGRATE_CONCURRENCY', 'none');
  const options: MigrationOptions = { export: interfaceExport, cwd, limit: 1 };
  expect((await runMigration(options)).exit).toBe(6);
  vi.unstubAllEnvs();

  const named = await refusal({ ...options, configFile: '.migraterc', env: { MIGRATE_RATE: 'none' } });
  expect(named.exit).toBe(2);
  expect(named.lines).toEqual([
    `${join(cwd, '.migraterc')}:1: concurrency must be a whole number from 1 to 1,000.`,
    'MIGRATE_RATE: must be a whole number from 1 to 100,000.',
  ]);
});

test('a run that cannot begin says why, as the command line does', async () => {
  const cwd = place();
  const wrong: object = { concurency: 4, supplier: undefined };
  const setting = await refusal({ export: interfaceExport, cwd, settings: wrong });
  expect(setting.message).toBe('settings.concurency: unknown key "concurency". Did you mean "concurrency"?');
  const missing = await refusal({ export: 'nowhere', cwd });
  expect(missing).toMatchObject({ exit: 2 });
  expect(missing.message).toContain('nowhere');
  const inTwoHours = new Date(Date.now() + 2 * 3_600_000).toISOString().slice(11, 16);
  const inThree = new Date(Date.now() + 3 * 3_600_000).toISOString().slice(11, 16);
  const early = await refusal({
    export: interfaceExport,
    cwd,
    settings: { window: `${inTwoHours}-${inThree}`, timeZone: 'UTC' },
  });
  expect(early).toMatchObject({ exit: 6 });
  writeFileSync(join(cwd, 'journal.db'), 'no database');
  const damaged = await refusal({ export: interfaceExport, cwd, settings: { journal: 'journal.db' } });
  expect(damaged).toMatchObject({ exit: 2 });
  expect(damaged.message).toContain('journal.db');
});

test.each([
  ['an unknown option', { dryrun: true }, 'There is no option `dryrun`. Did you mean dryRun?'],
  ['a limit below one', { limit: -3 }, 'The option `limit` must be a whole number of at least 1.'],
  ['a limit as a text', { limit: '3' }, 'The option `limit` must be a whole number of at least 1.'],
  ['a flag as a text', { dryRun: 'false' }, 'The option `dryRun` must be true or false.'],
  ['an unknown step', { steps: ['valdate'] }, 'There is no step `valdate`. Did you mean validate?'],
  ['one text as steps', { steps: 'validate' }, 'The option `steps` must be a list'],
  ['no step', { steps: [] }, 'The option `steps` names no step.'],
  ['accounts as numbers', { accounts: [17] }, 'The option `accounts` must have texts'],
  ['failures below one', { maxFailures: { count: 0 } }, 'The option `maxFailures` must be'],
  ['failures of both kinds', { maxFailures: { count: 1, percent: 2 } }, 'The option `maxFailures` must be'],
  ['a signal that is none', { signal: {} }, 'The option `signal` must be an AbortSignal.'],
])('%s is an error before anything is read, from a program without types too', async (_what, wrong, said) => {
  const cwd = place();
  const options = { export: interfaceExport, cwd, ...wrong } as unknown as MigrationOptions;
  const error = await refusal(options);
  expect(error).toMatchObject({ code: 'invalid_option', exit: 2 });
  expect(error.message).toContain(said);
  expect(existsSync(join(cwd, '.migrate'))).toBe(false);
});

test('options without a value are as if they were not there, and those of the check of an export are checked', async () => {
  const error: unknown = await validateExport({ expert: './x' } as unknown as MigrationOptions).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'invalid_option' });
  expect(String(error)).toContain('Did you mean export?');
  const given = { export: interfaceExport, with: undefined } as unknown as MigrationOptions;
  expect(await validateExport(given)).toMatchObject({ exit: 0 });
});

test('texts of an error speak of settings, not of flags', async () => {
  const { url, apiKey } = await platform();
  const cwd = place();
  const error = await refusal({
    ...against({ url, apiKey } as Served, cwd),
    settings: { baseUrl: url },
  });
  expect(error.code).toBe('cannot_start');
  expect(error.message).toContain('the setting `team`');
  expect(error.message).not.toContain('--team');
});
