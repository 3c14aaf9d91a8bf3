// How long a check takes in two threads, beside one: by the clock, and by the processor's time.
import { alternate, median } from './pairs.js';
import { tool } from './processes.js';

export async function threads({ accounts, pairs, directory }) {
  const shape = ['--accounts', String(accounts), '--seed', '7', '--shape', 'flat'];
  await tool(['generate', 'export', ...shape], { cwd: directory, isPlain: true });
  const used = new Map([1, 2].map((count) => [count, { seconds: [], peaks: [] }]));
  const checked = (count) => async () => {
    const run = await tool(['validate', 'export', '--threads', String(count)], { cwd: directory });
    used.get(count).seconds.push(run.cpuSeconds);
    used.get(count).peaks.push(run.peakMb);
    return run.seconds;
  };
  const wall = await alternate(pairs, checked(2), checked(1));
  const of = (what) => [2, 1].map((count) => median(used.get(count)[what]));
  const row = (measure, unit, [ours, theirs], reach) => ({
    ...{ measure, against: 'one thread', unit, ours, theirs, ratio: ours / theirs },
    ...(reach === undefined
      ? { reach: '', isReached: true }
      : { reach: `<= ${reach}`, isReached: ours / theirs <= reach }),
  });
  return [
    { ...row('validate in two threads: the clock', 's', [wall.ours, wall.theirs], 0.58), ratio: wall.ratio },
    row('validate in two threads: the processor', 's', of('seconds'), 1.12),
    row('validate in two threads: memory', 'MB', of('peaks')),
  ];
}
