import { closeSync, openSync } from 'node:fs';
import { platform } from 'node:os';
import { hostShortage } from '../domain/host-shortage.ts';
import { openElsewhere } from '../domain/open-elsewhere.ts';
import { processLimit } from '../domain/process-limit.ts';
import { missingPermission, notPermitted } from './missing-permission.ts';
import { DatabaseRefused, type RefusalReason } from '../domain/database-refused.ts';

export const remedy =
  'Restore it from a backup (a journal by `migrate journal restore FILE` with the same --config, --profile and --journal), or move it away to start a new one';
/** The fault of a damaged file, and the remedy. */
export const damaged = `is damaged. ${remedy}`;

const diskError = 'cannot be read or written: the disk reports an error. Check it, and run again';

const reasons: Readonly<Record<string, [RefusalReason, string]>> = {
  SQLITE_CORRUPT: ['damaged', damaged],
  SQLITE_NOTADB: ['damaged', `is damaged or not a database. ${remedy}`],
  SQLITE_NOMEM: [
    'unwritable',
    'cannot be used: this machine has no memory left. End other programs, or give it more, and run again',
  ],
  SQLITE_IOERR_NOMEM: [
    'unwritable',
    'cannot be used: this machine has no memory left. End other programs, or give it more, and run again',
  ],
  SQLITE_PROTOCOL: ['locked', 'is locked by another program. Wait for it to end, or find out what holds it'],
  SQLITE_NOLFS: ['unwritable', 'is larger than its file system can hold. Name a place on another one'],
  SQLITE_BUSY: ['locked', 'is locked by another program. Wait for it to end, or find out what holds it'],
  SQLITE_READONLY: ['unwritable', 'cannot be written. Check its permissions'],
  SQLITE_CANTOPEN: ['unwritable', 'cannot be opened. Check the directory and its permissions'],
  SQLITE_FULL: ['unwritable', 'cannot grow: the disk is full. Free space and run again'],
  SQLITE_IOERR_SHMSIZE: [
    'unwritable',
    'cannot be opened: the disk is full, even for the 32 KiB that SQLite needs beside it. Free space and run again',
  ],
  SQLITE_IOERR: ['unwritable', diskError],
  EIO: ['unwritable', diskError],
  EACCES: ['unwritable', 'cannot be opened. Check the permissions of the file and its directory'],
  EEXIST: ['unwritable', 'cannot be created: something else is in its place. Name another place'],
  EROFS: ['unwritable', 'is on a read-only file system. Name another place'],
  ENOSPC: ['unwritable', 'cannot be written: the disk is full. Free space and run again'],
  ENOENT: ['unwritable', 'cannot be created: part of its path does not exist. Check the path'],
  ENOTDIR: ['unwritable', 'cannot be created: part of its path is not a directory'],
};

interface System {
  /** Its name, as Node has it. */
  readonly name: string;
  /** Opens a file for reading and writing, and closes it. Throws the system's errors. */
  readonly open: (file: string) => void;
}

const own: System = {
  name: platform(),
  open: (file) => {
    closeSync(openSync(file, 'r+'));
  },
};

/** The refusal for an error of SQLite or of the file system; any other error unchanged. */
export function refusalOf(
  error: unknown,
  file: string,
  spec: { readonly what: string },
  system: System = own,
): unknown {
  if (error instanceof DatabaseRefused || !(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  const denied = openElsewhere(error, system.name) ?? deniedBehind(file, code, system);
  if (denied !== undefined)
    return new DatabaseRefused('unwritable', `The ${spec.what} ${file} ${denied}`, { cause: error });
  if (code === 'EPERM')
    return new DatabaseRefused('unwritable', `The ${spec.what} ${file} ${notPermitted(file, error)}.`, {
      cause: error,
    });
  const known = reasons[code] ?? reasons[code.split('_').slice(0, 2).join('_')] ?? systemsOwn(error, code);
  if (known === undefined) return error;
  const missing = concernsPermission.test(code)
    ? (missingPermission(file) ?? shortageBehind(file, code) ?? sizeLimit(code))
    : undefined;
  return new DatabaseRefused(known[0], `The ${spec.what} ${file} ${missing ?? known[1]}.`, { cause: error });
}

/** A disk that turned read-only also gives SQLITE_IOERR. */
const concernsPermission = /^(?:SQLITE_(?:READONLY|CANTOPEN|IOERR)|EACCES|EROFS)/;

/** For errors of the file system without a message above: network and FUSE file systems have many. */
function systemsOwn(error: Error, code: string): [RefusalReason, string] | undefined {
  if (!('syscall' in error)) return undefined;
  const shortage = hostShortage(error);
  if (shortage !== undefined) return ['unwritable', `cannot be read or written: ${withoutStop(shortage)}`];
  return [
    'unwritable',
    `cannot be read or written: its file system reports ${code}. Check it, or name another place`,
  ];
}

/** On Windows, SQLite says the same of a file without rights and of one that another program keeps to itself: the system says which. */
function deniedBehind(file: string, code: string, { name, open }: System): string | undefined {
  // Elsewhere, to close the file would release SQLite's own locks on it.
  if (name !== 'win32' || !concernsPermission.test(code)) return undefined;
  try {
    open(file);
    return undefined;
  } catch (error) {
    return openElsewhere(error, name);
  }
}

/** SQLite does not say why it cannot open a file: the system does, if it is asked for the same. */
function shortageBehind(file: string, code: string): string | undefined {
  if (!code.startsWith('SQLITE_CANTOPEN')) return undefined;
  try {
    closeSync(openSync(file, 'r'));
    return undefined;
  } catch (error) {
    const shortage = hostShortage(error);
    return shortage === undefined ? undefined : `cannot be opened: ${withoutStop(shortage)}`;
  }
}

/** A file that may not grow gives the error of a disk. */
function sizeLimit(code: string): string | undefined {
  const limit = code.startsWith('SQLITE_IOERR') ? processLimit('Max file size') : undefined;
  if (limit === undefined) return undefined;
  return `cannot be read or written: a file would have more than the ${limit.toLocaleString('en')} bytes that this process may write (ulimit -f, LimitFSIZE=), or the disk reports an error. Raise the limit, check the disk, and run again`;
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
