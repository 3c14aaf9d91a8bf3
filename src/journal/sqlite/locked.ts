import { platform } from 'node:os';
import { openAsItIs } from '../../sqlite/open-database.ts';
import { DatabaseRefused } from '../../domain/database-refused.ts';
import { refusalOf } from '../../sqlite/refusal.ts';
import { lastHolderIn } from './leases.ts';
import { journalSpec } from './schema.ts';

/**
 * The refusal for an error. For a journal that stays locked it names the run that most likely holds the lock: a run
 * that was stopped in the middle of a write holds it for as long as it is stopped. (Reading needs no lock.)
 */
export function journalRefusal(error: unknown, file: string): unknown {
  const refusal = refusalOf(error, file, journalSpec);
  // Without a cause, it is not SQLite that says so, and the message has the process already.
  const isOfSqlite = refusal instanceof DatabaseRefused && refusal.cause !== undefined;
  if (!isOfSqlite || refusal.reason !== 'locked') return refusal;
  const holder = holderOf(file);
  if (holder === undefined) return refusal;
  const { supplier, owner } = holder;
  return new DatabaseRefused(
    'locked',
    `The journal ${file} is locked: process ${owner.pid} on ${owner.host}, which works on ${supplier}, seems to be in the middle of a write. Wait for it to end; if it is stopped, continue it${platform() === 'win32' ? '' : ` (kill -CONT ${owner.pid})`} or end it.`,
    { cause: error },
  );
}

function holderOf(file: string): ReturnType<typeof lastHolderIn> {
  try {
    const db = openAsItIs(file, { ...journalSpec, synchronous: 'FULL' });
    try {
      return lastHolderIn(db);
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}
