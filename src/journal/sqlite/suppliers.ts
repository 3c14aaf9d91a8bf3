import type { Sqlite } from '../../sqlite/open-database.ts';

export type Suppliers = ReturnType<typeof suppliersOf>;

/** Platforms and their suppliers: few, never removed, so their numbers are cached. */
export function suppliersOf(db: Sqlite) {
  const addPlatform = db.prepare<[string, string]>(
    'INSERT INTO platform (identity, label) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const namePlatform = db
    .prepare<[string, string], number>(
      `INSERT INTO platform (identity, label) VALUES (?, ?)
      ON CONFLICT (identity) DO UPDATE SET label = excluded.label RETURNING id`,
    )
    .pluck();
  const identify = db.prepare<{ platform: string; label: string; now: number }>(`
    UPDATE platform SET identity = @platform
    WHERE identity = @label AND NOT EXISTS (SELECT 1 FROM platform WHERE identity = @platform)
      AND NOT EXISTS (SELECT 1 FROM supplier JOIN lease ON lease.supplier = supplier.id
        WHERE supplier.platform = platform.id AND expires_at > @now)
      AND NOT EXISTS (SELECT 1 FROM supplier JOIN account ON account.supplier = supplier.id
        JOIN part ON part.account = account.id WHERE supplier.platform = platform.id)`);
  const addSupplier = db.prepare<[string, string]>(`
    INSERT INTO supplier (platform, code) SELECT id, ? FROM platform WHERE identity = ? ON CONFLICT DO NOTHING`);
  const select = db
    .prepare<[string, string], number>(
      `
    SELECT supplier.id FROM supplier JOIN platform ON platform.id = supplier.platform
    WHERE platform.identity = ? AND supplier.code = ?`,
    )
    .pluck();
  const selectCodes = db
    .prepare<[string], string>(
      `SELECT supplier.code FROM supplier JOIN platform ON platform.id = supplier.platform
      WHERE platform.identity = ? ORDER BY supplier.id`,
    )
    .pluck();
  const known = new Map<string, Map<string, number>>();

  function find(platform: string, supplier: string): number | undefined {
    const id = known.get(platform)?.get(supplier);
    if (id !== undefined) return id;
    const stored = select.get(platform, supplier);
    if (stored === undefined) return undefined;
    const ofPlatform = known.get(platform) ?? new Map<string, number>();
    known.set(platform, ofPlatform.set(supplier, stored));
    return stored;
  }

  return {
    find,

    /** Those of a platform. */
    codes: (platform: string): readonly string[] => selectCodes.all(platform),

    findOrAdd(platform: string, supplier: string): number {
      const id = find(platform, supplier);
      if (id !== undefined) return id;
      addPlatform.run(platform, platform);
      addSupplier.run(supplier, platform);
      const added = find(platform, supplier);
      if (added === undefined) throw new Error('The journal lost the supplier that it was given.');
      return added;
    },

    /** The platform's number; stores its current name for people. `now`: ms since the epoch. */
    name(platform: string, label: string, now: number): number {
      if (platform !== label && identify.run({ platform, label, now }).changes > 0) known.delete(label);
      const id = namePlatform.get(platform, label);
      if (id === undefined) throw new Error('The journal lost the platform that it was given.');
      return id;
    },
  };
}
