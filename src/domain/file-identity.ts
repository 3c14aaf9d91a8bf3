import { statSync, type BigIntStats } from 'node:fs';

/** Which file it is, whatever its name: of two files of one machine, equal only for the same one. NTFS has numbers beyond those of a double. */
export function fileIdentity({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev} ${ino}`;
}

/** Which file or directory is at a path; undefined if nothing is. Throws the system's other errors. */
export function identityAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && fileIdentity(found);
}
