import { markPath } from './sqlite/mark-file.ts';
import { sqliteStore } from './sqlite/sqlite-store.ts';
import type { JournalStore } from './store.ts';

export interface JournalSettings {
  /** An absolute path. */
  readonly journal: string;
  /** FULL: what is recorded survives a power loss. NORMAL: it survives a crash of the program, and is faster. */
  readonly synchronous: 'FULL' | 'NORMAL';
}

/** The journal of this name: the only place that knows which engines there are. */
export function journalAt({ journal, synchronous }: JournalSettings): JournalStore {
  return sqliteStore(journal, synchronous);
}

/** The files of a journal, by what they are: no output may replace them. */
export function filesOf(journal: string): readonly { readonly what: string; readonly path: string }[] {
  return [
    ...['', '-wal', '-shm', '-journal'].map((end) => ({ what: 'the journal', path: journal + end })),
    { what: "the journal's mark", path: markPath(journal) },
  ];
}
