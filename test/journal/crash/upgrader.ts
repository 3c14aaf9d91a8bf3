// Upgrades a journal; a kill within its transaction is an option.
// Arguments: the journal's place, the step of the upgrade at which to kill itself (0: none), the password of its server.
import { writeSync } from 'node:fs';
import { journalAt } from '../../../src/journal/journal-at.ts';

const [, , journal = '', killAt, password] = process.argv;
const say = (message: string): void => void writeSync(1, `${message}\n`);
const owner = { host: 'here', pid: process.pid, processStart: '' };
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function isDead({ pid }: { readonly pid: number }): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

let step = 0;
const store = journalAt({
  ...{ journal, synchronous: 'FULL', user: 'nobody', directory: '.', patienceMs: 0 },
  clock: { now: () => Date.now(), monotonic: () => performance.now(), sleep },
  password: () => Promise.resolve(password),
});
const upgraded = await store.upgrade({
  now: Date.now(),
  isDead,
  owner,
  by: { user: 'jane', host: 'here', version: '0.2.0' },
  sleep,
  tell: say,
  step: () => {
    step += 1;
    if (String(step) === killAt) process.kill(process.pid, 'SIGKILL');
  },
});
say(upgraded === undefined ? 'nothing to do' : 'upgraded');
