import type { RejectedAccounts } from '../../source/rejected-accounts.ts';
import type { TableSpec } from '../../source/export.ts';
import { copyRejected, copyRejectedToWorkbook } from '../../source/copy-rejected.ts';
import { nameUnder } from '../../source/places/address.ts';
import { formatProblem } from './format-problem.ts';

/** A table without functions, which no thread can be given. */
export type CopiedTable = Omit<TableSpec, 'ignore' | 'spellings'>;

/** The files of an export, and their tables. */
export interface CopySource {
  readonly root: string;
  readonly tables: readonly CopiedTable[];
  readonly files: readonly string[];
  /** What precedes the names of the files in problems, if anything. */
  readonly namedUnder?: string | undefined;
  /** The `--with` directory; absent for the export itself. */
  readonly fix?: { readonly name: string; readonly accounts: ReadonlySet<string> };
  /** Accounts whose rows in this source were not used, because a later source has them. */
  readonly replaced?: ReadonlySet<string>;
}

/**
 * Copies the rows of the accounts that have a reason, each with its reason, into a directory, or into a new workbook;
 * returns why that failed.
 */
export async function copyRows(
  { root, tables, files, namedUnder, replaced }: CopySource,
  { path, isWorkbook }: { readonly path: string; readonly isWorkbook: boolean },
  rejected: Pick<RejectedAccounts, 'reasonOf' | 'marksAt'>,
): Promise<readonly string[]> {
  // The rows have composed numbers.
  const left = replaced && new Set(Array.from(replaced, (account) => account.normalize('NFC')));
  const copy = isWorkbook ? copyRejectedToWorkbook : copyRejected;
  const refused = await copy(
    root,
    tables,
    files,
    path,
    (account) => (left?.has(account) === true ? undefined : rejected.reasonOf(account)),
    (row) =>
      rejected.marksAt(namedUnder === undefined ? row : { ...row, file: nameUnder(namedUnder, row.file) }),
  );
  return (refused?.problems ?? []).map(formatProblem);
}
