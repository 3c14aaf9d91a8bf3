import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Tells the type of the file system that a directory is on: Linux's number (statfs(2), f_type). */
export type FileSystemType = (directory: string) => number;

/**
 * Their locks are not to be relied on between machines, and their shared memory not at all. FUSE stands for whatever a
 * program behind it does (sshfs, object stores): nothing is known of its locks.
 */
const networks: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x65735546, 'FUSE'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  [0x19830326, 'BeeGFS'],
]);

/** The network file system that a file is on, or would be; undefined for a local disk, and where nobody can tell. */
export function networkFileSystem(file: string, typeOf: FileSystemType = systemType): string | undefined {
  for (let directory = dirname(file); ; directory = dirname(directory)) {
    try {
      // Some systems give the number with a sign.
      return networks.get(typeOf(directory) >>> 0);
    } catch {
      // It is made later, in the nearest directory that there is.
      if (directory === dirname(directory)) return undefined;
    }
  }
}

function systemType(directory: string): number {
  return statfsSync(directory).type;
}
