import type { Sqlite } from '../../sqlite/open-database.ts';

/** The payload last staged for an account, as it was sent. */
export function readPayload(db: Sqlite) {
  const read = db.prepare<[number], string>('SELECT data FROM payload WHERE process_id = ?').pluck();
  return (processId: number): string => read.get(processId) ?? '{}';
}
