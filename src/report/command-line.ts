/** The flags of a command that say which settings and which journal it works with, as they were typed. */
export interface GivenFlags {
  readonly config?: string;
  readonly profile?: string;
  readonly journal?: string;
}

/** The flags as a command that is to be typed next goes on with them; '' where none was given. */
export function givenFlags(flags: GivenFlags): string {
  return (['config', 'profile', 'journal'] as const)
    .flatMap((name) => (flags[name] === undefined ? [] : [` --${name} ${quoted(flags[name])}`]))
    .join('');
}

/** A word as a shell takes it whole. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
