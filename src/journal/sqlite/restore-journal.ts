import { realpathSync } from 'node:fs';
import { copyDatabase } from '../../sqlite/copy-database.ts';
import { draftOf, openAsItIs, refuseNetwork } from '../../sqlite/open-database.ts';
import { DatabaseRefused, refusalOf } from '../../sqlite/refusal.ts';
import { replaceDatabase } from '../../sqlite/replace-database.ts';
import type { Actor } from '../../domain/actor.ts';
import type { LeaseOwner } from '../journal.ts';
import { faultsIn } from './check-journal.ts';
import { heldIn, type HeldSupplier } from './leases.ts';
import { MarkFile } from './mark-file.ts';
import { openJournal } from './open-journal.ts';
import { lossOf, type RestoreLoss } from './restore-loss.ts';
import { journalSpec } from './schema.ts';
import { stampsOf } from './stamps.ts';

const spec = { ...journalSpec, synchronous: 'FULL' } as const;

/** Who is asked whether a lease's owner lives, and what time it is, in ms since the epoch. */
export interface RestoreMoment {
  readonly now: number;
  readonly isDead: (owner: LeaseOwner) => boolean;
  /** Who restores. */
  readonly by?: Actor;
  /** Asked before anything is replaced that has more than the backup; throws to leave it at that. */
  readonly approve?: (loss: RestoreLoss) => Promise<void>;
}

export type Restored =
  /**
   * `kept`: where the journal is that was there; absent where there was none. `loss`: what it has beyond the backup;
   * absent where it could not be read.
   */
  | { readonly kind: 'restored'; readonly kept?: string; readonly loss?: RestoreLoss }
  /** A run holds a supplier: nothing was touched. */
  | { readonly kind: 'held'; readonly by: HeldSupplier };

/**
 * Puts a backup in the journal's place, once it has been looked through. What it does not hold as done may have been
 * done since it was taken, so every account of it is in doubt. What was there is kept beside it. Throws DatabaseRefused,
 * and leaves the journal as it was, where the backup or the place is not fit for that.
 */
export async function restoreJournal(file: string, backup: string, moment: RestoreMoment): Promise<Restored> {
  refuseNetwork(file, spec);
  const by = holderOf(file, moment);
  if (by !== undefined) return { kind: 'held', by };
  for (const { detail, supplier, account } of faultsIn(backup)) {
    const whose = [supplier, account].filter((part) => part !== undefined).join(' ');
    throw new DatabaseRefused(
      'damaged',
      `${backup} is not sound${whose === '' ? '' : ` (${whose})`}: ${detail} Use another backup; \`migrate journal check --journal ${backup}\` tells all.`,
    );
  }
  const loss = lossOf(file, backup);
  if (loss !== undefined && loss.runs + loss.accounts + loss.rulings > 0) {
    await moment.approve?.(loss);
    // A run may have begun while a person thought about it.
    const holder = holderOf(file, moment);
    if (holder !== undefined) return { kind: 'held', by: holder };
  }
  copyDatabase(backup, spec, draftOf(file), { replace: true });
  const journal = openJournal(draftOf(file), { synchronous: 'FULL', create: false });
  await journal.markRestored(moment.now, moment.by);
  await journal.close();
  const kept = `${file}.replaced-${new Date(moment.now).toISOString().replaceAll(/[-:]/g, '')}`;
  const wasThere = replaceDatabase(file, spec, kept);
  markAnew(file);
  return { kind: 'restored', ...(wasThere ? { kept } : {}), ...(loss === undefined ? {} : { loss }) };
}

/** Where it cannot be done, the next run finds another journal's mark, has every account in doubt once more, and does it. */
function markAnew(file: string): void {
  const mark = new MarkFile(realpathSync(file));
  const db = openAsItIs(file, spec);
  try {
    mark.put(stampsOf(db).read());
  } catch (error) {
    if (!(error instanceof DatabaseRefused)) throw error;
  } finally {
    mark.close();
    db.close();
  }
}

/** Who holds a supplier; undefined where nobody does, and where the journal cannot tell any more. */
function holderOf(file: string, moment: RestoreMoment): HeldSupplier | undefined {
  try {
    const db = openAsItIs(file, spec);
    try {
      return heldIn(db, moment);
    } finally {
      db.close();
    }
  } catch (error) {
    const refusal = refusalOf(error, file, spec);
    const isLost =
      refusal instanceof DatabaseRefused && (refusal.reason === 'damaged' || refusal.reason === 'missing');
    if (isLost) return undefined;
    throw refusal;
  }
}
