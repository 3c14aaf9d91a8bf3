import { formatCount } from './format.ts';

/** What to do about accounts that changed in the export after they were imported. */
export function changedText(accounts: number): string {
  return `${formatCount(accounts)} changed in the export after the import: an account that exists is not changed. Restore the export, or correct the account on the platform by hand.`;
}
