import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { machine } from '../../src/host/machine.ts';
import { isDead, thisProcess } from '../../src/host/process-identity.ts';
import { creationsOn, timesIn } from '../../src/host/process-creation.ts';
import { ReusedIds } from '../../src/host/reused-ids.ts';
import { isLater, wallStart } from '../../src/host/wall-start.ts';

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
  'a killed process holds nothing, though its parent never asks what became of it (needs Linux)',
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
  'nothing is sure of a process of another container or boot of the same name (needs Linux)',
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

describe('outside Linux', () => {
  const started = 1_764_500_000_000;
  const minute = 60_000;
  let pid = 100;
  const holder = (processStart = `at/${started}`) => ({ host: here.host, pid: (pid += 1), processStart });
  /** A system on which each process that is looked for exists, and was created then; undefined: it does not say. */
  const seen = (created: number | undefined, system = 'win32') => {
    const asked: (readonly number[])[] = [];
    const said = { created, at: 0 };
    const answer = (pids: readonly number[]): ReadonlyMap<number, number> => {
      asked.push(pids);
      return new Map(said.created === undefined ? [] : pids.map((one) => [one, said.created ?? 0] as const));
    };
    const creations = {
      now: (one: number) => answer([one]),
      soon: (pids: readonly number[]) => Promise.resolve(answer(pids)),
    };
    const clock = { ...here.clock, monotonic: () => said.at };
    const witness = { system, reused: new ReusedIds(creations), signal: () => true };
    return { asked, said, isGone: isDead({ ...here, clock }, witness) };
  };
  const silent = new ReusedIds({ now: () => new Map(), soon: () => Promise.resolve(new Map()) });

  test('a lease says when its process ran, and its own process holds it', () => {
    const owner = thisProcess(here, 'win32');
    const ran = Number(owner.processStart.slice('at/'.length));
    expect(Math.abs(ran - performance.timeOrigin)).toBeLessThan(2);
    expect(seen(ran - 100).isGone(owner)).toBe(false);
  });

  test.each(['win32', 'darwin'])('on %s, a later process with the same id holds nothing', (system) => {
    expect(seen(started + 60 * minute, system).isGone(holder())).toBe(true);
  });

  test('the process itself was created before it looked at the clock, or, where that was set, a little after', () => {
    expect(seen(started - 200).isGone(holder())).toBe(false);
    expect(seen(started + 4 * minute).isGone(holder())).toBe(false);
  });

  test('a system that does not say it, and a version that recorded no start, prove nothing', () => {
    expect(seen(undefined).isGone(holder())).toBe(false);
    const { asked, isGone } = seen(started + 60 * minute);
    expect(isGone(holder(''))).toBe(false);
    expect(asked).toEqual([]);
  });

  test('a start that another system of the same name could not see proves nothing, though its id is free here', () => {
    const isGone = isDead(here, {
      system: 'win32',
      reused: silent,
      signal: () => {
        throw Object.assign(new Error('no such process'), { code: 'ESRCH' });
      },
    });
    expect(isGone(holder())).toBe(true);
    const { processStart } = thisProcess({ ...here, pid: -1 }, 'linux');
    expect(isGone(holder(processStart))).toBe(false);
  });

  test('the system is asked once of each owner', () => {
    const { asked, isGone } = seen(started);
    const owner = holder();
    expect([isGone(owner), isGone(owner), asked]).toEqual([false, false, [[owner.pid]]]);
  });

  test('the system is asked of several owners at once, and of none that it cannot know', async () => {
    const { asked, isGone } = seen(started + 60 * minute);
    const [first, second] = [holder(), holder()];
    const others = [{ ...holder(), host: 'elsewhere' }, holder(''), holder('boot/pid:[1]/7')];
    await isGone.ask?.([first, ...others, second]);
    await isGone.ask?.([first, second]);
    expect([isGone(first), isGone(second), ...others.map(isGone)]).toEqual([true, true, false, false, false]);
    expect(asked).toEqual([[first.pid, second.pid]]);
  });

  test('a question without an answer is asked again, but not within a minute', async () => {
    const { asked, said, isGone } = seen(undefined);
    const owner = holder();
    await isGone.ask?.([owner]);
    said.created = started + 60 * minute;
    said.at = minute - 1;
    expect([isGone(owner), asked.length]).toEqual([false, 1]);
    said.at = minute;
    expect([isGone(owner), asked.length]).toEqual([true, 2]);
  });

  test('only a system that knows of no such process proves that it has ended', () => {
    const gone = (code: string) =>
      isDead(here, {
        system: 'win32',
        reused: silent,
        signal: () => {
          throw Object.assign(new Error(code), { code });
        },
      })(holder());
    expect([gone('ESRCH'), gone('EPERM'), gone('EACCES'), gone('UNKNOWN')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('a lease of Linux that has the name of this machine, as in WSL, proves nothing on Windows', () => {
    const absent = { system: 'win32', reused: silent, signal: process.kill.bind(process) };
    expect(isDead(here, absent)({ ...holder('boot/pid:[1]/7'), pid: 2 ** 22 - 1 })).toBe(false);
  });

  test.runIf(existsSync('/bin/ps'))('ps, as on macOS, tells when processes were created', async () => {
    const { now, soon } = creationsOn('darwin');
    const created = now(process.pid).get(process.pid) ?? 0;
    expect(isLater(created, wallStart())).toBe(false);
    expect(isLater(created, 'at/0')).toBe(true);
    const absent = 2 ** 22 - 1;
    expect([...(await soon([absent, process.pid, process.ppid])).keys()].toSorted()).toEqual(
      [process.pid, process.ppid].toSorted(),
    );
    expect([now(absent).size, (await soon([absent])).size]).toEqual([0, 0]);
  });

  test('a system that starts no program for the question answers nothing', async () => {
    // An argument that is too long for it.
    const all = Array.from({ length: 40_000 }, (_, at) => 1_000_000 + at);
    expect((await creationsOn('darwin').soon(all)).size).toBe(0);
  });

  test('the times of both systems are read as UTC', () => {
    const said =
      '  17 Mon Nov 30 13:26:35 2026\n   4 no such process\n18 2026-11-30T13:26:35.1234567Z\r\n\r\n';
    const at = Date.UTC(2026, 10, 30, 13, 26, 35);
    expect([...timesIn(said)]).toEqual([
      [17, at],
      [18, at + 123],
    ]);
  });
});
