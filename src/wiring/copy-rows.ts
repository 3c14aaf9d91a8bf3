import type { TableSpec } from '../source/export.ts';
import { copyRejected } from '../source/copy-rejected.ts';
import { inWords } from './in-words.ts';

/** The files of an export, and the tables that they are. */
export interface CopySource {
  readonly root: string;
  readonly tables: readonly TableSpec[];
  readonly files: readonly string[];
}

/** Copies the rows of the accounts that have a reason, each with it, into a directory; gives what kept it from that. */
export async function copyRows(
  { root, tables, files }: CopySource,
  directory: string,
  reasonOf: (account: string) => string | undefined,
): Promise<readonly string[]> {
  const refused = await copyRejected(root, tables, files, directory, reasonOf);
  return (refused?.problems ?? []).map(inWords);
}
