// The processes that a benchmark starts, each measured from its start to its end.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
export const migrate = here('../../bin/migrate.js');

/** The bare target, in a process of its own. */
export async function startTarget() {
  const child = fork(here('target.js'), { stdio: 'inherit' });
  const [{ url }] = await once(child, 'message');
  const ask = async (...message) => {
    child.send(message);
    return (await once(child, 'message'))[0].answer;
  };
  return {
    url,
    ask,
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/**
 * Runs a program to its end. Gives what it wrote, how long it took from its start (s), its processor time (s) and its
 * peak of memory (MB); the last two not where it is to run plainly, as it is.
 */
export async function measured(command, args, { env = {}, cwd, codes = [0], isPlain = false } = {}) {
  const usageFile = join(cwd, 'usage.json');
  rmSync(usageFile, { force: true });
  const started = performance.now();
  const child = spawn(command, args, {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      BENCH_USAGE: usageFile,
      ...(isPlain ? {} : { NODE_OPTIONS: `--import=${here('usage.js')}` }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout = (stdout + text).slice(-100_000)));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr = (stderr + text).slice(-10_000)));
  const [code] = await once(child, 'close');
  const seconds = (performance.now() - started) / 1000;
  if (!codes.includes(code))
    throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return { stdout, seconds, ...(isPlain ? {} : JSON.parse(readFileSync(usageFile, 'utf8'))) };
}

/** Runs one of this directory's own programs; it says its result as JSON. */
export async function program(name, args, options) {
  const ended = await measured(process.execPath, [here(name), ...args.map(String)], options);
  return { ...ended, said: JSON.parse(ended.stdout) };
}

/** Runs the tool with --json; gives its summary too. */
export async function tool(args, options) {
  const ended = await measured(process.execPath, [migrate, ...args, '--json'], options);
  return { ...ended, summary: JSON.parse(ended.stdout.trimEnd().split('\n').at(-1)) };
}

/** What the tool needs to know to run against the target. */
export function against(target) {
  return {
    MIGRATE_BASE_URL: target.url,
    MIGRATE_TOKEN: 'bench',
    MIGRATE_TEAM: 'MIGRATIONS',
  };
}
