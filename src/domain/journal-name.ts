import { platform } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { escapedPathRemedy, isEscapedPath } from './escaped-path.ts';
import { holdsSecret, serverAddressFault } from './server-address.ts';
import { windowsNameFault } from './windows-name.ts';

/** Whether a journal's name is the address of a database server, and not the path of a file. */
export function isServerAddress(name: string): boolean {
  return /^postgres(ql)?:\/\//i.test(name);
}

const forms = 'must be a path, or postgres://[user@]host[:port]/database';
const withoutPassword =
  'must not contain a password. Remove it, and set PGPASSWORD, use a password file (~/.pgpass), or name journalPasswordFile or journalPasswordCommand';
/** Straight and typographic ones of all languages; both accents are typed for them too. */
const quote = String.raw`["'\u0060\u00b4\u00ab\u00bb\u2018-\u201f\u2039\u203a\u300c-\u300f\uff02\uff07]`;
/** A drive, a share or a directory, with the separators of Windows. */
const ofWindows = /^(?:[a-z]:[\\/]|\.{0,2}\\|[\w.-]+\\)/i;
const invisible = String.raw`[\s\p{Z}\p{Cf}]`;

/**
 * What is wrong with a journal's name, as a predicate that names the remedy and never repeats the name; undefined if it is a
 * path, or an address of the known form. A name that only looks like an address is neither: as a path, it would be
 * another journal on each machine, and a file that is called after a password. On Windows, paths are written as there.
 */
export function journalNameFault(name: string, system = platform()): string | undefined {
  if (isEscapedPath(name)) return `${forms}: ${escapedPathRemedy}`;
  if (/\p{Cc}/u.test(name))
    return `${forms}. It contains a line break or another control character: remove it`;
  if (new RegExp(`^${invisible}|${invisible}$`, 'u').test(name))
    return `${forms}. It begins or ends with a blank or an invisible character: remove it`;
  if (new RegExp(`^${quote}|${quote}$`, 'u').test(name))
    return `${forms}. It begins or ends with a quotation mark: remove it (docker --env-file keeps quotation marks)`;
  if (isServerAddress(name)) {
    const fault = serverAddressFault(name);
    return fault === 'password' ? withoutPassword : fault && `${forms}. ${fault}`;
  }
  const unfit = windowsNameFault(name, system);
  if (system === 'win32' && ofWindows.test(name)) return unfit && `${forms}: ${unfit}`;
  if (!name.startsWith('/') && holdsSecret(name)) return `${forms}, and ${withoutPassword}`;
  if (name.includes('://')) return `${forms}. Addresses of other kinds are not understood`;
  return unfit === undefined ? pathFault(name) : `${forms}: ${unfit}`;
}

function pathFault(name: string): string | undefined {
  if (name.startsWith('//')) return `${forms}. It begins with two slashes: a path begins with one`;
  if (/^(\/|\.\.?\/)/.test(name)) return undefined;
  if (/^~|\$[\w({]|\{\{|^%\w+%|^<.*>$/.test(name))
    return `${forms}. It contains a variable or ~ that was not replaced: write the value itself`;
  if (/^postgres(?:ql)?\/\/|:[^/]*@|%(?:2f|3a|40)/i.test(name))
    return `${forms}. It looks like an address in another form: write the address, or ./ before a path`;
  const [first = ''] = name.split('/');
  if (/[:=@?\\]/.test(first))
    return `${forms}. It is neither: write a path whose first part contains :, =, @, ? or \\ with ./ before it`;
  return undefined;
}

/** A journal's name in full: a path from this directory; an address as it is. */
export function journalFrom(directory: string, name: string): string {
  return isServerAddress(name) ? name : resolve(directory, name);
}

/**
 * The directory of what belongs to a journal and is not in it, such as the embedded platform's state: that of its file, or
 * `.migrate` in the working directory.
 */
export function besideJournal(cwd: string, name: string): string {
  return isServerAddress(name) ? join(cwd, '.migrate') : dirname(resolve(cwd, name));
}
