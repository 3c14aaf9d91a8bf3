import { openAsItIs, type Sqlite } from '../../sqlite/open-database.ts';
import type { HeldSupplier, Moment, Wanted } from '../store.ts';
import { heldIn } from './leases.ts';
import { journalSpec } from './schema.ts';

/**
 * Who holds the supplier that a run is going to take, as far as the journal shows before the export is read: the named
 * one, or the only one of the platform, where a run has taken this export already. Reads alone; what keeps the journal
 * from being read is met by the run itself.
 */
export function heldSupplier(file: string, wanted: Wanted, moment: Moment): HeldSupplier | undefined {
  try {
    const db = openAsItIs(file, { ...journalSpec, synchronous: 'FULL' });
    try {
      const supplier = wanted.supplier ?? onlySupplierOf(db, wanted);
      return supplier === undefined ? undefined : heldIn(db, moment, { ...wanted, supplier });
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}

function onlySupplierOf(db: Sqlite, wanted: Wanted): string | undefined {
  const codes = db
    .prepare<[string], string>(
      `SELECT supplier.code FROM supplier JOIN platform ON platform.id = supplier.platform
      WHERE platform.identity = ? LIMIT 2`,
    )
    .pluck()
    .all(wanted.platform);
  const isKnown = db
    .prepare<[string, string], number>(
      `SELECT 1 FROM run JOIN platform ON platform.id = run.platform
      WHERE platform.identity = ? AND run.export = ? LIMIT 1`,
    )
    .pluck()
    .get(wanted.platform, wanted.export);
  return codes.length === 1 && isKnown !== undefined ? codes[0] : undefined;
}
