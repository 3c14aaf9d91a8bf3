import type { Journal } from '../journal/journal.ts';
import type { Recognise } from '../source/export.ts';
import { fingerprintMapping, type Mapped } from '../run/reading/export-fingerprint.ts';

/**
 * Tells which accounts of an export are completed from the rows that they have now, for those who map all of them; undefined if
 * that cannot be known. `place`: the export's location.
 */
export async function sameRows(
  mapped: Mapped,
  {
    journal,
    platform,
    place,
  }: { readonly journal: Journal; readonly platform: string; readonly place: string },
): Promise<Recognise | undefined> {
  const mapping = await fingerprintMapping(mapped);
  if (mapping === undefined) return undefined;
  return async (accounts) => {
    const asked = accounts.map((account) => ({ ...account, mapping: mapping.text }));
    const found = await journal.recognise(platform, place, asked);
    return found.map(({ is }) => (is === 'unchanged' ? 'same' : is));
  };
}
