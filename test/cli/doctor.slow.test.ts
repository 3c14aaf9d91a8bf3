import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { concluded, linesOfType } from './endings.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { served, tool, workspace, type Ended } from './tool.ts';

const space = workspace();
afterAll(() => space.dispose());

/** Each check with what came of it, and the remedy where there is one. */
const findings = ({ stdout }: Ended): Record<string, unknown> =>
  Object.fromEntries(
    linesOfType(stdout, 'finding').map(({ check, state }) => [String(check), state] as const),
  );

const doctor = (env: Record<string, string> = {}) => tool(['doctor', '--json'], space.directory, env);

it('finds nothing to do where nothing is configured', async () => {
  const ended = await doctor();
  concluded(ended, 'doctor', 0);
  expect(findings(ended)).toEqual({
    configuration: 'ok',
    journal: 'ok',
    reachability: 'skipped',
    clock: 'skipped',
    token: 'skipped',
  });
});

it('tells a good key from a wrong one', async () => {
  const platform = await served(space.directory);
  try {
    const env = { MIGRATE_BASE_URL: platform.url, MIGRATE_TEAM: 'MIGRATIONS' };
    const good = await doctor({ ...env, MIGRATE_API_KEY: platform.apiKey });
    concluded(good, 'doctor', 0);
    expect(findings(good)).toMatchObject({ reachability: 'ok', clock: 'ok', token: 'ok' });
    const wrong = await doctor({ ...env, MIGRATE_API_KEY: 'sk_wrong' });
    concluded(wrong, 'doctor', 4);
    expect(findings(wrong)).toMatchObject({ reachability: 'ok', token: 'failed' });
    expect(wrong.stdout).not.toContain('sk_wrong');
    const none = await doctor(env);
    concluded(none, 'doctor', 2);
    expect(none.stdout).toContain('MIGRATE_API_KEY');
  } finally {
    await platform.stop();
  }
});

it('asks as often as a run would before it says that the platform gives no answer', async () => {
  let asked = 0;
  const agents = new Set<string | undefined>();
  const server = createServer((request, response) => {
    request.resume();
    agents.add(request.headers['user-agent']);
    if (request.method === 'HEAD') return void response.end();
    asked += 1;
    response.writeHead(asked === 1 ? 503 : 404, { 'content-type': 'application/json' });
    response.end('{"detail":"Not found."}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const ended = await doctor({
      MIGRATE_BASE_URL: `http://127.0.0.1:${port}`,
      MIGRATE_TEAM: 'MIGRATIONS',
      MIGRATE_TOKEN: 'a-token',
    });
    expect(findings(ended)).toMatchObject({ reachability: 'ok', token: 'ok' });
    expect(asked).toBe(2);
    expect([...agents]).toEqual([expect.stringMatching(/^migrate\/\d+\.\d+\.\d+/)]);
  } finally {
    server.close();
  }
});

it('warns of a file with a secret that others may use', async () => {
  const file = join(space.directory, 'live.key');
  writeFileSync(file, 'sk_of_nobody', { mode: 0o640 });
  const config = join(space.directory, 'keyed.yaml');
  writeFileSync(config, 'apiKeyFile: live.key\n');
  const secrets = async () =>
    linesOfType(
      (await tool(['doctor', '--json', '--config', config], space.directory)).stdout,
      'finding',
    ).filter(({ check }) => check === 'secrets');
  expect(await secrets()).toEqual([
    expect.objectContaining({ state: 'warning', remedy: `chmod 600 ${file}` }),
  ]);
  chmodSync(file, 0o600);
  expect(await secrets()).toEqual([expect.objectContaining({ state: 'ok' })]);
});

it('says that nobody answers, and what that means', async () => {
  const ended = await doctor({ MIGRATE_BASE_URL: 'http://127.0.0.1:9', MIGRATE_TEAM: 'X' });
  concluded(ended, 'doctor', 5);
  expect(linesOfType(ended.stdout, 'finding')).toContainEqual(
    expect.objectContaining({
      check: 'reachability',
      state: 'failed',
      remedy: 'Nothing answers at its address. Check baseUrl and the network.',
    }),
  );
});

it('warns of a clock that differs', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(404, { date: 'Mon, 01 Jan 2024 00:00:00 GMT' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const env = { MIGRATE_BASE_URL: `http://127.0.0.1:${port}`, MIGRATE_TEAM: 'X', MIGRATE_TOKEN: 'T' };
    expect(findings(await doctor(env))).toMatchObject({ clock: 'warning', token: 'ok' });
  } finally {
    server.close();
  }
});

it('names the fault of a configuration, and of a journal', async () => {
  writeFileSync(join(space.directory, 'wrong.yaml'), 'concurency: 4\n');
  const config = await tool(['doctor', '--json', '--config', 'wrong.yaml'], space.directory);
  concluded(config, 'doctor', 2);
  expect(config.stdout).toContain('concurrency');
  writeFileSync(join(space.directory, 'broken.db'), 'not a journal');
  const journal = await tool(['doctor', '--json', '--journal', 'broken.db'], space.directory);
  concluded(journal, 'doctor', 2);
  expect(findings(journal)).toMatchObject({ configuration: 'ok', journal: 'failed' });
});

it('tells which setting would have kept a gateway of the last run from refusing', async () => {
  const platform = 'https://platform.invalid';
  const journalFile = join(space.directory, 'refused.db');
  const journal = openJournal(journalFile, { synchronous: 'NORMAL', create: true });
  const run = await journal.startRun({
    ...{ platform: 'p', platformLabel: platform, dryRun: false, export: 'e', startedAt: Date.now() },
  });
  const answered = { accepted: 900, refused: 40, unclear: 12 };
  await journal.notePace(run, { words: '4 at once (rate)', found: { perSecond: 47.6 }, answered });
  await journal.close();
  const asked = () =>
    tool(['doctor', '--json', '--journal', journalFile], space.directory, {
      ...{ MIGRATE_BASE_URL: platform, MIGRATE_TEAM: 'T', MIGRATE_API_KEY: 'k' },
    });
  const told = await asked();
  expect(findings(told)).toMatchObject({ pace: 'warning' });
  expect(told.stdout).toContain('12 requests with 503');
  expect(told.stdout).toContain('`rate: 47`');
  expect(told.stdout).toContain('notDelivered');
}, 60_000);
