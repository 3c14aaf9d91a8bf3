/**
 * Identifies a journal, and counts its commits. Written into the journal with each commit, and into the mark beside
 * it.
 */
export interface Stamp {
  /** 32 hexadecimal digits; a new one when the journal is restored from a backup. */
  readonly identity: string;
  readonly commits: number;
}

const form = /journal-stamp:([0-9a-f]{32}):(\d{16})/g;

/** Always of the same length, so that it can be written in place. */
export function writeStamp({ identity, commits }: Stamp): string {
  return `journal-stamp:${identity}:${String(commits).padStart(16, '0')}`;
}

/** The newest stamp in a text; undefined if there is none. */
export function readStamp(text: string): Stamp | undefined {
  let newest: Stamp | undefined;
  for (const [, identity = '', digits = ''] of text.matchAll(form)) {
    const commits = Number(digits);
    if (newest === undefined || commits > newest.commits) newest = { identity, commits };
  }
  return newest;
}
