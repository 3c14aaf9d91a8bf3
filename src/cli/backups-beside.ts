import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The backups of other journals that a backup of this name took the place of, as `journal backup` keeps them. */
export async function backupsBeside(backup: string): Promise<readonly string[]> {
  const directory = dirname(backup);
  const names = await readdir(directory).catch((): string[] => []);
  return names
    .filter((name) => name.startsWith(`${basename(backup)}.of-`))
    .sort()
    .map((name) => join(directory, name));
}
