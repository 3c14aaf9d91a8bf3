import type { Actor } from '../../domain/actor.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';

export type Actors = ReturnType<typeof actorsOf>;

/** The people and programs that gave commands: few, and each stored once. */
export function actorsOf(db: Sqlite) {
  const add = db.prepare<[string, string, string]>(
    'INSERT INTO actor (user, host, version) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const find = db
    .prepare<[string, string, string], number>(
      'SELECT id FROM actor WHERE user = ? AND host = ? AND version = ?',
    )
    .pluck();

  return {
    /** The journal's number of an actor; null if none is known. */
    numberOf(actor: Actor | undefined): number | null {
      if (actor === undefined) return null;
      const { user, host, version } = actor;
      add.run(user, host, version);
      return find.get(user, host, version) ?? null;
    },
  };
}
