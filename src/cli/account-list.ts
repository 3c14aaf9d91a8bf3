import { resolve } from 'node:path';
import { readNamedFile } from '../app/read-named-file.ts';
import type { Shell } from './shell.ts';
import type { Journal, SupplierOverview } from '../journal/journal.ts';
import type { Printer } from '../report/printer.ts';
import { ListedAccounts } from '../app/listed-accounts.ts';

/** Reads `--accounts FILE`: external account numbers, one per line. */
export async function accountList(shell: Shell, file: string): Promise<ReadonlySet<string>> {
  const text = await readNamedFile('The list of accounts', resolve(shell.cwd, file));
  return new Set(text.split(/\r?\n/).filter((line) => line !== ''));
}

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
