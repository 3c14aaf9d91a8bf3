import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { machine } from '../../src/host/machine.ts';
import { isDead, thisProcess } from '../../src/host/process-identity.ts';

const here = { ...machine(), host: 'night', env: {}, onInterrupt: () => () => undefined };
const isGone = isDead(here);

async function stranger() {
  const child = spawn(process.execPath, ['--eval', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await once(child, 'spawn');
  if (child.pid === undefined) throw new Error('a child without a pid');
  const owner = thisProcess({ ...here, pid: child.pid });
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  return { owner, end };
}

test('a process of this host holds its lease while it runs, and no longer', async () => {
  const { owner, end } = await stranger();
  expect(isGone(owner)).toBe(false);
  await end();
  expect(isGone(owner)).toBe(true);
  expect(isGone({ ...owner, host: 'elsewhere' })).toBe(false);
});

test.runIf(existsSync('/proc/self/ns/pid'))(
  'a killed process holds nothing, though its parent never asks what became of it',
  async () => {
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
      const owner = thisProcess({ ...here, pid: Number(pid.toString()) });
      expect(isGone(owner)).toBe(false);
      process.kill(owner.pid, 'SIGKILL');
      await expect.poll(() => isGone(owner)).toBe(true);
    } finally {
      parent.kill('SIGKILL');
    }
  },
);

test.runIf(existsSync('/proc/self/ns/pid'))(
  'nothing is sure of a process of another container or boot of the same name',
  () => {
    const ours = thisProcess(here);
    expect(isGone({ ...ours, processStart: `${ours.processStart}1` })).toBe(true);
    const theirs = { ...ours, processStart: `${ours.processStart.replace(/pid:\[\d+\]/, 'pid:[1]')}1` };
    expect(isGone(theirs)).toBe(false);
    // In another namespace of clocks, the same process has another start.
    const elsewhen = {
      ...ours,
      processStart: `${ours.processStart.replace(/time:\[\d+\]|(?=\/\d+$)/, 'time:[1]')}1`,
    };
    expect(isGone(elsewhen)).toBe(false);
    // A container may have a boot id of its own.
    expect(isGone({ ...ours, processStart: `0${ours.processStart}` })).toBe(false);
    // Without /proc, nothing is known of the other one.
    expect(isGone({ ...ours, pid: 2 ** 22 - 1, processStart: '' })).toBe(false);
  },
);
