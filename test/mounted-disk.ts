import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of its own in memory. */
export interface MountedDisk {
  readonly directory: string;
  /** From now on nothing of it can be changed. */
  makeReadOnly(): void;
  remove(): void;
}

/** Mounts a disk of 1 MiB in a new directory; undefined without the right to. */
export function mountedDisk(): MountedDisk | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'mount-'));
  const mount = (...args: string[]): boolean => spawnSync('mount', args, { stdio: 'ignore' }).status === 0;
  if (!mount('-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', directory)) {
    rmdirSync(directory);
    return undefined;
  }
  return {
    directory,
    makeReadOnly() {
      if (!mount('-o', 'remount,ro', directory)) throw new Error('The disk cannot be mounted as read-only.');
    },
    remove() {
      spawnSync('umount', ['-l', directory]);
      rmdirSync(directory);
    },
  };
}

/** Whether this user may mount a disk. */
export function canMount(): boolean {
  const disk = mountedDisk();
  disk?.remove();
  return disk !== undefined;
}
