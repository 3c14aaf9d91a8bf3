import type { Sqlite } from '../../sqlite/open-database.ts';

/** What the platform knows of itself under this name; made and kept at the first call. */
export function settingOf(db: Sqlite, name: string, make: () => string): string {
  db.prepare('INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING').run(name, make());
  return readSetting(db, name) ?? '';
}

export function writeSetting(db: Sqlite, name: string, value: string): void {
  db.prepare('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)').run(name, value);
}

export function readSetting(db: Sqlite, name: string): string | undefined {
  return db.prepare<[string], string>('SELECT value FROM setting WHERE name = ?').pluck().get(name);
}
