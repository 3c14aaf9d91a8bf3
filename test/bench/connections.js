// What a connection of its own costs a request, beside one over a connection that is kept: processor time of this process.
import { performance } from 'node:perf_hooks';
import { createClient } from '../../dist/client/create-client.js';
import { alternate } from './pairs.js';
import { startTarget } from './processes.js';

const requests = Number(process.argv[2] ?? 5000);
const inFlight = 32;
const target = await startTarget();
const client = createClient({
  baseUrl: target.url,
  credentials: { token: 'bench' },
  connections: inFlight,
  timeouts: { connect: 10_000, headers: 60_000, body: 60_000, request: 240_000 },
  clock: {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    // No request takes so long that its deadline matters; the process ends before.
    sleep: () => new Promise(() => undefined),
  },
});
const body = JSON.stringify({ import_supplier: 'TENTACLE_ENERGY', external_account_number: 'A00000001' });

/** Microseconds of the processor for each request. */
async function measured(fresh) {
  const before = process.cpuUsage();
  let left = requests;
  const send = async () => {
    while (left-- > 0) {
      const answer = await client.post('agreements', body, { fresh });
      if (answer.kind !== 'ok') throw new Error(`A request ended with ${JSON.stringify(answer)}.`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, send));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requests;
}

const { ours, theirs, ratio } = await alternate(
  5,
  () => measured(true),
  () => measured(false),
);
process.stdout.write(
  `fresh ${ours.toFixed(0)} µs, kept ${theirs.toFixed(0)} µs of the processor each (${ratio.toFixed(2)} times)\n`,
);
await client.close();
await target.stop();
