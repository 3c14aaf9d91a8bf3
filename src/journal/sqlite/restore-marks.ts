import type { Sqlite } from '../../sqlite/open-database.ts';
import type { Actor } from '../../domain/actor.ts';
import type { Restore } from '../core/rows.ts';
import type { Interventions } from './interventions.ts';
import type { Stamps } from './stamps.ts';

export type RestoreMarks = ReturnType<typeof restoreMarksOf>;

/** When the journal was restored from backups. Nobody has it open then, so the last restore can be cached. */
export function restoreMarksOf(db: Sqlite, interventions: Pick<Interventions, 'add'>, stamps: Stamps) {
  const insert = db.prepare<[number]>('INSERT INTO restore (at) VALUES (?)');
  const select = db.prepare<[], Restore>('SELECT id, at FROM restore ORDER BY id DESC LIMIT 1');
  let latest = select.get();

  /** `by`: absent if the restore was only detected. */
  function add(at: number, by?: Actor): void {
    insert.run(at);
    interventions.add({ command: 'restore', at, by });
    latest = select.get();
  }

  return {
    /** From now on this is a separate journal, and every account in doubt. */
    markRestored(at: number, by?: Actor): void {
      add(at, by);
      stamps.renew();
    },

    markDoubted(at: number): void {
      add(at);
    },

    /** The number of the last one; 0 if there was none. */
    last(): number {
      return latest?.id ?? 0;
    },

    latest(): Restore | undefined {
      return latest;
    },
  };
}
