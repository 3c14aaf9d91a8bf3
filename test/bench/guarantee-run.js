// The pipeline and the client alone: plans that are ready, as the reading thread gives them, driven with a journal or with none.
//   node guarantee-run.js URL BOOK STEPS FULL|NORMAL|none JOURNAL
import { performance } from 'node:perf_hooks';
import { createClient } from '../../dist/client/create-client.js';
import { loadConfig } from '../../dist/config/load-config.js';
import { openJournal } from '../../dist/journal/sqlite/open-journal.js';
import { runMigration } from '../../dist/pipeline/run/run-migration.js';
import { StopControl } from '../../dist/pipeline/run/stop-control.js';
import { cuttingOf, pipelineSettings } from '../../dist/run/pipeline-settings.js';
import { openReady } from '../../dist/run/worker/open-ready.js';
import { systemClock as clock } from '../../dist/host/machine.js';
import { noJournal } from './no-journal.js';

const [url, book, steps, synchronous, file] = process.argv.slice(2);
const ignore = () => undefined;
const silent = {
  info: ignore,
  detail: ignore,
  warn: ignore,
  progress: { begin: ignore, advance: ignore, note: ignore },
};
const config = await loadConfig({ cwd: '/', env: {}, flags: {}, ruleCodes: [] });
const stop = new StopControl();
const order = { path: book, config, cutting: cuttingOf(config) };
const read = await openReady({ cwd: '/', clock }, silent, order, stop.draining);
const plans = [];
for await (const plan of read.plans) plans.push(plan);

const { connectMs: connect, headersMs: headers, bodyMs: body } = config.timeouts;
const request = connect + headers + body;
const client = createClient({
  baseUrl: url,
  credentials: { token: 'bench' },
  connections: config.concurrency,
  timeouts: { connect, headers, body, request },
  clock,
});
const journal = synchronous === 'none' ? noJournal() : openJournal(file, { synchronous, create: true });
const platform = { team: 'MIGRATIONS', isEmbedded: false };
const before = process.cpuUsage();
const started = performance.now();
const { taken: accounts, requests } = await runMigration(
  {
    plans: pulled(),
    export: book,
    place: book,
    faults: 0,
    platform: url,
    platformLabel: url,
    settings: pipelineSettings({ config, steps: new Set(steps.split(',')) }, platform),
    lease: {
      owner: { host: 'bench', pid: process.pid, processStart: '' },
      isDead: () => false,
      leaseMs: 60_000,
      requestMs: 0,
    },
  },
  { client, journal, clock, random: Math.random, stop, emit: ignore },
);
await journal.close();
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(before);
await client.close();
await read.close();
console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, accounts, requests }));

async function* pulled() {
  yield* plans;
}
