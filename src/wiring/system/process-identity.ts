import { readFileSync } from 'node:fs';
import type { LeaseOwner } from '../../journal/journal.ts';
import type { Surroundings } from '../surroundings.ts';

/** Who this process is, so that another can tell whether it still runs. */
export function thisProcess(surroundings: Surroundings): LeaseOwner {
  return { host: surroundings.host, pid: surroundings.pid, processStart: startOf(surroundings.pid) };
}

/** Whether the owner of a lease is surely gone: it ran on this host, and no process of that pid and start does. */
export function isDead(surroundings: Surroundings): (owner: LeaseOwner) => boolean {
  return (owner) =>
    owner.host === surroundings.host && (!exists(owner.pid) || startOf(owner.pid) !== owner.processStart);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** When the process started, in the system's own words: boot id and ticks since boot on Linux, '' elsewhere. */
function startOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${boot}/${fields[19] ?? ''}`;
  } catch {
    return '';
  }
}
