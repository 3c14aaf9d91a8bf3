import type { Sqlite } from '../../sqlite/open-database.ts';

export type Sources = ReturnType<typeof sourcesOf>;

/** The exports that accounts were read from: few, never removed, so their numbers are cached. */
export function sourcesOf(db: Sqlite) {
  const addPlatform = db.prepare<[string, string]>(
    'INSERT INTO platform (identity, label) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const add = db.prepare<[string, string]>(`
    INSERT INTO source (platform, place) SELECT id, ? FROM platform WHERE identity = ? ON CONFLICT DO NOTHING`);
  const select = db
    .prepare<[string, string], number>(
      `SELECT source.id FROM source JOIN platform ON platform.id = source.platform
      WHERE identity = ? AND place = ?`,
    )
    .pluck();
  const selectPlace = db.prepare<[number], string>('SELECT place FROM source WHERE id = ?').pluck();
  const ids = new Map<string, number>();
  const places = new Map<number, string>();

  function find(platform: string, place: string): number | undefined {
    const name = `${platform}\0${place}`;
    const id = ids.get(name) ?? select.get(platform, place);
    if (id !== undefined) ids.set(name, id);
    return id;
  }

  return {
    find,

    findOrAdd(platform: string, place: string): number {
      const id = find(platform, place);
      if (id !== undefined) return id;
      addPlatform.run(platform, platform);
      add.run(place, platform);
      const added = find(platform, place);
      if (added === undefined) throw new Error('The journal lost the export that it was given.');
      return added;
    },

    /** The location of the export with this number. */
    place(id: number): string {
      const place = places.get(id) ?? selectPlace.get(id);
      if (place === undefined) throw new Error(`The journal has no export ${id}.`);
      places.set(id, place);
      return place;
    },
  };
}
