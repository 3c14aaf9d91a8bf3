// How many answers per second the embedded platform gives for stage and process, beside a bare node:http server that
// only parses and answers; all of them in turn within each round, so that whatever else runs here troubles all alike.
//   npm run build && node test/bench/platform.js [accounts stored ...]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { openStore } from '../../dist/platform/store/open-store.js';
import { tokenMutation, tokenPath } from '../../dist/contract/schemas/token.js';
import { answersPerSecond } from './platform-load.js';
import { benchAccount } from './platform-account.js';

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10_000, 100_000, 1_000_000];
const rounds = 15;
const perRound = 1500;
const paths = {
  validate: '/v1/data-import/validate-account/',
  stage: '/v1/data-import/account-import-process/create-or-update/',
  process: '/v1/data-import/account-import-process/process/',
};

const directory = mkdtempSync(join(tmpdir(), 'platform-bench-'));
const servers = [];
try {
  servers.push({ name: 'bare', ...(await start('platform-bare.js')), authorization: '' });
  for (const size of sizes) {
    const file = join(directory, `${size}.db`);
    fill(file, size);
    const platform = await start('platform-serve.js', file);
    servers.push({
      name: `${size} accounts`,
      ...platform,
      authorization: `Token ${await obtainToken(platform)}`,
    });
  }
  const measured = servers.map(() => ({}));
  // The first two rounds warm all of them up, and are not counted.
  for (let round = -2; round < rounds; round++) {
    const numbers = Array.from({ length: perRound }, (_, at) => `${round}-${at}`);
    const [unseen, validated] = ['U', 'V'].map((prefix) =>
      numbers.map((number) => JSON.stringify(benchAccount(prefix + number))),
    );
    const orders = numbers.map((number) => JSON.stringify(orderFor(`V${number}`)));
    for (const [at, server] of servers.entries()) {
      const timed = async (row, path, bodies) => {
        const before = await server.cpu();
        const rate = await answersPerSecond(server.url, path, server.authorization, bodies, [200, 201]);
        const used = ((await server.cpu()) - before) / perRound;
        if (round >= 0) (measured[at][row] ??= []).push({ rate, used });
      };
      await timed('stage, never seen before', paths.stage, unseen);
      await timed('validate', paths.validate, validated);
      await timed('stage, validated before', paths.stage, validated);
      await timed('process', paths.process, orders);
    }
  }
  for (const row of Object.keys(measured[0])) {
    console.log(`${row}: medians of ${rounds} rounds of ${perRound} requests, 32 in flight`);
    console.table(servers.map(({ name }, at) => rowOf(name, measured[at][row], measured[0][row])));
  }
} finally {
  for (const { stop } of servers) await stop();
  rmSync(directory, { recursive: true, force: true });
}

function rowOf(name, own, bare) {
  return {
    server: name,
    'answers/s': Math.round(median(own.map(({ rate }) => rate))),
    'of bare': median(own.map(({ rate }, round) => rate / bare[round].rate)).toFixed(2),
    'CPU µs/answer': Math.round(median(own.map(({ used }) => used))),
  };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function orderFor(number) {
  return {
    import_supplier_code: 'TENTACLE_ENERGY',
    external_account_number: number,
    operations_team_name: 'MIGRATIONS',
  };
}

/** Imported accounts, written straight into the state. */
function fill(file, count) {
  const store = openStore(file);
  const write = store.db.transaction((from, to) => {
    for (let at = from; at < to; at++) {
      const key = { supplier: 'TENTACLE_ENERGY', account: `F-${(at * 7919) % count}-${at}` };
      const text = JSON.stringify(benchAccount(key.account));
      store.stageAccount(key, undefined, { text, rules: '' });
      store.importAccount(store.findAccount(key).processId, '2024-01-01T00:00:00Z', 'MIGRATIONS');
    }
  });
  for (let from = 0; from < count; from += 10_000) write(from, Math.min(from + 10_000, count));
  store.db.close();
}

async function obtainToken({ url, apiKey }) {
  const { body } = await request(url + tokenPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: tokenMutation, variables: { apiKey } }),
  });
  return (await body.json()).data.obtainKrakenToken.token;
}

/** Runs a server as a process of its own; it says where it is, and, when asked, the processor time it has used (µs). */
async function start(script, ...args) {
  const child = fork(join(import.meta.dirname, script), args);
  const [said] = await once(child, 'message');
  return {
    ...said,
    cpu: async () => {
      child.send('cpu');
      return (await once(child, 'message'))[0];
    },
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}
