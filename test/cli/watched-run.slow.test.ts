import { once } from 'node:events';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded } from './endings.ts';
import { served, start, tool, workspace, type Served } from './tool.ts';

const space = workspace();
const path = (name: string): string => join(space.directory, name);
let platform: Served;

beforeAll(async () => {
  await generateExport({
    directory: path('export'),
    accounts: 4,
    seed: 3,
    shape: 'interface',
    supplier: 'TENTACLE_ENERGY',
  });
  platform = await served(space.directory);
});
afterAll(async () => {
  await platform.stop();
  space.dispose();
});

const live = () => ({
  MIGRATE_BASE_URL: platform.url,
  MIGRATE_API_KEY: platform.apiKey,
  MIGRATE_TEAM: 'MIGRATIONS',
});
const run = (name: string, flags: readonly string[], env: Record<string, string> = {}) =>
  tool(
    ['run', 'export', '--yes', '--json', '--journal', `${name}/journal.db`, ...flags],
    space.directory,
    env,
  );

/** A server that keeps what it is sent. */
async function listener() {
  const heard: { readonly url: string; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('latin1').on('data', (text: string) => (body += text));
    request.on('end', () => {
      heard.push({ url: request.url ?? '', body });
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    close: () => server.close(),
  };
}

it('a log has the whole run, and nothing of a customer or a secret', async () => {
  concluded(await run('log', ['--log', 'logs/run.log', '--log-level', 'debug'], live()), 'run', 0);
  const text = readFileSync(path('logs/run.log'), 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines[0]).toMatchObject({ event: 'run begun', level: 'info', platform: platform.url });
  expect(lines.at(-1)).toMatchObject({ event: 'run ended', exit: 0, accounts: { completed: 4 } });
  expect(new Set(lines.map(({ run }) => run)).size).toBe(1);
  expect(lines.filter(({ event }) => event === 'account')).toHaveLength(4);
  expect(lines.filter(({ event }) => event === 'request').length).toBeGreaterThan(12);
  expect(text).not.toContain(platform.apiKey);
  for (const value of personalValues()) expect(text).not.toContain(value);
  expect(statSync(path('logs')).mode & 0o777).toBe(0o700);
  expect(statSync(path('logs/run.log')).mode & 0o777).toBe(0o600);
});

/** Names, addresses, amounts and notes of the export: every longer text in it that is no account number or date. */
function personalValues(): Set<string> {
  const texts = new Set<string>();
  for (const file of readdirSync(path('export')))
    for (const [, name = '', value = ''] of readFileSync(path(`export/${file}`), 'utf8').matchAll(
      /"(\w+)":"([^"\\]{6,})"/g,
    ))
      if (/name|email|landline|street|body|title|reference|locality/.test(name)) texts.add(value);
  expect(texts.size).toBeGreaterThan(20);
  return texts;
}

it('metrics are served while it runs and written at its end', async () => {
  concluded(await run('metrics', ['--metrics-file', 'migrate.prom', '--metrics-port', '0']), 'run', 0);
  const text = readFileSync(path('migrate.prom'), 'utf8');
  expect(text).toContain('migrate_run_accounts{state="completed"} 4');
  expect(text).toContain('migrate_run_exit_code 0');
  expect(text).toMatch(/migrate_requests_total\{step="process",outcome="(ok|refused)"\} 4/);
  expect(statSync(path('migrate.prom')).mode & 0o777).toBe(0o644);
});

it('metrics can be read over HTTP', async () => {
  const child = start(
    ['run', 'export', '--yes', '--journal', 'http/journal.db', '--metrics-port', '0', '--concurrency', '1'],
    space.directory,
    live(),
  );
  let url = '';
  for await (const text of child.stderr ?? []) {
    url = /http:\S+\/metrics/.exec(String(text))?.[0] ?? '';
    if (url !== '') break;
  }
  const text = await (await fetch(url)).text();
  expect(text).toContain('# TYPE migrate_requests_total counter');
  child.kill('SIGKILL');
  await once(child, 'close');
});

it('a port that is taken is told before anything is sent', async () => {
  const other = await listener();
  const ended = await run('taken', ['--metrics-port', new URL(other.url).port]);
  other.close();
  concluded(ended, 'run', 2);
  expect(ended.stderr).toContain('--metrics-port: cannot listen on port');
});

it('traces and metrics go where the standard environment says', async () => {
  const collector = await listener();
  const ended = await run('traces', [], {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_LOGS_EXPORTER: 'none',
  });
  concluded(ended, 'run', 0);
  collector.close();
  const traces = collector.heard.filter(({ url }) => url === '/v1/traces').map(({ body }) => body);
  expect(traces.join('')).toContain('migrate.step');
  expect(collector.heard.map(({ url }) => url)).toContain('/v1/metrics');
  for (const value of personalValues()) expect(traces.join('')).not.toContain(value);
});

it('a webhook and a command are told of the end, without the address in any output', async () => {
  const hook = await listener();
  const ended = await run('notify', [], {
    MIGRATE_NOTIFY_WEBHOOK: `${hook.url}/secret-path`,
    MIGRATE_NOTIFY_FORM: 'slack',
    MIGRATE_NOTIFY_COMMAND: 'cat > told.json',
  });
  concluded(ended, 'run', 0);
  hook.close();
  expect(hook.heard).toHaveLength(1);
  expect(JSON.parse(hook.heard[0]?.body ?? '')).toEqual({
    text: expect.stringContaining('4 of 4 accounts are complete') as string,
  });
  expect(JSON.parse(readFileSync(path('told.json'), 'utf8'))).toMatchObject({ event: 'end', exit: 0 });
  expect(ended.stdout + ended.stderr).not.toContain('secret-path');
});
