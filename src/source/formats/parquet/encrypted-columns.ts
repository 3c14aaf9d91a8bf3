import type { FileMetaData } from 'hyparquet';
import { FileUnreadable } from '../../file-bytes.ts';

/** Throws FileUnreadable if columns are encrypted, although the description of the file is not. */
export function refuseEncrypted({ row_groups: groups }: FileMetaData): void {
  const encrypted = groups.flatMap(({ columns }) => columns.filter(({ crypto_metadata: secret }) => secret !== undefined)); // prettier-ignore
  if (encrypted.length === 0) return;
  const names = [...new Set(encrypted.flatMap(({ meta_data: about }) => about?.path_in_schema[0] ?? []))];
  const named = names.length === 0 ? '' : ` (${names.join(', ')})`;
  throw new FileUnreadable('encrypted_file', `has encrypted columns${named}. Write it without encryption.`);
}
