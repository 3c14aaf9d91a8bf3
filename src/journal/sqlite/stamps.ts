import type { Sqlite } from '../../sqlite/open-database.ts';
import { readStamp, writeStamp, type Stamp } from '../safety/stamp.ts';

export type Stamps = ReturnType<typeof stampsOf>;

/** The stamp in the journal itself. Every method runs within a transaction that has the write lock. */
export function stampsOf(db: Sqlite) {
  const select = db.prepare<[], string>('SELECT text FROM stamp').pluck();
  const update = db.prepare<[string]>('UPDATE stamp SET text = ?');
  const digits = 16;
  const countUp = db
    .prepare<[], string>(
      `UPDATE stamp SET text = substr(text, 1, length(text) - ${digits})
        || printf('%0${digits}d', substr(text, -${digits}) + 1) RETURNING text`,
    )
    .pluck();
  const newIdentity = db.prepare<[], string>('SELECT lower(hex(randomblob(16)))').pluck();
  const changes = db.prepare<[], number>('SELECT total_changes()').pluck();
  const selectAny = db.prepare('SELECT 1 FROM run UNION ALL SELECT 1 FROM account LIMIT 1');
  let changesBefore = 0;

  function read(): Stamp {
    const stamp = readStamp(select.get() ?? '');
    if (stamp === undefined) throw new Error('The journal has no stamp.');
    return stamp;
  }

  function write(stamp: Stamp): void {
    update.run(writeStamp(stamp));
  }

  return {
    read,

    /** Notes where a transaction begins. */
    begin(): void {
      changesBefore = changes.get() ?? 0;
    },

    /** Counts the transaction if it has written anything; returns the stamp that it leaves. */
    count(): Stamp | undefined {
      if (changes.get() === changesBefore) return undefined;
      return readStamp(countUp.get() ?? '');
    },

    /** From now on this is a separate journal, without what the original records later. */
    renew(): void {
      write({ identity: newIdentity.get() ?? '', commits: read().commits });
    },

    /** Whether nothing was ever recorded. */
    isEmpty(): boolean {
      return selectAny.get() === undefined;
    },
  };
}
