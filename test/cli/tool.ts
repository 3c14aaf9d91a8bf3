import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export const bin = fileURLToPath(new URL('../../bin/migrate.js', import.meta.url));

/** A path inside the project. */
export const project = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** A directory of a test's own, and what is left of it. */
export function workspace(): { readonly directory: string; dispose(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'migrate-'));
  return { directory, dispose: () => rmSync(directory, { recursive: true, force: true }) };
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a bare shell: nothing of the developer's configuration reaches the tool. */
function bareEnvironment(env: Record<string, string>): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...env };
}

/** Starts the real binary. */
export function start(
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
  binary = bin,
): ChildProcess {
  return spawn(process.execPath, [binary, ...args], {
    cwd,
    env: bareEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs the real binary to its end. */
export async function tool(
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<Ended> {
  return ended(start(args, cwd, env));
}

export async function ended(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** The JSON lines that a command wrote, the last one its summary. */
export function lines(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
}

export function summaryOf(stdout: string): Record<string, unknown> {
  const last = lines(stdout).at(-1);
  if (last?.['type'] !== 'summary') throw new Error(`no summary at the end of: ${stdout.slice(-500)}`);
  return last;
}

export interface Served {
  readonly url: string;
  readonly apiKey: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** The embedded platform as a user starts it. */
export async function served(cwd: string, ...args: string[]): Promise<Served> {
  const child = start(['serve', '--json', ...args], cwd);
  const closed = once(child, 'close');
  if (child.stdout === null) throw new Error('a child without stdout');
  const [first] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url, apiKey } = z
    .object({ type: z.literal('listening'), url: z.string(), apiKey: z.string() })
    .parse(JSON.parse(first));
  return {
    url,
    apiKey,
    child,
    stop: async () => {
      child.kill('SIGTERM');
      await closed;
    },
  };
}
