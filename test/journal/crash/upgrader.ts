// Upgrades a journal; a kill within its transaction is an option. Arguments: journal file, the step of the upgrade at which to kill itself.
import { writeSync } from 'node:fs';
import { upgradeJournal } from '../../../src/journal/sqlite/upgrade-journal.ts';

const [, , file = '', killAt] = process.argv;
const say = (message: string): void => void writeSync(1, `${message}\n`);
const owner = { host: 'here', pid: process.pid, processStart: '' };

function isDead({ pid }: { readonly pid: number }): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

let step = 0;
const upgraded = await upgradeJournal(file, {
  now: Date.now(),
  isDead,
  owner,
  by: { user: 'jane', host: 'here', version: '0.2.0' },
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  tell: say,
  step: () => {
    step += 1;
    if (String(step) === killAt) process.kill(process.pid, 'SIGKILL');
  },
});
say(upgraded === undefined ? 'nothing to do' : 'upgraded');
