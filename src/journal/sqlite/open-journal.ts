import { openDatabase, type OpenOptions } from '../../sqlite/open-database.ts';
import type { Journal } from '../journal.ts';
import { journalSpec } from './schema.ts';
import { SqliteJournal } from './sqlite-journal.ts';

export interface JournalOptions extends OpenOptions {
  /** FULL: what is recorded survives a power loss. NORMAL: it survives a crash of the program, and costs less. */
  readonly synchronous: 'FULL' | 'NORMAL';
}

/**
 * Opens the journal in this file, readable by its owner only. Throws DatabaseRefused, whose message names the file and
 * the remedy, when it is missing, empty, damaged, newer than this tool, somebody else's, locked or not writable. Several
 * processes may have it open; each write waits its turn.
 */
export function openJournal(file: string, options: JournalOptions): Journal {
  const { synchronous, ...opening } = options;
  return new SqliteJournal(openDatabase(file, { ...journalSpec, synchronous }, opening), file);
}
