// Machines on which a command has too little, or is not what it is elsewhere: limits, namespaces, a directory that is gone.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { concluded, refused } from './endings.ts';
import { bin, ended, tool, workspace, type Ended } from './tool.ts';

const space = workspace();
const { directory } = space;
beforeAll(async () => {
  await tool(['generate', 'export', '--accounts', '5', '--seed', '3'], directory);
});
afterAll(() => space.dispose());

/** A command of a shell in which `$migrate` is the tool. */
function inShell(script: string, env: Record<string, string> = {}): ChildProcess {
  return spawn('bash', ['-c', script], {
    cwd: directory,
    env: { PATH: process.env['PATH'] ?? '', migrate: `${process.execPath} ${bin}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
const ran = (script: string): Promise<Ended> => ended(inShell(script));
const can = (script: string): boolean => spawnSync('bash', ['-c', script], { stdio: 'ignore' }).status === 0;

/** A platform that answers nothing but which it is; `asked` resolves when something was asked. */
async function silent() {
  let ask = (): void => undefined;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const server = createServer((request, response) => {
    if (request.method === 'HEAD') response.end();
    else ask();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, env: { MIGRATE_BASE_URL: url, MIGRATE_TOKEN: 'token', MIGRATE_TEAM: 'T' } };
}

it.skipIf(!can('ulimit -v 4000000'))(
  'memory that the system refuses is named, with its limit (needs ulimit -v)',
  async () => {
    const run = await ran('ulimit -v 4000000; exec $migrate run export --json --journal v/journal.db');
    refused(run, 'run', 2, 'This process gets no more memory from the system. Raise its limit (ulimit -v');
  },
);

it.skipIf(!can('ulimit -f 100'))('a limit on the size of files is named (needs ulimit -f)', async () => {
  const run = await ran('ulimit -f 100; exec $migrate run export --json --journal f/journal.db');
  refused(run, 'run', 2, 'bytes that this process may write (ulimit -f, LimitFSIZE=)');
});

it.each(['status', '--version', 'run export'])(
  'a directory that was deleted is told: %s',
  async (command) => {
    const { code, stderr } = await ran(`mkdir gone; cd gone; rmdir ../gone; exec $migrate ${command}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('was deleted or unmounted') as unknown]);
  },
);

const first = 'unshare --pid --fork --mount-proc';

describe.skipIf(!can(`${first} true`))('the first process of a container (needs unshare --pid)', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends by %s, though the system spares it', async (signal, code) => {
    const { asked, env } = await silent();
    const child = inShell(`exec ${first} $migrate validate export --remote`, env);
    const end = ended(child);
    await asked;
    const [own] = spawnSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' }).stdout.split('\n');
    process.kill(Number(own), signal);
    expect((await end).code).toBe(code);
  });
});

const elsewhen = 'unshare --time --boottime 100000';

describe.skipIf(!can(`${elsewhen} true`))(
  'a container whose clock began elsewhere (needs unshare --time)',
  () => {
    it('sees a run outside as alive, and waits for its lease', async () => {
      const { asked, env: platform } = await silent();
      const env = { ...platform, MIGRATE_DRAIN_MS: '50' };
      const args = '--yes --json --journal time/journal.db';
      const run = inShell(`exec $migrate run export ${args}`, env);
      const end = ended(run);
      await asked;
      const other = await ended(inShell(`exec ${elsewhen} $migrate run export ${args}`, env));
      refused(other, 'run', 7, 'another run holds');
      run.kill('SIGTERM');
      concluded(await end, 'run', 6);
    });
  },
);

it('outputs that are closed cost no account', async () => {
  const args = `run export --journal ${join('closed', 'journal.db')}`;
  expect((await ran(`exec $migrate ${args} --json <&- >&- 2>&-`)).code).toBe(0);
  const status = await tool(['status', '--json', '--journal', 'closed/journal.db'], directory);
  expect(concluded(status, 'status', 0)).toMatchObject({ suppliers: [{ accounts: { completed: 5 } }] });
});
