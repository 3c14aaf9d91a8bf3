import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded, linesOfType, refused } from './endings.ts';
import { served, tool, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeAll(async () => {
  space = workspace();
  const directory = join(space.directory, 'export');
  await generateExport({ directory, accounts: 3, seed: 5, shape: 'interface', supplier: 'TENTACLE_ENERGY' });
});
afterAll(() => space.dispose());

const open: Server[] = [];
afterEach(() => open.splice(0).forEach((server) => server.close()));

async function portOf(server: Server): Promise<number> {
  open.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** A web server that answers everything with a page. */
const answering = (status: number): Promise<number> =>
  portOf(
    createHttpServer((request, response) => {
      request.resume();
      response.writeHead(status, { 'content-type': 'text/html', location: 'https://login.example.com/' });
      response.end('<!doctype html><title>Welcome</title>');
    }),
  );

const hangingUp = (): Promise<number> =>
  portOf(
    createServer((socket) => void socket.once('data', () => socket.destroy()).on('error', () => undefined)),
  );

async function nobody(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

const notItsInterface = 'it gives answers that its interface does not define. Check baseUrl and the proxies.';
const cases = [
  {
    platform: 'that is not there',
    start: nobody,
    cause: 'connection_refused',
    remedy: 'Check baseUrl and the network.',
  },
  {
    platform: 'that closes the connection',
    start: hangingUp,
    cause: 'connection_reset',
    remedy: 'Try again later.',
  },
  {
    platform: 'that answers HTML',
    start: () => answering(200),
    cause: 'unreadable_answer',
    remedy: notItsInterface,
  },
  {
    platform: 'that answers 502 with HTML',
    start: () => answering(502),
    cause: 'http_502',
    remedy: 'Try again later.',
  },
  {
    platform: 'that answers 404 with HTML',
    start: () => answering(404),
    cause: 'http_404',
    remedy: notItsInterface,
  },
  {
    platform: 'that sends to a login page',
    start: () => answering(302),
    cause: 'gateway_http_302 to https://login.example.com',
    remedy: 'If that is the platform, set baseUrl to it; a login page belongs to a gateway or proxy',
  },
];

const patience = {
  MIGRATE_TEAM: 'MIGRATIONS',
  MIGRATE_RETRY_ATTEMPTS: '2',
  MIGRATE_RETRY_BASE_MS: '1',
  MIGRATE_PATIENCE_UNAVAILABLE_MS: '100',
};
const run = (journal: string, env: Record<string, string>) =>
  tool(['run', 'export', '--yes', '--json', '--journal', `${journal}.db`], space.directory, {
    ...patience,
    ...env,
  });

describe.each(cases)('a platform $platform', ({ start, cause, remedy, platform }) => {
  it('ends the run as unavailable, with the remedy, and no account is lost to it', async () => {
    const MIGRATE_BASE_URL = `http://127.0.0.1:${await start()}`;
    // Known without an answer.
    const MIGRATE_PLATFORM_ID = 'known';
    const ended = await run(platform, { MIGRATE_BASE_URL, MIGRATE_PLATFORM_ID, MIGRATE_TOKEN: 'tk_planted' });
    refused(ended, 'run', 5, `the platform is unavailable (${cause}): `);
    expect(concluded(ended, 'run', 5)).toMatchObject({
      stopped: 'unavailable',
      accounts: { total: 3, rejected: 0 },
    });
    expect(ended.stderr).toContain(remedy);
    expect(ended.stdout + ended.stderr).not.toContain('planted');

    const real = await served(space.directory);
    const mended = await run(platform, {
      MIGRATE_BASE_URL: real.url,
      MIGRATE_PLATFORM_ID,
      MIGRATE_API_KEY: real.apiKey,
    });
    await real.stop();
    expect(concluded(mended, 'run', 0)).toMatchObject({ accounts: { total: 3, completed: 3 } });
  });
});

it.each([
  ['does not answer', undefined],
  ['is behind a proxy that answers 502', 502],
])('a book is recorded once, though its embedded platform %s on a later night', async (_what, answer) => {
  const late = `late-${answer ?? 'silent'}`;
  const platform = await served(space.directory);
  const env = { MIGRATE_BASE_URL: platform.url, MIGRATE_API_KEY: platform.apiKey };
  expect(concluded(await run(late, env), 'run', 0)).toMatchObject({ accounts: { completed: 3 } });
  await platform.stop();
  const proxy = createHttpServer((_request, response) => response.writeHead(answer ?? 0).end());
  const { port } = new URL(platform.url);
  if (answer !== undefined)
    await new Promise<void>((resolve) => proxy.listen(Number(port), '127.0.0.1', resolve));
  const directory = join(space.directory, `more-${late}`);
  await generateExport({ directory, accounts: 4, seed: 5, shape: 'interface', supplier: 'TENTACLE_ENERGY' });
  const args = ['run', `more-${late}`, '--yes', '--json', '--journal', `${late}.db`];
  const silent = await tool(args, space.directory, { ...patience, ...env });
  proxy.close();
  expect(concluded(silent, 'run', 5)).toMatchObject({ stopped: 'unavailable' });
  const status = await tool(['status', '--json', '--journal', `${late}.db`], space.directory, env);
  const summary = concluded(status, 'status', 0) as { suppliers: unknown[] };
  expect(summary.suppliers).toMatchObject([{ accounts: { total: 4, completed: 3 } }]);
});

it('a book is recorded once, though its embedded platform did not answer on the first night', async () => {
  const before = await served(space.directory, '--state', 'platform.db');
  await before.stop();
  const { url, apiKey } = before;
  const env = { MIGRATE_BASE_URL: url, MIGRATE_API_KEY: apiKey };
  expect(concluded(await run('first', env), 'run', 5)).toMatchObject({ accounts: { pending: 3 } });
  const platform = await served(space.directory, '--state', 'platform.db', '--port', new URL(url).port);
  expect(concluded(await run('first', env), 'run', 0)).toMatchObject({ accounts: { completed: 3 } });
  await platform.stop();
  const status = await tool(['status', '--json', '--journal', 'first.db'], space.directory, env);
  const summary = concluded(status, 'status', 0) as { suppliers: unknown[] };
  expect(summary.suppliers).toMatchObject([{ accounts: { total: 3, completed: 3 } }]);
});

it('a token address that answers HTML ends the run, and touches no account', async () => {
  const MIGRATE_BASE_URL = `http://127.0.0.1:${await answering(200)}`;
  const ended = await run('token', { MIGRATE_BASE_URL, MIGRATE_API_KEY: 'sk_planted' });
  refused(ended, 'run', 5, `the platform is unavailable (unreadable_answer): ${notItsInterface}`);
  expect(concluded(ended, 'run', 5)).toMatchObject({ accounts: { pending: 3 } });
  expect(ended.stdout + ended.stderr).not.toContain('planted');
});

it('plain http to another machine is refused, and so is one with a path of the interface', async () => {
  const far = await run('far', { MIGRATE_BASE_URL: 'http://api.example.com', MIGRATE_TOKEN: 'tk_planted' });
  refused(far, 'run', 2, 'MIGRATE_BASE_URL: must use https: plain http is allowed for this machine only');
  const deep = await run('deep', {
    MIGRATE_BASE_URL: 'https://api.example.com/v1/',
    MIGRATE_TOKEN: 'tk_planted',
  });
  refused(deep, 'run', 2, 'MIGRATE_BASE_URL: must end before /v1/; the tool adds the paths of the interface');
});

it('a platform without team, or without credentials, is refused before anything is sent', async () => {
  const MIGRATE_BASE_URL = `http://127.0.0.1:${await nobody()}`;
  const teamless = await run('teamless', { MIGRATE_BASE_URL, MIGRATE_TEAM: '', MIGRATE_TOKEN: 'tk_planted' });
  refused(
    teamless,
    'run',
    2,
    'No operations team is configured. Set team in .migraterc, MIGRATE_TEAM or --team',
  );
  const keyless = await run('keyless', { MIGRATE_BASE_URL });
  refused(keyless, 'run', 2, 'credentials: none are configured for this platform. Set MIGRATE_API_KEY');
  expect(linesOfType(keyless.stdout, 'account')).toEqual([]);
});
