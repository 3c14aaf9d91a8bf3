// How long a check takes in two threads, beside one: by the clock, and by the processor's time; and what eight of them need.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { alternate, median } from './pairs.js';
import { tool } from './processes.js';

export async function threads({ accounts, pairs, directory }) {
  const shape = ['--accounts', String(accounts), '--seed', '7', '--shape', 'flat'];
  await tool(['generate', 'export', ...shape], { cwd: directory, isPlain: true });
  const beside = join(directory, 'beside');
  mkdirSync(beside);
  cpSync(join(directory, 'export'), join(beside, 'export'), { recursive: true });
  const used = new Map([1, 2, 8].map((count) => [count, { seconds: [], peaks: [] }]));
  const checked = (count) => async () => {
    const run = await tool(['validate', 'export', '--threads', String(count)], { cwd: directory });
    used.get(count).seconds.push(run.cpuSeconds);
    used.get(count).peaks.push(run.peakMb);
    return run.seconds;
  };
  /** Two checks at once have nothing in common but the machine: half of their time is the least that one can take in two threads. */
  const both = async () => {
    const args = ['validate', 'export', '--threads', '1'];
    const runs = await Promise.all([directory, beside].map((cwd) => tool(args, { cwd })));
    return Math.max(...runs.map(({ seconds }) => seconds)) / 2;
  };
  const wall = await alternate(pairs, checked(2), checked(1));
  const machine = await alternate(pairs, both, checked(1));
  await checked(8)();
  const of = (what) => [2, 1].map((count) => median(used.get(count)[what]));
  const row = (measure, unit, [ours, theirs], reach) => ({
    ...{ measure, against: 'one thread', unit, ours, theirs, ratio: ours / theirs },
    ...(reach === undefined
      ? { reach: '', isReached: true }
      : { reach: `<= ${reach}`, isReached: ours / theirs <= reach }),
  });
  const peak = median(used.get(8).peaks);
  return [
    { ...row('validate in two threads: the clock', 's', [wall.ours, wall.theirs], 0.58), ratio: wall.ratio },
    {
      ...row('half of two such checks at once: the machine', 's', [machine.ours, machine.theirs]),
      ratio: machine.ratio,
    },
    row('validate in two threads: the processor', 's', of('seconds'), 1.12),
    row('validate in two threads: memory', 'MB', of('peaks')),
    {
      ...row('validate in eight threads: memory', 'MB', [peak, median(used.get(1).peaks)]),
      ...{ reach: '<= 400 MB', isReached: peak <= 400 },
    },
  ];
}
