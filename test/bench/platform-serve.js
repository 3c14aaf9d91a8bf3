// The embedded platform as a process of its own. Needs `npm run build` first.
import { setTimeout } from 'node:timers/promises';
import { defaultOperator } from '../../dist/platform/operator.js';
import { startPlatform } from '../../dist/platform/platform.js';

const { url, apiKey } = await startPlatform({
  stateFile: process.argv[2],
  operator: defaultOperator,
  clock: {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
  },
  random: Math.random,
  port: 0,
  host: '127.0.0.1',
  log: () => undefined,
});
process.send({ url, apiKey });
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send(user + system);
});
