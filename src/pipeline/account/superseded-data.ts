import { definedFields } from '../../domain/defined-fields.ts';
import type { AccountState } from '../../domain/account-state.ts';
import { place, type Cell } from '../../domain/cell.ts';
import type { Problem } from '../../domain/problem.ts';
import type { AccountEntry, Journal, Superseded } from '../../journal/journal.ts';

/** Whether a fix has taken effect: something of it was sent and not refused. */
const heldStates: ReadonlySet<AccountState> = new Set(['staged', 'imported', 'completed', 'uncertain']);

/** Whether the account's data came from another export than `place`, and has taken effect. */
export function isSentFromElsewhere(
  { dataFrom, state }: Pick<AccountEntry, 'dataFrom' | 'state'>,
  place: string,
): boolean {
  return dataFrom !== undefined && dataFrom !== place && heldStates.has(state);
}

/**
 * Whether the data of an account in an export is the refused data that a fix from another export replaced: by the
 * fingerprint of its plan (`planHash`, as in the journal), so that changed data counts as new. `place`: the export's
 * location.
 */
export async function supersededData(
  journal: Pick<Journal, 'superseded'>,
  entry: AccountEntry,
  planHash: string,
  place: string,
): Promise<Superseded | undefined> {
  if (!isSentFromElsewhere(entry, place) || entry.planHash === planHash) return undefined;
  return journal.superseded(entry.id, planHash);
}

/** The hash of the refused data that a plan from `place` replaces; undefined if it replaces none of another export. */
export function replacedBy(
  { state, planHash, dataFrom }: Pick<AccountEntry, 'state' | 'planHash' | 'dataFrom'>,
  place: string,
): string | undefined {
  const isFix = state === 'rejected' && dataFrom !== place;
  return isFix ? planHash : undefined;
}

/** The warning that names both places. `old`: the place of the account in the export. */
export function supersededWarning(
  { key, state, dataFrom = '' }: Pick<AccountEntry, 'key' | 'state' | 'dataFrom'>,
  { fix }: Superseded,
  old: Cell | undefined,
): Problem {
  // A workbook is the place and the file.
  const where = fix === undefined ? dataFrom : `${dataFrom}${fix.file === '' ? '' : '/'}${place(fix)}`;
  const more =
    state === 'completed'
      ? 'Correct the row in the export too.'
      : 'Run the fix again to complete it, or correct the row.';
  const here = old === undefined ? 'This row' : place({ ...old, column: '' });
  return definedFields({
    account: key.account,
    code: 'superseded_by_fix',
    path: '',
    detail: `${here} has the data that a fix replaced; the account was sent with the data of ${where}. The old row is not sent. ${more}`,
    severity: 'warning',
    cell: old,
  });
}
