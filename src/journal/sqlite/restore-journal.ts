import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { removeLeftover } from '../../domain/remove-file.ts';
import { copyDatabase } from '../../sqlite/copy-database.ts';
import { draftOf, openAsItIs, refuseNetwork } from '../../sqlite/open-database.ts';
import { DatabaseRefused } from '../../domain/database-refused.ts';
import { makeDirectory } from '../../domain/make-directory.ts';
import { refusalOf } from '../../sqlite/refusal.ts';
import { replaceDatabase } from '../../sqlite/replace-database.ts';
import type { HeldSupplier, RestoreMoment, Restored } from '../store.ts';
import { faultsIn } from './check-journal.ts';
import { heldIn } from './leases.ts';
import { MarkFile } from '../safety/mark-file.ts';
import { openJournal } from './open-journal.ts';
import { lossOf } from './restore-loss.ts';
import { journalSpec } from './schema.ts';
import { stampsOf } from './stamps.ts';

const spec = { ...journalSpec, synchronous: 'FULL' } as const;

/**
 * Checks a backup, then puts it in the journal's place. What is not done in it may have been done since it was made,
 * so every account of it is in doubt. The previous journal is kept beside it. Throws DatabaseRefused, and leaves the
 * journal unchanged, if the backup or the place is not suitable.
 */
export async function restoreJournal(file: string, backup: string, moment: RestoreMoment): Promise<Restored> {
  refuseNetwork(file, spec);
  const by = holderOf(file, moment);
  if (by !== undefined) return { kind: 'held', by };
  for (const { detail, supplier, account } of faultsIn(backup)) {
    const whose = [supplier, account].filter((part) => part !== undefined).join(' ');
    throw new DatabaseRefused(
      'damaged',
      `${backup} is not sound${whose === '' ? '' : ` (${whose})`}: ${detail} Use another backup; \`migrate journal check --journal ${backup}\` lists all errors.`,
    );
  }
  const loss = lossOf(file, backup);
  if (loss !== undefined && loss.runs + loss.accounts + loss.rulings > 0) {
    await moment.approve?.(loss);
    // A run may have started during the confirmation.
    const holder = holderOf(file, moment);
    if (holder !== undefined) return { kind: 'held', by: holder };
  }
  makeDirectory(dirname(file), 0o700);
  const wasInterrupted = !existsSync(file) && existsSync(draftOf(file));
  copyDatabase(backup, spec, draftOf(file), { replace: true });
  const kept = `${file}.replaced-${new Date(moment.now).toISOString().replaceAll(/[-:]/g, '')}`;
  let wasThere: boolean;
  try {
    const journal = openJournal(draftOf(file), { synchronous: 'FULL', create: false });
    await journal.markRestored(moment.now, moment.by);
    await journal.close();
    wasThere = replaceDatabase(file, spec, kept);
  } catch (error) {
    // Without its draft, an empty place would look like one that never had a journal.
    if (existsSync(file) || !(wasInterrupted || existsSync(kept))) removeDraft(file);
    throw error;
  }
  markAnew(file);
  return { kind: 'restored', kept: wasThere ? kept : undefined, loss };
}

function removeDraft(file: string): void {
  for (const end of ['', '-wal', '-shm']) removeLeftover(`${draftOf(file)}${end}`);
}

/**
 * If this fails, the next run finds another journal's mark, puts every account in doubt once more, and does it then.
 */
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

/** The holder of a supplier; undefined if there is none, or if the journal can no longer tell. */
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
