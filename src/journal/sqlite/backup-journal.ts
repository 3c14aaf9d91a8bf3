import { copyDatabase } from '../../sqlite/copy-database.ts';
import { journalSpec } from './schema.ts';

/**
 * Copies the journal as it is now, also while a run writes to it. Throws DatabaseRefused, also if the target exists
 * and must not be replaced.
 */
export function backUpJournal(file: string, target: string, options: { readonly replace: boolean }): void {
  copyDatabase(file, { ...journalSpec, synchronous: 'FULL' }, target, options);
}
