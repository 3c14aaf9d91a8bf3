import { readFileSync, readlinkSync } from 'node:fs';
import { platform, uptime } from 'node:os';
import type { Clock } from '../domain/clock.ts';
import type { Boot, IsDead, LeaseOwner } from '../journal/journal.ts';
import type { Environment } from './environment.ts';
import { creationsOn } from './process-creation.ts';
import { ReusedIds } from './reused-ids.ts';
import { isWallStart, wallStart } from './wall-start.ts';

/** The identity of this process, from which another can determine whether it still runs. */
export function thisProcess(environment: Environment, system: string = platform()): LeaseOwner {
  const { host, pid } = environment;
  return { host, pid, processStart: system === 'linux' ? startOf(pid) || unseen : wallStart() };
}

/** A start that cannot be seen: no other process is compared with it, on no system. */
const unseen = 'unseen';

/** What a system says of other processes. */
interface Witness {
  readonly system: string;
  /** Outside Linux. */
  readonly reused: ReusedIds;
  /** Sends a signal as process.kill does; 0 only looks. */
  readonly signal: (pid: number, signal: 0) => unknown;
}

/** One for the whole process: what the system has said of an owner is not asked again. */
const ours: Witness = {
  system: platform(),
  reused: new ReusedIds(creationsOn(platform())),
  signal: (pid, signal) => process.kill(pid, signal),
};

/**
 * Whether the owner of a lease is certainly gone. On Linux: it had the same boot and the same namespaces of process ids and clocks, and its
 * process is absent, ended, or another one by its start. Elsewhere: no process has its id, or that process was created later. What cannot be
 * seen is not gone: only the lease itself tells.
 */
export function isDead(environment: Environment, witness: Witness = ours): IsDead {
  const { host, clock } = environment;
  if (witness.system === 'linux')
    return (owner) => owner.host === host && isDeadOnLinux(owner, environment, witness);
  const isHere = (owner: LeaseOwner): boolean => owner.host === host && isWallStart(owner.processStart);
  const isGone = (owner: LeaseOwner): boolean =>
    isHere(owner) && (!exists(owner.pid, witness) || witness.reused.isReused(owner, clock.monotonic()));
  const ask = (owners: readonly LeaseOwner[]): Promise<void> =>
    witness.reused.ask(
      owners.filter((owner) => isHere(owner) && exists(owner.pid, witness)),
      clock.monotonic(),
    );
  return Object.assign(isGone, { ask });
}

function isDeadOnLinux(
  { pid, processStart }: LeaseOwner,
  environment: Environment,
  witness: Witness,
): boolean {
  if (!areSeen(processStart, startOf(environment.pid))) return false;
  if (!exists(pid, witness)) return true;
  const now = startOf(pid);
  return now !== '' && now !== processStart;
}

/** Only ESRCH proves that there is no such process: EPERM says that it is another user's. */
function exists(pid: number, { signal }: Pick<Witness, 'signal'>): boolean {
  try {
    signal(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Whether processes that started so see each other, by the same clock. */
function areSeen(its: string, own: string): boolean {
  if (its === '' || own === '') return false;
  const [itsBoot, itsPids] = its.split('/');
  const [boot, pids] = own.split('/');
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
