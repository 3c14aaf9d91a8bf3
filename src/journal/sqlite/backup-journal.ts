import { copyDatabase } from '../../sqlite/copy-database.ts';
import { journalSpec } from './schema.ts';

/**
 * Copies the journal as it is at this moment, also while a run writes to it. Throws DatabaseRefused, also where the
 * target is there already and is not to be replaced.
 */
export function backUpJournal(file: string, target: string, options: { readonly replace: boolean }): void {
  copyDatabase(file, { ...journalSpec, synchronous: 'FULL' }, target, options);
}
