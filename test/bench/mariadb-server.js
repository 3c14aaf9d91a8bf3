// A MariaDB server of a benchmark's own, on the loopback interface; its programs are those of Debian's package
// mariadb-server.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { freePort } from './postgres-server.js';

const nobody = 65_534;

/** Starts it; undefined if its programs are not installed. */
export async function startMariadb() {
  const place = mkdtempSync(join(tmpdir(), 'bench-mariadb-'));
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  if (user.uid !== undefined) chownSync(place, nobody, nobody);
  const options = { ...user, cwd: place, env: { PATH: `${process.env.PATH}:/usr/sbin` }, encoding: 'utf8' };
  const data = ['--no-defaults', `--datadir=${join(place, 'data')}`];
  const made = spawnSync(
    'mariadb-install-db',
    [...data, '--auth-root-authentication-method=normal'],
    options,
  );
  // EACCES instead of ENOENT where another user may not look into a directory of the PATH.
  if (['ENOENT', 'EACCES'].includes(made.error?.code)) {
    rmSync(place, { recursive: true });
    return undefined;
  }
  if (made.status !== 0) throw new Error(`mariadb-install-db: ${made.stdout}${made.stderr}`);
  const port = await freePort();
  const socket = join(place, 'socket');
  const server = spawn(
    'mariadbd',
    [...data, `--port=${port}`, '--bind-address=127.0.0.1', `--socket=${socket}`, `--pid-file=${place}/pid`],
    { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  await new Promise((resolve, reject) => {
    server.stderr.setEncoding('utf8').on('data', (text) => {
      log += text;
      if (log.includes('ready for connections')) resolve();
    });
    server.once('exit', () => reject(new Error(log)));
  });
  const root = await mysql.createConnection({ socketPath: socket, user: 'root' });
  for (const sql of [
    'CREATE DATABASE bench',
    "CREATE USER reader@'127.0.0.1'",
    "GRANT ALL ON bench.* TO reader@'127.0.0.1'",
  ])
    await root.query(sql);
  await root.end();
  const url = `mysql://reader@127.0.0.1:${port}/bench`;
  const connection = await mysql.createConnection(url);
  return {
    url,
    query: (sql) => connection.query(sql),
    stop: async () => {
      connection.destroy();
      server.kill('SIGTERM');
      await once(server, 'exit');
      rmSync(place, { recursive: true });
    },
  };
}
