import type { Sqlite } from '../../sqlite/open-database.ts';
import type { Actor } from '../../domain/actor.ts';
import type { AccountEntry } from '../journal.ts';
import type { Interventions } from './interventions.ts';

export type RestoreMarks = ReturnType<typeof restoreMarksOf>;

/** When the journal was restored from backups. Nobody has it open then, so the last restore can be cached. */
export function restoreMarksOf(db: Sqlite, interventions: Pick<Interventions, 'add'>) {
  const insert = db.prepare<[number]>('INSERT INTO restore (at) VALUES (?)');
  const select = db.prepare<[], { id: number; at: number }>(
    'SELECT id, at FROM restore ORDER BY id DESC LIMIT 1',
  );
  let latest = select.get();

  return {
    /** `by`: absent if the restore was only detected. */
    add(at: number, by?: Actor): void {
      insert.run(at);
      interventions.add({ command: 'restore', at, by });
      latest = select.get();
    },

    /** The number of the last one; 0 if there was none. */
    last(): number {
      return latest?.id ?? 0;
    },

    /** Whether an account that was last settled after this restore is in doubt. */
    doubtOf(settled: number): AccountEntry['inDoubtSince'] {
      return latest === undefined || settled >= latest.id ? undefined : latest.at;
    },
  };
}
