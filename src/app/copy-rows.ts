import type { TableSpec } from '../source/export.ts';
import { copyRejected } from '../source/copy-rejected.ts';
import { formatProblem } from './format-problem.ts';

/** The files of an export, and their tables. */
export interface CopySource {
  readonly root: string;
  readonly tables: readonly TableSpec[];
  readonly files: readonly string[];
  /** The `--with` directory; absent for the export itself. */
  readonly fix?: { readonly name: string; readonly accounts: ReadonlySet<string> };
  /** Accounts whose rows in this source were not used, because a later source has them. */
  readonly replaced?: ReadonlySet<string>;
}

/**
 * Copies the rows of the accounts that have a reason, each with its reason, into a directory; returns why that
 * failed.
 */
export async function copyRows(
  { root, tables, files, replaced }: CopySource,
  directory: string,
  reasonOf: (account: string) => string | undefined,
): Promise<readonly string[]> {
  const refused = await copyRejected(root, tables, files, directory, (account) =>
    replaced?.has(account) === true ? undefined : reasonOf(account),
  );
  return (refused?.problems ?? []).map(formatProblem);
}
