import type { Config } from '../config/load-config.ts';
import type { Journal } from '../journal/journal.ts';
import { openJournal } from '../journal/sqlite/open-journal.ts';
import { DatabaseRefused } from '../sqlite/refusal.ts';

/** The journal to look things up in; undefined where there is none yet, and none is made. Throws DatabaseRefused. */
export function openRecorded({
  journal,
  synchronous,
}: Pick<Config, 'journal' | 'synchronous'>): Journal | undefined {
  try {
    return openJournal(journal, { synchronous, create: false });
  } catch (error) {
    if (error instanceof DatabaseRefused && error.reason === 'missing') return undefined;
    throw error;
  }
}
