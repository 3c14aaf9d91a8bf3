import { resolve } from 'node:path';
import { readNamedFile } from '../app/read-named-file.ts';
import type { Shell } from './shell.ts';

/** Reads `--accounts FILE`: external account numbers, one per line. */
export async function accountList(shell: Shell, file: string): Promise<ReadonlySet<string>> {
  const text = await readNamedFile('The list of accounts', resolve(shell.cwd, file));
  return new Set(text.split(/\r?\n/).filter((line) => line !== ''));
}
