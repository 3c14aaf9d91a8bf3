/** Which journal this is, and how many commits it has had. Written into the journal with each commit, and beside it. */
export interface Stamp {
  /** 32 hexadecimal digits; another one from the moment that the journal was put back from a backup. */
  readonly identity: string;
  readonly commits: number;
}

const form = /journal-stamp:([0-9a-f]{32}):(\d{16})/g;

/** Always of the same length, so that it can be written in place. */
export function writeStamp({ identity, commits }: Stamp): string {
  return `journal-stamp:${identity}:${String(commits).padStart(16, '0')}`;
}

/** The newest stamp in a text; undefined where it has none. */
export function readStamp(text: string): Stamp | undefined {
  let newest: Stamp | undefined;
  for (const [, identity = '', digits = ''] of text.matchAll(form)) {
    const commits = Number(digits);
    if (newest === undefined || commits > newest.commits) newest = { identity, commits };
  }
  return newest;
}
