import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Where a container's limit of processor time stands: in one file of the second version of control groups, in two of the first. */
const groups = '/sys/fs/cgroup';

/** How many processors this process may use at a time, at least 1: those of the machine, or what a container's limit is worth, rounded down. */
export function processors(read: (path: string) => string | undefined = textOf): number {
  const limit = limitOfSecond(read) ?? limitOfFirst(read) ?? Infinity;
  return Math.max(1, Math.min(availableParallelism(), Math.floor(limit)));
}

type Read = (path: string) => string | undefined;

/** `max 100000`, or microseconds of processor time and of the period in which they may be used. */
function limitOfSecond(read: Read): number | undefined {
  const [quota, period] = read(`${groups}/cpu.max`)?.trim().split(' ') ?? [];
  return share(quota, period);
}

function limitOfFirst(read: Read): number | undefined {
  return share(read(`${groups}/cpu/cpu.cfs_quota_us`), read(`${groups}/cpu/cpu.cfs_period_us`));
}

function share(quota: string | undefined, period: string | undefined): number | undefined {
  const processors = Number(quota) / Number(period);
  return processors > 0 && Number.isFinite(processors) ? processors : undefined;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
