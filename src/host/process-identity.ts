import { readFileSync, readlinkSync } from 'node:fs';
import { uptime } from 'node:os';
import type { Clock } from '../domain/clock.ts';
import type { Boot, LeaseOwner } from '../journal/journal.ts';
import type { Environment } from './environment.ts';

/** The identity of this process, from which another can determine whether it still runs. */
export function thisProcess(environment: Environment): LeaseOwner {
  return { host: environment.host, pid: environment.pid, processStart: startOf(environment.pid) };
}

/**
 * Whether the owner of a lease is certainly gone: it ran under the same boot and in the same namespaces of process ids
 * and clocks, and its process is absent, ended, or another one by its start. What cannot be seen is not gone: containers and
 * virtual machines may share the host's name, /proc may be hidden, and then only the lease itself tells.
 */
export function isDead(environment: Environment): (owner: LeaseOwner) => boolean {
  return ({ host, pid, processStart }) => {
    if (host !== environment.host || !areSeen(processStart, startOf(environment.pid))) return false;
    if (!exists(pid)) return true;
    const now = startOf(pid);
    return now !== '' && now !== processStart;
  };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Whether processes that started so see each other, by the same clock; outside Linux, where no start is known, all of a host do.
 */
function areSeen(its: string, ours: string): boolean {
  if (its === '' || ours === '') return its === ours && process.platform !== 'linux';
  const [itsBoot, itsPids] = its.split('/');
  const [boot, pids] = ours.split('/');
  return itsBoot === boot && itsPids === pids;
}

/** The start of a process that has ended, and whose parent has not asked for its exit code. */
const ended = 'ended';

/**
 * When the process started, on Linux: the boot's id, the namespaces of its pid and of this process's clock, and ticks. '' if that
 * cannot be seen.
 */
function startOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const pids = `${readlinkSync('/proc/self/ns/pid')}${clockNamespace()}`;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Killed, and its parent has not asked for its exit code: a container's first process may never do so.
    if (fields[0] === 'Z' || fields[0] === 'X') return ended;
    return `${boot}/${pids}/${fields[19] ?? ''}`;
  } catch {
    return '';
  }
}

/** In another one, the same process has another start. '' where the kernel has none (before Linux 5.6). */
function clockNamespace(): string {
  try {
    return `+${readlinkSync('/proc/self/ns/time')}`;
  } catch {
    return '';
  }
}

/** The boot time of this machine, by its current clock; its id is '' if the system gives none. */
export function bootOf(clock: Pick<Clock, 'now'>): Boot {
  return { id: bootId(), at: Math.round(clock.now() - uptime() * 1000) };
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
