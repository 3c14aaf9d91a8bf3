import type { Journal, SupplierOverview } from '../journal/journal.ts';
import type { Printer } from '../report/printer.ts';
import { ListedAccounts } from '../app/listed-accounts.ts';

/** Warns of what a list names, and the journal has of none of the suppliers. */
export async function warnOfUnrecorded(
  { printer, journal }: { readonly printer: Pick<Printer, 'warn'>; readonly journal: Journal },
  suppliers: readonly SupplierOverview[],
  chosen: ReadonlySet<string>,
): Promise<void> {
  const listed = new ListedAccounts(chosen);
  for (const { platform, supplier } of suppliers)
    for (const account of chosen)
      if ((await journal.find(platform, { supplier, account })) !== undefined) listed.meet(account);
  for (const warning of listed.warnings(`the journal ${journal.location}`)) printer.warn(warning);
}
