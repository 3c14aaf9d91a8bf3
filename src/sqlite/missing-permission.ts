import { accessSync, constants, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname } from 'node:path';

/**
 * What keeps this user from a database, and the remedy: a directory that cannot be entered, a file that cannot be read or
 * written, a directory in which SQLite cannot create its files, or a read-only file system. Undefined if nothing does.
 */
export function missingPermission(file: string): string | undefined {
  const place = existing(dirname(file));
  if (denied(place, constants.X_OK) !== undefined)
    return `cannot be reached: you may not enter the directory ${place}${remedyFor(place)}`;
  if (denied(file, constants.R_OK) === 'EACCES')
    return `cannot be read: you may not read ${basename(file)}${remedyFor(file)}`;
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    const code = denied(path, constants.W_OK);
    if (code === 'EROFS') return readOnly(file);
    if (code !== undefined)
      return `cannot be written: you may not write to ${basename(path)}${remedyFor(path)}`;
  }
  const code = denied(place, constants.W_OK);
  if (code === 'EROFS') return readOnly(file);
  if (code === undefined) return undefined;
  return statOf(file) === undefined
    ? `cannot be created: you may not create files in ${place}${remedyFor(place)}`
    : `cannot be opened: SQLite keeps two more files beside it, and you may not create files in ${place}${remedyFor(place)}`;
}

function readOnly(file: string): string {
  const place = 'is on a read-only file system. Mount it for writing, or ';
  return statOf(file) === undefined
    ? `${place}name another place`
    : `${place}copy the file, with its -wal file if there is one, to another place and name that`;
}

function remedyFor(path: string): string {
  const owner = statOf(path)?.uid;
  if (owner === undefined || owner === own()) return '. Change its permissions, or name another place';
  return `, which belongs to ${userOf(owner)}. ${ofOneUser}`;
}

/** What the system does not permit (EPERM), and the remedy. `error`: the system's. */
export function notPermitted(file: string, error: Error): string {
  const owner = [file, `${file}-wal`, `${file}-shm`].map((path) => statOf(path)?.uid).find(isOthers);
  if (owner !== undefined)
    return `cannot be restricted to its owner, because it belongs to ${userOf(owner)}. ${ofOneUser}`;
  const call = 'syscall' in error ? String(error.syscall) : '';
  if (call === 'chmod' || call === 'fchmod')
    return 'cannot be restricted to its owner: its file system keeps no permissions. Name a place on another one';
  if (call === 'link')
    return 'cannot be created: its file system has no hard links. Name a place on another one';
  return `cannot be changed: the system does not permit it (EPERM${call === '' ? '' : `, ${call}`}), as for a file that is marked as immutable (lsattr). Remove the mark, or name another place`;
}

/** The rights of a journal are set anew by each run: what was given to a group is taken back. */
const ofOneUser =
  'Run the command as that user, or name another place. A journal in a file is for one user; for several operators, keep it in PostgreSQL';

function isOthers(owner: number | undefined): owner is number {
  return owner !== undefined && owner !== own();
}

function userOf(owner: number): string {
  return owner === 0 ? 'root' : `the user with the id ${owner}`;
}

/** The id of this user; undefined if the system does not know the user. */
function own(): number | undefined {
  try {
    return userInfo().uid;
  } catch {
    return undefined;
  }
}

/** The directory, or the closest one above it that exists. */
function existing(directory: string): string {
  const above = dirname(directory);
  return above === directory || statOf(directory) !== undefined ? directory : existing(above);
}

/** Why the access is denied; undefined if it is not, and if there is no such file. */
function denied(path: string, mode: number): 'EACCES' | 'EROFS' | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'EACCES' || code === 'EROFS' ? code : undefined;
  }
}

function statOf(path: string): { readonly uid: number } | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
