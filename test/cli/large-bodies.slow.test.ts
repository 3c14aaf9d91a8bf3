// nginx as Debian ships it before the platform: bodies of more than 1 MB get a page with 413.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dumpAccounts } from '../../src/platform/dump.ts';
import { concluded, linesOfType } from './endings.ts';
import { all } from './small-book.ts';
import { served, tool, workspace, type Ended, type Served } from './tool.ts';

const path = `${process.env['PATH'] ?? ''}:/usr/sbin`;
const hasNginx = spawnSync('nginx', ['-v'], { env: { PATH: path } }).error === undefined;
const space = workspace();
const file = (name: string): string => join(space.directory, name);
const supplier = 'TENTACLE_ENERGY';
let platform: Served;
let nginx: ChildProcess;
let url: string;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves when somebody listens. */
async function listens(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise((resolve) =>
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false)),
    );
    socket.destroy();
    if (isOpen === true) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function startNginx(target: string): Promise<void> {
  const port = await freePort();
  mkdirSync(file('nginx'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    file('nginx/nginx.conf'),
    `daemon off; worker_processes 1; pid ${file('nginx/pid')}; error_log ${file('nginx/error.log')};
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
  ${temporary.map((name) => `${name}_temp_path ${file(`nginx/${name}`)};`).join(' ')}
  access_log off;
  server { listen 127.0.0.1:${port}; location / { proxy_pass ${target}; } }
}
`,
  );
  const args = ['-e', file('nginx/error.log'), '-p', file('nginx'), '-c', file('nginx/nginx.conf')];
  nginx = spawn('nginx', args, { env: { PATH: path }, stdio: 'ignore' });
  await listens(port);
  url = `http://127.0.0.1:${port}`;
}

/** Notes of these sizes, in bytes. */
function writeExport(directory: string, accounts: Readonly<Record<string, readonly number[]>>): void {
  mkdirSync(file(directory));
  const lines = (of: (account: string) => object): string =>
    Object.keys(accounts)
      .map((account) =>
        JSON.stringify({ ...of(account), import_supplier: supplier, external_account_number: account }),
      )
      .join('\n');
  const [payload] = all;
  writeFileSync(
    file(`${directory}/accounts.ndjson`),
    lines(() => payload ?? {}),
  );
  const notes = (account: string) => ({
    notes: (accounts[account] ?? []).map((bytes, at) => ({ body: `${at} ${'x'.repeat(bytes)}` })),
  });
  writeFileSync(file(`${directory}/notes.ndjson`), lines(notes));
}

const run = (directory: string, ...args: string[]) =>
  tool(['run', directory, '--yes', '--json', '--journal', `${directory}.journal`, ...args], space.directory, {
    MIGRATE_BASE_URL: url,
    MIGRATE_API_KEY: platform.apiKey,
    MIGRATE_TEAM: 'MIGRATIONS',
  });

const errorsOf = ({ stdout }: Ended) =>
  linesOfType(stdout, 'problem').filter(({ severity }) => severity === 'error');

/** How many notes the platform has of an account; each is another one. */
function notesOf(account: string): number | undefined {
  const found = [...dumpAccounts(file('platform.db'))].find((one) => one.account === account);
  return found === undefined
    ? undefined
    : new Set(found.notes).size === found.notes.length
      ? found.notes.length
      : NaN;
}

describe.skipIf(!hasNginx)('behind an nginx with its default limit', () => {
  beforeAll(async () => {
    platform = await served(space.directory, '--state', 'platform.db');
    await startNginx(platform.url);
  }, 60_000);
  afterAll(async () => {
    nginx.kill('SIGTERM');
    await platform.stop();
    space.dispose();
  });

  const many = Array.from({ length: 500 }, () => 3000);

  it('accounts with 500 long notes arrive whole, and one note that is too large is its account’s problem', async () => {
    writeExport('book', { A: many, B: many, C: many, D: [10, 1_200_000, 10], E: [10] });
    const first = await run('book');
    const summary = concluded(first, 'run', 3);
    expect(summary).toMatchObject({ accounts: { completed: 4, failed: 1 }, stopReason: null });
    expect(['A', 'B', 'C', 'D', 'E'].map(notesOf)).toEqual([500, 500, 500, 2, 1]);
    expect(errorsOf(first)).toEqual([
      expect.objectContaining({ account: 'D', code: 'request_too_large', path: 'notes.1' }),
    ]);
    expect(summary['bodyLimit']).toEqual({
      acceptedBytes: expect.any(Number) as number,
      refusedBytes: expect.any(Number) as number,
    });
    // The next night has nothing else to do.
    const second = concluded(await run('book'), 'run', 3);
    expect(second).toMatchObject({ accounts: { completed: 4, failed: 1 }, stopReason: null });
  }, 60_000);

  it('bodies far beyond what the gateway reads are no lost answers', async () => {
    const long = Array.from({ length: 500 }, () => 12_000);
    writeExport('huge', { F: long });
    const { accounts, retries } = concluded(await run('huge'), 'run', 0);
    expect({ accounts, retries }).toMatchObject({ accounts: { completed: 1 }, retries: 0 });
    expect(notesOf('F')).toBe(500);
  }, 60_000);
});
