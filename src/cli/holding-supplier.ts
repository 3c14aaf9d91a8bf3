import type { Config } from '../config/load-config.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import type { Journal } from '../journal/journal.ts';
import { Leases } from '../pipeline/leases.ts';
import { CannotStart } from '../app/cannot-start.ts';
import { leaseSettings } from '../app/lease-settings.ts';
import type { Shell } from './shell.ts';
import { stopDetail } from '../app/stop-detail.ts';

/**
 * Does something to a supplier's accounts while no run drives them: a ruling must not meet a request under way. Throws
 * CannotStart, with who holds the supplier, where one does; `undone` says what was not done then.
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
  // A failure of the journal is met by the work itself.
  const alive = leases.keepAlive().catch(() => undefined);
  try {
    return await work();
  } finally {
    await leases.release();
    await alive;
  }
}
