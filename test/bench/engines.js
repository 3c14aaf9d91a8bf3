// The journal on PostgreSQL, with the server on the same machine: against the journal in a file, and several runs of one book.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openJournalAt } from './open-journal.js';
import { supplier, writeBook } from './book.js';
import { alternate, median } from './pairs.js';
import { against, migrate, startTarget, tool } from './processes.js';
import { startPostgres } from './postgres-server.js';
import { drive } from './throughput.js';
import { accountStates, stepStates, steps, withStepState } from '../../dist/journal/core/codes.js';

const none = [
  { measure: 'PostgreSQL', against: 'no programs for this platform', ours: NaN, isReached: false },
];

/** Runs with a server and a target; gives no figures where there is no server for this platform. */
async function withServers(work) {
  const server = await startPostgres();
  if (server === undefined) return none;
  const target = await startTarget();
  try {
    return await work({ server, target });
  } finally {
    await target.stop();
    await server.stop();
  }
}

/** `migrate run` on PostgreSQL against the same on a file, both durable. */
export function engines({ accounts, pairs, directory }) {
  return withServers(async ({ server, target }) => {
    const rows = [];
    for (const [measure, kind, onlyAccounts] of [
      ['validate, stage, process; PostgreSQL', 'creation', true],
      ['all nine steps; PostgreSQL', 'all', false],
    ]) {
      const book = join(directory, kind);
      await writeBook(book, accounts, 'ndjson', { onlyAccounts });
      const cpu = { ours: [], server: [], theirs: [] };
      const run = async (journal, noted) => {
        const ended = await drive({ directory, book, target, accounts, steps: kind, journal });
        noted.push((ended.cpuSeconds / accounts) * 1e6);
        return accounts / ended.seconds;
      };
      const result = await alternate(
        pairs,
        async () => {
          const { url } = await server.makeDatabase();
          const before = server.cpuSeconds();
          const perSecond = await run(url, cpu.ours);
          cpu.server.push(((server.cpuSeconds() - before) / accounts) * 1e6);
          return perSecond;
        },
        () => run(undefined, cpu.theirs),
      );
      const [ours, theirs, ofServer] = [cpu.ours, cpu.theirs, cpu.server].map(median);
      rows.push(
        {
          ...{ measure, against: 'a file; FULL', unit: 'accounts/s', ...result },
          ...{ reach: '>= 0.9', isReached: result.ratio >= 0.9 },
        },
        {
          ...{ measure: `${measure}: client's processor`, against: 'a file; FULL', unit: 'us each' },
          ...{ ours, theirs, ratio: theirs / ours, reach: '>= 0.9', isReached: theirs / ours >= 0.9 },
          notes: { serverCpuMicrosecondsEach: ofServer },
        },
      );
    }
    return rows;
  });
}

/** Runs of one book at once, each in a directory of its own; how long the book took, and what the target saw. */
async function runTogether({ directory, book, server, target, accounts, count, env = {} }) {
  const { url } = await server.makeDatabase();
  await target.ask('counts');
  await target.ask('peaks');
  const started = performance.now();
  const runs = Array.from({ length: count }, (_, at) => {
    const cwd = join(directory, `runner-${at}`);
    mkdirSync(cwd, { recursive: true });
    const flags = ['run', book, '--yes', '--steps', 'validate,stage,process'];
    return tool(flags, { cwd, env: { ...against(target), MIGRATE_JOURNAL: url, ...env }, codes: [0] });
  });
  const ended = await Promise.all(runs);
  const seconds = (performance.now() - started) / 1000;
  const counts = await target.ask('counts');
  const sent = Object.values(counts).reduce((sum, one) => sum + one, 0);
  if (sent !== 3 * accounts) throw new Error(`${sent} requests were sent for ${accounts} accounts`);
  for (const { summary } of ended)
    if (summary.accounts.imported + summary.accounts.completed !== accounts)
      throw new Error(`a run told of ${JSON.stringify(summary.accounts)}`);
  return { seconds, peaks: await target.ask('peaks') };
}

/** Two runs against one, on a platform whose answers take 100 ms; then under a cap, and under a rate. */
export function runners({ accounts, pairs, directory }) {
  return withServers(async ({ server, target }) => {
    const book = join(directory, 'ndjson');
    await writeBook(book, accounts, 'ndjson', { onlyAccounts: true });
    await target.ask('wait', 100);
    const rows = [];
    const rate = 300;
    for (const [measure, env, of] of [
      ['two runs; 64 accounts at once', { MIGRATE_CONCURRENCY: '64' }, ({ inFlight }) => inFlight],
      ['two runs; 32 accounts at once', { MIGRATE_CONCURRENCY: '32' }, ({ inFlight }) => inFlight],
      [`two runs; ${rate} requests a second`, { MIGRATE_RATE: String(rate) }, ({ perSecond }) => perSecond],
    ]) {
      const most = { ours: 0, theirs: 0 };
      const run = async (count, whose) => {
        const { seconds, peaks } = await runTogether({
          directory,
          book,
          server,
          target,
          accounts,
          count,
          env,
        });
        most[whose] = Math.max(most[whose], of(peaks));
        return accounts / seconds;
      };
      const result = await alternate(
        pairs,
        () => run(2, 'ours'),
        () => run(1, 'theirs'),
      );
      rows.push({
        ...{ measure, against: 'one run', unit: 'accounts/s', ...result },
        ...{ reach: '>= 0.95', isReached: result.ratio >= 0.95 },
      });
      const cap = Number(env.MIGRATE_CONCURRENCY ?? env.MIGRATE_RATE);
      rows.push({
        measure: `${measure}: the most at the platform`,
        ...{ against: 'the limit', unit: 'requests', ours: most.ours, theirs: cap, ratio: most.ours / cap },
        ...{ reach: '<= 1', isReached: most.ours <= cap },
      });
    }
    return rows;
  });
}

/** How long it takes until another run has what a run had that stands still, as one does whose machine is gone. */
export function takeover({ accounts, directory }) {
  return withServers(async ({ server, target }) => {
    const { url, name } = await server.makeDatabase();
    const requestMs = 5_000;
    const book = join(directory, 'ndjson');
    await writeBook(book, accounts, 'ndjson', { onlyAccounts: true });
    await target.ask('wait', 500);
    const env = {
      ...against(target),
      PATH: process.env.PATH,
      MIGRATE_JOURNAL: url,
      MIGRATE_TIMEOUTS_REQUEST_MS: String(requestMs),
      // Long enough that both have work to the end of the lease.
      MIGRATE_RATE: String(Math.max(1, Math.ceil((3 * accounts) / 120))),
    };
    const children = ['gone', 'left'].map((place) => {
      const cwd = join(directory, place);
      mkdirSync(cwd);
      return spawn(process.execPath, [migrate, 'run', book, '--yes', '--json'], {
        cwd,
        env,
        stdio: 'ignore',
      });
    });
    const held = async () => {
      const rows = await server
        .query(
          'SELECT count(*)::int AS held FROM migrate.partition WHERE runner IS NOT NULL GROUP BY runner',
          name,
        )
        .catch(() => []);
      return rows.map((row) => row.held);
    };
    try {
      while ((await held()).length < 2) await delay(100);
      const [gone, left] = children;
      const since = performance.now();
      gone.kill('SIGSTOP');
      const own = `SELECT count(*)::int AS living FROM migrate.runner WHERE expires_at > 0`;
      while ((await server.query(own, name))[0].living > 1) await delay(100);
      const seconds = (performance.now() - since) / 1000;
      const lease = 60 + requestMs / 1000;
      left.kill('SIGKILL');
      return [
        {
          ...{ measure: 'takeover of a run that is gone', against: 'its lease and ten seconds', unit: 's' },
          ...{ ours: seconds, theirs: lease + 10, ratio: seconds / (lease + 10) },
          ...{ reach: '<= 1', isReached: seconds <= lease + 10 },
        },
      ];
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
    }
  });
}

/** `migrate status` on a journal of so many accounts in PostgreSQL, a thousandth of them rejected. */
export function statusOfServer({ accounts, pairs, directory: cwd }) {
  return withServers(async ({ server }) => {
    const { url, name } = await server.makeDatabase();
    await openJournalAt(url, cwd);
    const names = Object.keys(steps.of);
    const done = names.reduce((packed, step) => withStepState(packed, step, stepStates.of.done), 0);
    const { completed, rejected } = accountStates.of;
    const bad = Math.ceil(accounts / 1000);
    await server.query(
      `SET search_path = migrate; SET synchronous_commit = off;
      INSERT INTO platform (identity, label) VALUES ('http://127.0.0.1:1', 'http://127.0.0.1:1');
      INSERT INTO supplier (platform, code) VALUES (1, '${supplier}');
      INSERT INTO run (id, platform, dry_run, export, started_at, ended_at, exit, reason, accounts, requests, retries)
        VALUES (1, 1, 0, 'book', 1, 2, 0, '', '{}', 0, 0);
      INSERT INTO account (supplier, number, state, steps, code, kraken_account_number, staged_hash, plan_hash)
        SELECT 1, 'A' || lpad(id::text, 8, '0'), CASE WHEN id <= ${bad} THEN ${rejected} ELSE ${completed} END, ${done},
          CASE WHEN id <= ${bad} THEN 'changed_after_import' ELSE '' END, 'K-' || id, md5(id::text), md5(id::text)
        FROM generate_series(1, ${accounts}) AS id;
      INSERT INTO tally (supplier, step, state, accounts) VALUES (1, 0, ${completed}, ${accounts - bad}), (1, 0, ${rejected}, ${bad});
      ${names.map((step) => `INSERT INTO tally (supplier, step, state, accounts) VALUES (1, ${steps.of[step]}, ${stepStates.of.done}, ${accounts})`).join(';')}`,
      name,
    );
    await server.query('VACUUM ANALYZE migrate.account', name);
    const times = [];
    for (let round = 0; round < pairs; round += 1) {
      const { seconds, summary } = await tool(['status', '--supplier', supplier], {
        ...{ cwd, isPlain: true, env: { MIGRATE_JOURNAL: url } },
      });
      const [told] = summary.suppliers;
      if (told.accounts.completed !== accounts - bad || told.changedAfterImport !== bad)
        throw new Error(`status told of ${JSON.stringify(told)}, not of ${accounts} accounts`);
      times.push(seconds);
    }
    const ours = median(times);
    return [
      {
        measure: `status, journal of ${accounts} accounts in PostgreSQL, ${bad} of them rejected`,
        ...{ against: '-', unit: 's', ours, reach: '< 0.3', isReached: ours < 0.3 },
      },
    ];
  });
}
