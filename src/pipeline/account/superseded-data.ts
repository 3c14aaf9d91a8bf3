import { definedFields } from '../../domain/defined-fields.ts';
import type { AccountState } from '../../domain/account-state.ts';
import { place, type Cell } from '../../domain/cell.ts';
import type { Problem } from '../../domain/problem.ts';
import type { AccountEntry, Journal, Superseded } from '../../journal/journal.ts';
import { localRefusal, type PlanPrint } from '../hash.ts';

/** Whether a fix has taken effect: something of it was sent and not refused. */
const heldStates: ReadonlySet<AccountState> = new Set([
  'staged',
  'scheduled',
  'imported',
  'completed',
  'uncertain',
]);

/** Whether the account's data came from another export than `place`, and has taken effect. */
export function isSentFromElsewhere(
  { dataFrom, state }: Pick<AccountEntry, 'dataFrom' | 'state'>,
  place: string,
): boolean {
  return dataFrom !== undefined && dataFrom !== place && heldStates.has(state);
}

/** Data that a fix replaced. `hash`: as the journal has it, or is to have it where that was inferred. */
export type SupersededData = Superseded & { readonly hash: string; readonly isInferred?: true };

/**
 * The record that the data of an account in an export was replaced by a fix from another export; undefined if there is none, as
 * for data that changed since. Its plan's fingerprint decides, whether or not the rules of today refuse it. `place`: the export's
 * location.
 */
export async function supersededData(
  journal: Pick<Journal, 'superseded'>,
  entry: AccountEntry,
  { planHash }: Pick<PlanPrint, 'planHash'>,
  place: string,
): Promise<SupersededData | undefined> {
  const hashes = [planHash, `${planHash}${localRefusal}`];
  if (!isSentFromElsewhere(entry, place) || hashes.some((hash) => hash === entry.planHash)) return undefined;
  for (const hash of hashes) {
    const found = await journal.superseded(entry.id, hash);
    if (found !== undefined) return { ...found, hash };
  }
  return undefined;
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
