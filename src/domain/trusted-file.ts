import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { constants, open } from 'node:fs/promises';
import { dirname } from 'node:path';
// The user of a process does not change, so nothing is gained by passing it in; Windows has none.
import system from 'node:process';
import { markedText } from './marked-text.ts';
import { openElsewhere } from './open-elsewhere.ts';

const sticky = 0o1000;
const writtenByGroup = 0o020;
const writtenByAll = 0o002;

/** A file that is not read, and why. `reason` completes a sentence that begins with its path, and has the remedy. */
export class FileNotTrusted extends Error {
  readonly path: string;
  readonly reason: string;
  /** Whether it is refused only for belonging to another user. */
  readonly isOthers: boolean;

  constructor(path: string, reason: string, isOthers = false) {
    super(`${path} ${reason}`);
    this.path = path;
    this.reason = reason;
    this.isOthers = isOthers;
  }
}

interface Trust {
  /** The user named this very file, so that it may belong to another user. Its mode counts all the same. */
  readonly isChosen?: boolean;
}

/**
 * Reads a file that decides what the tool does or sends: a configuration, mapping, contract or secret. It must be
 * a regular file that belongs to the user or to root, and that no other user can write or replace. Throws FileNotTrusted before
 * it opens any other, and the system's errors.
 */
export async function readTrusted(path: string, trust: Trust = {}): Promise<Buffer> {
  requireTrusted(path, trust);
  return readRegular(path);
}

/** The same as text: UTF-8, or UTF-16 with a byte order mark. */
export async function readTrustedText(path: string, trust: Trust = {}): Promise<string> {
  const bytes = await readTrusted(path, trust);
  return markedText(bytes) ?? bytes.toString('utf8');
}

/**
 * Reads a file of data, whoever owns it, if it is a regular file: a pipe would wait for ever, a device never end.
 * Throws FileNotTrusted, and the system's errors.
 */
export async function readRegular(path: string): Promise<Buffer> {
  requireRegular(path, statSync(path));
  // Does not wait if a pipe has taken the file's place in the meantime.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    requireRegular(path, await file.stat());
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Throws FileNotTrusted if another user could decide what is in the file; the system's errors if there is none. */
export function requireTrusted(path: string, { isChosen = false }: Trust = {}): void {
  const found = statSync(path);
  requireRegular(path, found);
  const user = system.geteuid?.();
  // Windows keeps rights in lists, which Node cannot read.
  if (user === undefined) return;
  if (!isChosen) requireOwner(path, found, user);
  requireMode(path, found, user);
  const real = realpathSync(path);
  requireFolder(real, found, user, isChosen);
  // Whoever can replace the link decides as well.
  const link = lstatSync(path);
  if (link.isSymbolicLink()) requireFolder(path, link, user, isChosen);
}

function requireRegular(path: string, found: Stats): void {
  if (found.isFile()) return;
  // As the system itself says it of a directory.
  if (found.isDirectory())
    throw Object.assign(new Error('EISDIR'), { code: 'EISDIR', syscall: 'read', path });
  throw new FileNotTrusted(path, `is ${irregular(found) ?? ''}, not a file. Name a regular file.`);
}

/** What is at a path that is neither a file nor a directory, in words: to open it may wait for ever. */
export function irregularAt(path: string): string | undefined {
  try {
    return irregular(statSync(path));
  } catch {
    // Whoever opens it says why it cannot be read.
    return undefined;
  }
}

function irregular(found: Stats): string | undefined {
  if (found.isFile() || found.isDirectory()) return undefined;
  return found.isFIFO() ? 'a pipe' : found.isSocket() ? 'a socket' : 'a device';
}

function requireOwner(path: string, { uid }: Stats, user: number): void {
  if (isOurs(uid, user)) return;
  throw new FileNotTrusted(
    path,
    `belongs to user ${uid}, not to you (user ${user}), so it is not read: it decides what is sent, where, and which commands are run. ` +
      `Check it, then take it over: chown ${user} ${quoted(path)}`,
    true,
  );
}

function requireMode(path: string, found: Stats, user: number): void {
  const others = whoWrites(found, user);
  if (others === undefined) return;
  throw new FileNotTrusted(
    path,
    `can be written by ${others} (owner ${found.uid}, mode ${modeOf(found)}), so it is not read. Check it, then: chmod go-w ${quoted(path)}`,
  );
}

/** A directory's writers can put another file in its place, unless it is sticky and the file is not theirs. */
function requireFolder(path: string, file: Stats, user: number, isChosen: boolean): void {
  const folder = dirname(path);
  const found = statSync(folder);
  if (!isChosen && !isOurs(found.uid, user))
    throw new FileNotTrusted(
      path,
      `is in a directory of user ${found.uid}, who can replace it, so it is not read. Move it to a directory of your own.`,
      true,
    );
  const others = whoWrites(found, user);
  const isKept = (found.mode & sticky) !== 0 && (isChosen || isOurs(file.uid, user));
  if (others === undefined || isKept) return;
  throw new FileNotTrusted(
    path,
    `can be replaced by ${others}, who can write its directory (owner ${found.uid}, mode ${modeOf(found)}), so it is not read. ` +
      `Check it, then: chmod go-w ${quoted(folder)}`,
  );
}

function isOurs(uid: number, user: number): boolean {
  return uid === user || uid === 0;
}

/** Who else may write; undefined if nobody. A group of the same number as its user is that user's own. */
function whoWrites({ mode, uid, gid }: Stats, user: number): string | undefined {
  if ((mode & writtenByAll) !== 0) return 'every user';
  const isOwnGroup = uid === user && gid === user && user !== 0;
  return (mode & writtenByGroup) !== 0 && !isOwnGroup ? `group ${gid}` : undefined;
}

function modeOf({ mode }: Stats): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}

function quoted(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Why a file cannot be read, as the end of a sentence that begins with its path; with the remedy. Throws what is
 * no refusal of the file.
 */
export function whyUnread(error: unknown): string {
  if (error instanceof FileNotTrusted) return error.reason;
  if (!(error instanceof Error && 'code' in error)) throw error;
  const code = String(error.code);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist. Check the path.';
  if (code === 'EISDIR') return 'is a directory. Name a file.';
  return openElsewhere(error) ?? `cannot be read (${code}). Check its permissions.`;
}
