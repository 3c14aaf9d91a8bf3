import { readFileSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname } from 'node:path';

export interface FileSystem {
  /** Linux's number of its type (statfs(2), f_type). */
  readonly type: number;
  /** The type as Linux names it in the list of mounts: 'ext4', 'fuse.sshfs'; 'drvfs' for a drive of Windows. Undefined if unknown. */
  readonly name: string | undefined;
}

/** Returns the file system of a file or directory; throws if there is none. */
export type FileSystemOf = (path: string) => FileSystem;

/** As `networkFileSystem` names them. */
export const windowsShare = 'a share of Windows';
export const wslDrive = 'a drive of Windows, through WSL';

const fuse = 0x65735546;
const plan9 = 0x01021997;

/** Their locks are not reliable between machines, and their shared memory does not work. */
const networks: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  [0x20030528, 'OrangeFS'],
  [0x19830326, 'BeeGFS'],
  [0x786f4256, 'a shared folder of VirtualBox'],
]);

/** FUSE can be any program (sshfs, an object store). These are known to be local, or as local as the directory that they show. */
const localFuse: ReadonlySet<string> = new Set([
  'fuseblk',
  'fuse.fuse-overlayfs',
  'fuse.ntfs-3g',
  'fuse.exfat',
]);

/**
 * The kind of file system that a file is on, or would be, and that is none of this machine or may be none: `NFS`. Undefined for a local
 * disk, and if unknown.
 */
export function networkFileSystem(
  file: string,
  fileSystemOf: FileSystemOf = systemsWord,
): string | undefined {
  if (platform() === 'win32' && isShare(behindDrive(file))) return windowsShare;
  // The file itself, which a link in a local directory may have elsewhere.
  for (let place = file; ; place = dirname(place)) {
    try {
      const { type, name } = fileSystemOf(place);
      if (type === plan9 && name === 'drvfs') return wslDrive;
      if (type !== fuse) return networks.get(type);
      return name !== undefined && localFuse.has(name) ? undefined : `FUSE${kindOf(name)}`;
    } catch {
      // The file will be created in the nearest existing directory.
      if (place === dirname(place)) return undefined;
    }
  }
}

/** The path without a letter that stands for a share; as it is while nothing of it exists. */
function behindDrive(file: string): string {
  for (let place = file; ; place = dirname(place))
    try {
      return realpathSync.native(place);
    } catch {
      // The file will be created in the nearest existing directory.
      if (place === dirname(place)) return file;
    }
}

/** Whether a path of Windows is the address of a share (`\\server\share`), and of no device (`\\.\`) or long path (`\\?\C:\`). */
export function isShare(file: string): boolean {
  return /^[\\/]{2}(?:[^\\/?.]|\?[\\/]UNC[\\/])/i.test(file);
}

/** The program of a FUSE file system, if the system names it. */
function kindOf(name = ''): string {
  const program = name.replace(/^fuse\.?/, '');
  return program === '' ? '' : `: ${program}`;
}

function systemsWord(path: string): FileSystem {
  // Some systems give the number as signed.
  const type = statfsSync(path).type >>> 0;
  return { type, name: type === fuse || type === plan9 ? nameOf(path) : undefined };
}

function nameOf(path: string): string | undefined {
  const { dev } = statSync(path);
  const minor = (dev & 0xff) | ((dev >>> 12) & 0xfff00);
  return mountType(readFileSync('/proc/self/mountinfo', 'utf8'), `${(dev >>> 8) & 0xfff}:${minor}`);
}

/** The type of the mounted file system that has a device number (`major:minor`), from proc(5)'s mountinfo: of a drive of Windows, `drvfs`. */
export function mountType(mountinfo: string, device: string): string | undefined {
  // A variable number of fields is between the device and the type; a dash ends them.
  const mount = mountinfo.split('\n').find((line) => line.split(' ')[2] === device);
  const [type, , options = ''] = mount?.split(' - ')[1]?.split(' ') ?? [];
  // WSL 2 shows drives of Windows by 9P, and says so in the options alone.
  return /(?:^|[,;])aname=drvfs(?:[,;]|$)/.test(options) ? 'drvfs' : type;
}
