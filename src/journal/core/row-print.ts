import { changedAfterImport } from '../../domain/shared-codes.ts';
import type { AccountEntry, RowsAsked, RowsFound, RowsNote } from '../account-entry.ts';

/** The rows of an account as the journal has them. */
export interface RowsOfAccount {
  readonly id: number;
  readonly number: string;
  readonly supplier: string;
  /** As `writtenRows` gives them. */
  readonly written: string;
  readonly isCompleted: boolean;
  /** Whether the journal has the account from the export that is read. */
  readonly isIn: boolean;
}

/** The last word of rows that are mapped again in any case. */
const mappedAgain = 'x';
/** The last word of rows, with the mapping of then, from which an account was sent that another mapping changed since. */
const sentFrom = 's';

/** What a run found of an account's rows, as it is stored; null stays. */
export interface RowsNoteRow {
  readonly id: number;
  readonly row_print: string | null;
  /** The rows of a completed account are kept only if this is its plan. */
  readonly plan_hash: string | null;
  readonly changed: number | null;
}

export function rowsNoteRow({ accountId, rows, changedIn }: RowsNote): RowsNoteRow {
  return {
    id: accountId,
    row_print: rows === undefined ? null : writtenRows(rows),
    plan_hash: rows?.planHash ?? null,
    changed: changedIn ?? null,
  };
}

function writtenRows({
  print,
  mapping,
  ignoredRows,
  planHash,
  isSentFrom,
}: NonNullable<RowsNote['rows']>): string {
  const again = isSentFrom === true ? [sentFrom] : planHash === undefined ? [mappedAgain] : [];
  return [print, mapping, ...(ignoredRows === 0 && again.length === 0 ? [] : [ignoredRows]), ...again].join(
    ' ',
  );
}

/** The rows that an account was sent from, of those that `writtenRows` wrote; undefined if that is not certain. */
export function rowsSentFrom(
  written: string | null,
  { state, code }: Pick<AccountEntry, 'state' | 'code'>,
): AccountEntry['sentFrom'] {
  const [print, mapping, _ignoredRows, last] = written?.split(' ') ?? [];
  // The rows of other rejected accounts are those that were rejected.
  const isCertain = last === (state === 'rejected' && code === changedAfterImport ? sentFrom : undefined);
  return isCertain && print !== undefined && mapping !== undefined ? { print, mapping } : undefined;
}

/** What is known of the rows of accounts, in their order; `known`: what the journal has of those with these numbers. */
export function findRows(asked: readonly RowsAsked[], known: Iterable<RowsOfAccount>): RowsFound[] {
  const byNumber = new Map<string, RowsOfAccount[]>();
  for (const rows of known) {
    const ofOthers = byNumber.get(rows.number);
    if (ofOthers === undefined) byNumber.set(rows.number, [rows]);
    else ofOthers.push(rows);
  }
  return asked.map((one) => rowsFound(byNumber.get(one.account) ?? [], one));
}

/** By the accounts with its number: one, or one for each supplier. */
function rowsFound(known: readonly RowsOfAccount[], { print, mapping }: RowsAsked): RowsFound {
  let isChanged = false;
  let wasCompleted = false;
  for (const { id, supplier, written, isCompleted, isIn } of known) {
    // Nearly every account.
    if (isCompleted && written === `${print} ${mapping}`)
      return { is: 'unchanged', id, supplier, ignoredRows: 0, isIn };
    const [knownPrint, knownMapping, ignoredRows = '0', again] = written.split(' ');
    // Rows that another mapping read are mapped again, whether or not they have changed.
    if (isCompleted && (knownMapping !== mapping || knownPrint !== print)) wasCompleted = true;
    if (knownMapping !== mapping) continue;
    if (knownPrint !== print) isChanged = true;
    else if (isCompleted && again === undefined)
      return { is: 'unchanged', id, supplier, ignoredRows: Number(ignoredRows), isIn };
    else return { is: 'unknown' };
  }
  return { is: isChanged ? 'changed' : 'unknown', ...(wasCompleted ? { wasCompleted } : {}) };
}
