import type { BigIntStats } from 'node:fs';

/** Which file it is, whatever its name: of two files of one machine, equal only for the same one. NTFS has numbers beyond those of a double. */
export function fileIdentity({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev} ${ino}`;
}
