import type { ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dumpRequests } from '../../src/platform/dump.ts';
import { FaultyNetwork } from '../journal/postgres/faulty-network.ts';
import { seeded } from '../pipeline/simulated-platform.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { contents } from './platform-contents.ts';
import { ended, served, start, summaryOf, tool, workspace, type Ended } from './tool.ts';

/** By `npm run crash -- --engine postgres --processes`. */
const schedules = Number(process.env['CRASH_SCHEDULES'] ?? 1);
const runners = Number(process.env['CRASH_RUNNERS'] ?? 3);
const seed = Number(process.env['CRASH_SEED'] ?? 20);
/** By `npm run crash -- --engine postgres --restarts 200`. */
const restarts = Number(process.env['CRASH_RESTARTS'] ?? 3);

const accounts = 150;
/** What happens to a platform behind proxies, and what a lost answer of it leaves to no person. */
const faults = [
  { kind: 'latency', ms: 20, tailMs: 400 },
  { kind: 'reset', when: 'after', rate: 0.02 },
  { kind: 'reset', when: 'before', rate: 0.02 },
  { kind: 'gateway_after', rate: 0.01 },
  { kind: 'throttle', rate: 0.02 },
];

/** Runs that share a book, each on a machine of its own. */
interface Game {
  readonly network: FaultyNetwork;
  readonly all: Runner[];
  readonly begin: (at: number) => Runner;
  /** Waits for all of them, and compares what the platform has with what an undisturbed run left. */
  readonly check: (told: readonly string[]) => Promise<void>;
  readonly end: () => Promise<void>;
}

interface Runner {
  child: ChildProcess;
  ended: Promise<Ended>;
  isOver: boolean;
}

describe.skipIf(!hasPostgres)(
  'runs that share a book, through kills, stalls and a journal that comes and goes (needs PostgreSQL)',
  () => {
    let space: ReturnType<typeof workspace>;
    let server: PostgresServer;
    let whole: Map<string, string>;
    beforeAll(async () => {
      space = workspace();
      server = await startPostgres();
      const { directory } = space;
      const size = ['--accounts', String(accounts), '--seed', '20', '--shape', 'interface'];
      await tool(['generate', 'export', ...size], directory);
      rmSync(join(directory, 'export', 'payment_instructions.ndjson'));
      for (let at = 0; at < runners; at += 1) {
        mkdirSync(join(directory, `machine-${at}`));
        cpSync(join(directory, 'export'), join(directory, `machine-${at}`, 'export'), { recursive: true });
      }
      await tool(['run', 'export', '--journal', 'whole/journal.db'], directory);
      whole = contents(join(directory, 'whole', 'platform.db'));
    });
    afterAll(async () => {
      await server.remove();
      space.dispose();
    });

    async function game(own: number): Promise<Game> {
      const { directory } = space;
      const state = join(directory, `${own}.db`);
      const operator = join(directory, `${own}.json`);
      writeFileSync(operator, JSON.stringify({ faults: { seed: own, rules: faults } }));
      const platform = await served(directory, '--port', '0', '--state', state, '--operator', operator);
      const network = await FaultyNetwork.before(server.port);
      const database = await server.makeDatabase();
      const env = {
        ...server.env,
        MIGRATE_JOURNAL: server.url(database).replace(`:${server.port}/`, `:${network.port}/`),
        MIGRATE_BASE_URL: platform.url,
        MIGRATE_API_KEY: platform.apiKey,
        MIGRATE_TEAM: 'MIGRATIONS',
        MIGRATE_AGREEMENTS_MAY_REPEAT: 'true',
        MIGRATE_BILLING_REFUSAL_COUNTS_AS_OURS: 'true',
        MIGRATE_RATE: '100',
        MIGRATE_PATIENCE_QUIET_PERIOD_MS: '500',
        MIGRATE_TIMEOUTS_REQUEST_MS: '5000',
      };
      const begin = (at: number): Runner => {
        const child = start(['run', 'export', '--yes', '--json'], join(directory, `machine-${at}`), env);
        const runner: Runner = { child, isOver: false, ended: ended(child) };
        void runner.ended.then(() => (runner.isOver = true));
        return runner;
      };
      const all = Array.from({ length: runners }, (_, at) => begin(at));
      return {
        ...{ network, all, begin },
        check: async (told) => {
          const endings = await Promise.all(all.map((runner) => runner.ended));
          const story = `${told.join(', ')}\n${endings.map(({ code, stderr }) => `${code}: ${stderr.slice(-300)}`).join('\n')}`;
          // A failed account is driven again by the next night.
          let last: Ended | undefined;
          for (let night = 0; night < 4 && last?.code !== 0; night += 1) last = await begin(0).ended;
          expect(last?.code, `${story}\n${last?.stdout.slice(-500)}`).toBe(0);
          expect(summaryOf(last?.stdout ?? '')).toMatchObject({
            accounts: { total: accounts, completed: accounts },
          });
          await platform.stop();
          const found = contents(state);
          expect([...found.keys()], story).toEqual([...whole.keys()]);
          const differing = [...whole].filter(([account, held]) => found.get(account) !== held);
          expect(
            differing.map(([account]) => account),
            story,
          ).toEqual([]);
          const twice = dumpRequests(state).filter(
            ({ endpoint, status, times }) => endpoint === 'process' && status === 201 && times > 1,
          );
          expect(twice, story).toEqual([]);
        },
        end: async () => {
          for (const { child } of all) child.kill('SIGKILL');
          await platform.stop().catch(() => undefined);
          await network.close();
        },
      };
    }

    it.each(Array.from({ length: schedules }, (_, at) => seed + at))(
      'complete every account once: seed %i',
      async (own) => {
        const random = seeded(own);
        const { network, all, begin, check, end } = await game(own);
        const told: string[] = [];
        try {
          for (let event = 0; event < 12 && all.some(({ isOver }) => !isOver); event += 1) {
            await delay(300 + 900 * random());
            const at = Math.floor(random() * runners);
            const runner = all[at];
            if (runner === undefined || runner.isOver) continue;
            const what = random();
            if (what < 0.3) {
              told.push(`kill ${at}`);
              runner.child.kill('SIGKILL');
              await runner.ended;
              all[at] = begin(at);
            } else if (what < 0.5) {
              told.push(`stall ${at}`);
              runner.child.kill('SIGSTOP');
              await delay(500 + 2500 * random());
              runner.child.kill('SIGCONT');
            } else if (what < 0.65) {
              told.push('cut');
              network.cut();
            } else if (what < 0.8) {
              told.push('lose an answer to COMMIT');
              network.commitsToLose = 1 + Math.floor(3 * random());
            } else if (what < 0.95) {
              told.push('stop a COMMIT');
              network.commitsToStop = 1 + Math.floor(3 * random());
            } else {
              told.push('restart the server');
              await server.restart('kill');
            }
          }
          await check(told);
        } finally {
          await end();
        }
      },
      600_000,
    );

    it(`complete every account once though the server restarts: ${restarts} restarts`, async () => {
      const random = seeded(seed);
      let count = 0;
      for (let book = 0; count < restarts; book += 1) {
        const { all, check, end } = await game(1_000_000 + seed + book);
        try {
          while (all.some(({ isOver }) => !isOver) && count < restarts) {
            await delay(500 * random());
            await server.restart(random() < 0.5 ? 'kill' : 'fast');
            count += 1;
          }
          await check([`${count} restarts`]);
        } finally {
          await end();
        }
        process.stdout.write(`${count} restarts under ${book + 1} books\n`);
      }
    }, 86_400_000);
  },
);
