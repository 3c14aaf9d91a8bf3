import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { generateExport } from '../../src/generate/generate-export.ts';
import { dumpAccounts } from '../../src/platform/dump.ts';
import { concluded, linesOfType, refused } from './endings.ts';
import { ended, served, start, tool, workspace, type Ended, type Served } from './tool.ts';

const accounts = 2000;
let space: ReturnType<typeof workspace>;
let directory: string;
beforeAll(async () => {
  space = workspace();
  ({ directory } = space);
  const path = join(directory, 'export');
  await generateExport({
    directory: path,
    accounts,
    seed: 3,
    shape: 'interface',
    supplier: 'TENTACLE_ENERGY',
  });
  // The accounts alone, which takes three requests each.
  for (const file of readdirSync(path)) if (file !== 'accounts.ndjson') rmSync(join(path, file));
});
afterAll(() => space.dispose());

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A platform whose requests wait until it is opened; without a platform behind it, for ever. */
async function gated(platform?: Served) {
  let waiting = 0;
  let letThrough = (): void => undefined;
  const opened = new Promise<void>((resolve) => (letThrough = resolve));
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const go = (): void => {
      const onward = forward(`${platform?.url ?? ''}${url ?? ''}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onward);
    };
    // The first question is which platform this is.
    if (method === 'HEAD') {
      if (platform === undefined) response.end();
      else go();
      return;
    }
    waiting += 1;
    void opened.then(go);
  });
  open.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, waiting: () => waiting, letThrough };
}

/** Resolves once the child has written this text to the stream. */
async function written(child: ChildProcess, stream: 'stdout' | 'stderr', holds: (text: string) => boolean) {
  let text = '';
  const output = child[stream];
  if (output === null) throw new Error('a child without output');
  for (;;) {
    const [more] = (await once(output, 'data')) as [string | Buffer];
    text += more.toString();
    if (holds(text)) return;
  }
}

const lineCount = (text: string): number => text.split('\n').length - 1;

describe('a run of 2,000 accounts', () => {
  /** Runs until some accounts are there, sends the signal, and gives how it ended. */
  async function signalled(signal: NodeJS.Signals, args: readonly string[]): Promise<Ended> {
    const child = start(args, directory);
    const end = ended(child);
    await written(child, 'stdout', (text) => lineCount(text) >= 10);
    child.kill(signal);
    return end;
  }

  it('that is interrupted records what it did, says how to go on, and goes on', async () => {
    const args = ['run', 'export', '--json'];
    const interrupted = await signalled('SIGINT', args);
    const told = linesOfType(interrupted.stdout, 'account').map(({ state }) => state);
    const [staged, imported, completed] = ['staged', 'imported', 'completed'].map(
      (state) => told.filter((each) => each === state).length,
    );
    expect(concluded(interrupted, 'run', 6)).toMatchObject({
      stopped: 'interrupt',
      accounts: { total: accounts, staged, imported, completed, rejected: 0, failed: 0, uncertain: 0 },
    });
    expect(interrupted.stderr).toContain('run the same command again to continue');

    const resumed = await tool(args, directory);
    expect(concluded(resumed, 'run', 0)).toMatchObject({
      accounts: { total: accounts, completed: accounts },
    });
    const held = [...dumpAccounts(join(directory, '.migrate/platform.db'))];
    expect(new Set(held.map(({ krakenAccountNumber }) => krakenAccountNumber)).size).toBe(accounts);
  }, 300_000);

  it.each(['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGXCPU'] as const)(
    'stops in the same way by %s, as when the system ends it or its terminal is gone',
    async (signal) => {
      const args = ['run', 'export', '--json', '--journal', `${signal}/journal.db`];
      const stopped = await signalled(signal, args);
      expect(concluded(stopped, 'run', 6)).toMatchObject({
        stopped: 'interrupt',
        accounts: { uncertain: 0 },
      });
      expect(stopped.stderr).not.toContain('Debugger');
    },
  );

  it('that is killed while it reads is a part of the book in all that speaks of it, until a run has read it all', async () => {
    const here = (...args: string[]) => tool([...args, '--journal', 'killed/journal.db'], directory);
    const args = ['run', 'export', '--json', '--journal', 'killed/journal.db'];
    expect((await signalled('SIGKILL', args)).code).toBeNull();

    const place = join(directory, 'export');
    const status = concluded(await here('status', '--json'), 'status', 0);
    const read = z.object({ suppliers: z.tuple([z.object({ accounts: z.object({ uncounted: z.int() }) })]) });
    const unread = read.parse(status).suppliers[0].accounts.uncounted;
    const known = accounts - unread;
    const partlyRead = [{ export: place, accounts, unread }];
    expect(status).toMatchObject({ suppliers: [{ accounts: { total: accounts }, partlyRead }] });
    expect(known).toBeGreaterThanOrEqual(10);
    expect(known).toBeLessThan(accounts);
    const inWords = unread.toLocaleString('en');
    const toldUnread = `Not counted: the accounts that no run has read yet, ${inWords} of the 2,000 accounts of ${place}.`;
    const told = (await here('status')).stdout.replace(/\s+/g, ' ');
    expect(told).toContain(`not counted ${inWords} no run has read them yet total 2,000`);
    expect(told).toContain(toldUnread);
    expect((await here('report', '--out', 'killed/r.html')).stdout).toMatch(
      /Not complete: \d+ of 2,000 accounts \(/,
    );
    expect((await here('numbers', '--out', 'killed/n.csv')).stdout).toContain(toldUnread);
    const proof = await here('reconcile', '--json');
    expect(concluded(proof, 'reconcile', 8)).toMatchObject({ byCode: { not_counted: 1 } });
    expect(linesOfType(proof.stdout, 'difference')).toContainEqual(
      expect.objectContaining({ code: 'not_counted', export: place, accounts }),
    );

    // A run of another export does not make this one complete.
    const [line = ''] = readFileSync(join(place, 'accounts.ndjson'), 'utf8').split('\n');
    mkdirSync(join(directory, 'pilot'));
    writeFileSync(join(directory, 'pilot/accounts.ndjson'), line.replaceAll('EXT-000001', 'PILOT-1'));
    const pilot = concluded(await here('run', 'pilot', '--json'), 'run', 0);
    // Its account may be one of those that were not read.
    const open = { uncounted: null };
    const unknown = [{ export: place, accounts, unread: null }];
    expect(pilot).toMatchObject({ accounts: open, partlyRead: unknown, workLeft: false });
    expect(concluded(await here('status', '--json'), 'status', 0)).toMatchObject({
      suppliers: [{ accounts: open, partlyRead: unknown }],
    });

    // What a reading finds that is not stopped is the whole.
    const limited = concluded(await here('run', 'export', '--json', '--limit', '1'), 'run', 6);
    expect(limited['accounts']).toMatchObject({ total: accounts + 1 });
    expect(limited).not.toHaveProperty('partlyRead');
    const whole = concluded(await here('status', '--json'), 'status', 0);
    expect(whole).toMatchObject({ suppliers: [{ accounts: { total: accounts + 1 }, partlyRead: [] }] });
    expect(JSON.stringify(whole)).not.toContain('uncounted');
    expect(linesOfType((await here('history', '--json')).stdout, 'run')).toMatchObject([
      { state: 'ended', accounts: { total: accounts + 1 } },
      { state: 'ended', accounts: open },
      { state: 'killed', accounts: null },
    ]);
  }, 300_000);

  it('whose reader has gone says so, and stops as by an interrupt', async () => {
    const args = ['run', 'export', '--json', '--journal', 'pipe/journal.db'];
    const child = start(args, directory);
    const end = ended(child);
    await written(child, 'stdout', () => true);
    child.stdout?.destroy();
    const { code, stderr } = await end;
    expect(code).toBe(6);
    expect(stderr).not.toMatch(/EPIPE|^\s+at /m);
    expect(stderr.match(/^warning: the reader of the output closed the pipe/gm)).toHaveLength(1);
    expect(stderr).toContain('run the same command again to continue');
  });
});

describe('a second interrupt', () => {
  it.each([
    ['with the whole total', [], accounts],
    ['without a total that it does not know', ['--supplier', 'TENTACLE_ENERGY'], undefined],
  ])('does not wait for requests in flight, and still ends %s', async (_told, flags, total) => {
    const silent = await gated();
    const args = ['run', 'export', '--yes', '--json', '--journal', 'second/journal.db', '--concurrency', '8'];
    args.push(...flags);
    const child = start(args, directory, {
      MIGRATE_BASE_URL: silent.url,
      MIGRATE_TOKEN: 'token',
      MIGRATE_TEAM: 'MIGRATIONS',
    });
    const end = ended(child);
    await expect.poll(silent.waiting, { timeout: 30_000 }).toBe(2);
    child.kill('SIGINT');
    await written(child, 'stderr', (text) => text.includes('Interrupt again to stop at once.'));
    expect(child.exitCode).toBeNull();
    child.kill('SIGINT');
    const summary = concluded(await end, 'run', 6);
    expect(summary).toMatchObject({ stopped: 'interrupt', requests: 2 });
    const {
      total: told,
      uncounted,
      ...states
    } = z.looseObject({ total: z.int(), uncounted: z.int().nullable() }).parse(summary['accounts']);
    const counted = Object.values(states).reduce<number>((sum, count) => sum + Number(count), 0);
    expect({ told, uncounted }).toEqual({
      told: total ?? counted,
      uncounted: total === undefined ? null : total - counted,
    });
  });
});

describe('two runs that start at the same moment on one journal', () => {
  it('are one that runs, and one that says who holds the supplier', async () => {
    const platform = await served(directory);
    const gate = await gated(platform);
    const env = { MIGRATE_BASE_URL: gate.url, MIGRATE_API_KEY: platform.apiKey, MIGRATE_TEAM: 'MIGRATIONS' };
    const args = ['run', 'export', '--yes', '--json', '--journal', 'both/journal.db', '--limit', '20'];
    const both = [start(args, directory, env), start(args, directory, env)].map((child) => ({
      child,
      end: ended(child),
    }));
    const first = await Promise.race(both.map(async (run) => ({ ...run, ended: await run.end })));
    const other = both.find(({ child }) => child !== first.child);
    refused(
      first.ended,
      'run',
      7,
      `another run holds TENTACLE_ENERGY: process ${other?.child.pid ?? 0} on ${hostname()}, since `,
    );
    expect(concluded(first.ended, 'run', 7)).toMatchObject({ stopped: 'held', requests: 0 });

    // Rulings wait too: they must not meet a request under way.
    const retried = await tool(['retry', '--json', '--journal', 'both/journal.db'], directory);
    refused(retried, 'retry', 7, 'Nothing is changed: another run holds TENTACLE_ENERGY: process ');

    gate.letThrough();
    const ran = await other?.end;
    await platform.stop();
    if (ran === undefined) throw new Error('there is no other run');
    expect(concluded(ran, 'run', 6)).toMatchObject({ stopped: 'limit', accounts: { completed: 20 } });
  });
});
