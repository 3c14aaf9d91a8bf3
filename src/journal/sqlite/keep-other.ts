import { existsSync } from 'node:fs';
import { openAsItIs } from '../../sqlite/open-database.ts';
import { readStamp } from '../safety/stamp.ts';
import { journalSpec } from './schema.ts';
import { renameOver } from '../../domain/rename-over.ts';

/**
 * Moves a backup of another journal out of the way, so that a backup of this one does not replace it: it may be all that is left of
 * that journal. Returns its new path; undefined if there is none.
 */
export function keepOther(file: string, target: string): string | undefined {
  const [own, other] = [file, target].map(identityOf);
  if (other === undefined || own === other) return undefined;
  const kept = `${target}.of-${other.slice(0, 8)}`;
  if (existsSync(kept)) return undefined;
  renameOver(target, kept);
  return kept;
}

/** The identity of a journal; undefined if the file is none, or has none yet. */
function identityOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const db = openAsItIs(path, { ...journalSpec, synchronous: 'FULL' });
    try {
      return readStamp(String(db.prepare('SELECT text FROM stamp').pluck().get()))?.identity;
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}
