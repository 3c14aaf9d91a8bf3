import type { Config } from '../config/load-config.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import type { Journal } from '../journal/journal.ts';
import { Leases } from '../pipeline/run/leases.ts';
import { CannotStart } from '../host/cannot-start.ts';
import { leaseSettings } from '../run/session/lease-settings.ts';
import type { Shell } from './shell.ts';
import { stopDetail } from '../report/advice/stop-detail.ts';

/**
 * Runs work on a supplier's accounts while no run holds it: a ruling must not meet a request under way. Throws
 * CannotStart with the holder if a run holds it; `undone` says what was not done then.
 */
export async function holdingSupplier<T>(
  { shell, config, journal }: { readonly shell: Shell; readonly config: Config; readonly journal: Journal },
  { platform, supplier }: { readonly platform: string; readonly supplier: string },
  work: () => Promise<T>,
  undone = 'Nothing is changed',
): Promise<T> {
  const leases = new Leases(journal, platform, leaseSettings(shell, config), shell.clock, () => undefined);
  const held = await leases.take(supplier);
  if (held !== undefined)
    throw new CannotStart(exitCodes.supplierHeld, `${undone}: ${stopDetail('held', supplier, held)}`);
  // The work itself reports a failure of the journal.
  const alive = leases.keepAlive().catch(() => undefined);
  try {
    return await work();
  } finally {
    await leases.release();
    await alive;
  }
}
