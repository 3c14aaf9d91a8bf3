import { platform } from 'node:os';

/** The flags of a command that select settings and journal, as typed. */
export interface GivenFlags {
  readonly config?: string;
  readonly profile?: string;
  readonly journal?: string;
}

/** The flags as text to append to a suggested command; '' if none was given. */
export function givenFlags(flags: GivenFlags): string {
  return (['config', 'profile', 'journal'] as const)
    .flatMap((name) => (flags[name] === undefined ? [] : [` --${name} ${quoted(flags[name])}`]))
    .join('');
}

/** Quotes a word for the shells of this system. */
export function quoted(text: string, system = platform()): string {
  if (system === 'win32') return quotedOnWindows(text);
  return /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * For cmd and PowerShell alike, but for what PowerShell would replace within double quotes: its own quotes are for it alone. It
 * takes typographic quotes (U+2018 to U+201E) for plain ones.
 */
function quotedOnWindows(text: string): string {
  if (/^[\w+=:./\\][\w@+=:./\\-]*$/.test(text)) return text;
  if (/["\u201c-\u201e$`]/.test(text)) return `'${text.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
  // A backslash before the closing quote would be taken for part of it.
  return `"${text.replace(/\\+$/, '$&$&')}"`;
}
