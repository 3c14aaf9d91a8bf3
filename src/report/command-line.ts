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

/** Quotes a word for a shell. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
