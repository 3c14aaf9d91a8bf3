import { openAsItIs } from '../../sqlite/open-database.ts';
import type { Holder, Moment } from '../store.ts';
import { journalSpec } from './schema.ts';

interface Row {
  platform: string;
  supplier: string;
  host: string;
  pid: number;
  process_start: string;
}

/** The suppliers that are held at `now` (ms since the epoch) by an owner that is not known to be dead. */
export function holdersOf(file: string, { now, isDead }: Moment): readonly Holder[] {
  const db = openAsItIs(file, { ...journalSpec, synchronous: 'FULL' });
  try {
    const rows = db
      .prepare<[number], Row>(
        `SELECT platform.identity AS platform, supplier.code AS supplier, host, pid, process_start
         FROM lease JOIN supplier ON supplier.id = lease.supplier JOIN platform ON platform.id = supplier.platform
         WHERE expires_at > ?`,
      )
      .all(now);
    return rows
      .filter(({ host, pid, process_start: processStart }) => !isDead({ host, pid, processStart }))
      .map(({ platform, supplier }) => ({ platform, supplier }));
  } finally {
    db.close();
  }
}
