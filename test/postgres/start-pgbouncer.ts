import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort, type PostgresServer } from './start-postgres.ts';

const program = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  .map((directory) => join(directory, 'pgbouncer'))
  .find((path) => existsSync(path));

/** Whether PgBouncer is installed here. */
export const hasPgbouncer = program !== undefined;

export interface Pooler {
  /** The address of a database through the pooler. */
  url(database: string): string;
  stop(): Promise<void>;
}

/** PgBouncer before a server, on the loopback interface; `settings` as in its file, such as `pool_mode = session`. */
export async function startPgbouncer(server: PostgresServer, settings: readonly string[]): Promise<Pooler> {
  if (program === undefined) throw new Error('PgBouncer is not installed.');
  const directory = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  chmodSync(directory, 0o755);
  const port = await freePort();
  writeFileSync(join(directory, 'users'), `"${server.user}" "${server.password}"\n`);
  writeFileSync(
    join(directory, 'pgbouncer.ini'),
    [
      '[databases]',
      `* = host=${server.host} port=${server.port}`,
      '[pgbouncer]',
      ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
      ...['auth_type = plain', `auth_file = ${join(directory, 'users')}`, ...settings],
    ].join('\n'),
  );
  const child = spawn(program, [join(directory, 'pgbouncer.ini')], {
    ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await listening(child);
  return {
    url: (database) => `postgres://${server.user}@127.0.0.1:${port}/${database}`,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(directory, { recursive: true });
    },
  };
}

async function listening(child: ChildProcess): Promise<void> {
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('process up')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PgBouncer ended: ${log}`)));
  });
}
