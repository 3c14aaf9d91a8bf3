import { exitCodes } from '../domain/exit-codes.ts';
import type { SupplierOverview } from '../journal/journal.ts';
import { CannotStart } from '../app/cannot-start.ts';

/** The only supplier in the journal; undefined if there is none. Throws CannotStart if there are several. */
export function onlySupplier(suppliers: readonly SupplierOverview[]): SupplierOverview | undefined {
  if (suppliers.length <= 1) return suppliers[0];
  const names = suppliers.map(({ supplier, platformLabel }) => `${supplier} on ${platformLabel}`);
  throw new CannotStart(
    exitCodes.usage,
    `The journal has several: ${names.join(', ')}. Name the import supplier with --supplier, and its platform with --profile or MIGRATE_BASE_URL.`,
  );
}
