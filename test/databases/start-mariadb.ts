import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';

/** The programs of Debian's package mariadb-server. */
const [server, install] = ['mariadbd', 'mariadb-install-db'];
const path = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`;

/** Whether a server can be started here: `skipIf(!hasMariadb)` skips by name where it cannot. */
export const hasMariadb = spawnSync(server, ['--version'], { env: { PATH: path } }).status === 0;

/** A MariaDB server of its own on the loopback interface; its user `reader` has a password. */
export class MariadbServer {
  readonly #port: number;
  readonly #directory: string;
  readonly #process: ChildProcess;
  readonly password = 'not a secret';
  readonly #killAtExit = (): void => void this.#process.kill('SIGKILL');

  constructor(directory: string, port: number, started: ChildProcess) {
    this.#directory = directory;
    this.#port = port;
    this.#process = started;
    process.on('exit', this.#killAtExit);
  }

  get url(): string {
    return `mysql://reader@127.0.0.1:${this.#port}/test`;
  }

  async query(sql: string): Promise<void> {
    const connection = await mysql.createConnection({
      uri: this.url,
      password: this.password,
      multipleStatements: true,
    });
    try {
      await connection.query(sql);
    } finally {
      await connection.end();
    }
  }

  async remove(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await ended;
    process.removeListener('exit', this.#killAtExit);
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

export async function startMariadb(): Promise<MariadbServer> {
  const directory = mkdtempSync(join(tmpdir(), 'mariadb-'));
  const isRoot = process.getuid?.() === 0;
  const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};
  if (isRoot) chownSync(directory, 65_534, 65_534);
  const data = join(directory, 'data');
  const env = { PATH: path };
  const made = spawnSync(
    install,
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db'],
    { ...nobody, env, cwd: directory, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`${install}: ${made.stdout}${made.stderr}`);
  const port = await freePort();
  const child = spawn(
    server,
    [
      ...['--no-defaults', `--datadir=${data}`, `--port=${port}`, '--bind-address=127.0.0.1'],
      ...[`--socket=${join(directory, 'socket')}`, `--pid-file=${join(directory, 'pid')}`],
      ...['--innodb-flush-log-at-trx-commit=0', '--character-set-server=utf8mb4'],
    ],
    { ...nobody, env, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('ready for connections')) resolve();
    });
    child.once('exit', () => reject(new Error(`The MariaDB server ended: ${log}`)));
  });
  const running = new MariadbServer(directory, port, child);
  const root = await mysql.createConnection({ socketPath: join(directory, 'socket'), user: 'root' });
  await root.query('CREATE DATABASE test');
  await root.query(`CREATE USER reader@'127.0.0.1' IDENTIFIED BY '${running.password}'`);
  await root.query("GRANT ALL ON *.* TO reader@'127.0.0.1'");
  await root.end();
  return running;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
