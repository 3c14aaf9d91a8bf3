import { DatabaseRefused } from '../domain/database-refused.ts';
import { isServerAddress, journalNameFault } from '../domain/journal-name.ts';
import { irregularAt } from '../domain/trusted-file.ts';
import { markPath } from './safety/mark-file.ts';
import type { PostgresSettings } from './postgres/postgres-store.ts';
import { sqliteStore } from './sqlite/sqlite-store.ts';
import type { JournalStore } from './store.ts';

/** The settings of a journal, of whichever engine. */
export interface JournalSettings extends PostgresSettings {
  /** An absolute path, or the address of a PostgreSQL database. */
  readonly journal: string;
  /** FULL: what is recorded survives a power loss. NORMAL: it survives a crash of the program, and is faster. */
  readonly synchronous: 'FULL' | 'NORMAL';
}

/** The journal of this name: the only place that knows which engines there are. Throws DatabaseRefused. */
export function journalAt(settings: JournalSettings): JournalStore {
  const { journal, synchronous } = settings;
  const fault = journalNameFault(journal);
  if (fault !== undefined) throw new DatabaseRefused('unwritable', `The journal's name ${fault}.`);
  if (isServerAddress(journal)) return postgres(settings);
  const what = irregularAt(journal);
  if (what !== undefined)
    throw new DatabaseRefused(
      'unwritable',
      `The journal ${journal} is ${what}, not a file. Name a regular file.`,
    );
  return sqliteStore(journal, synchronous);
}

/** The driver is loaded only where it is needed. */
function postgres(settings: JournalSettings): JournalStore {
  const store = async (): Promise<JournalStore> =>
    (await import('./postgres/postgres-store.ts')).postgresStore(settings);
  return {
    location: settings.journal,
    isShared: true,
    awaited: async (awaiting) => (await store()).awaited(awaiting),
    exists: async () => (await store()).exists(),
    isGone: async () => (await store()).isGone(),
    open: async (options) => (await store()).open(options),
    upgrade: async (options) => (await store()).upgrade(options),
    heldSupplier: async (wanted, moment) => (await store()).heldSupplier(wanted, moment),
    holders: async (moment) => (await store()).holders(moment),
    room: async () => (await store()).room(),
    tryPlace: async () => (await store()).tryPlace(),
    faults: async function* () {
      yield* (await store()).faults();
    },
    backUp: async (target, options) => (await store()).backUp(target, options),
    restore: async (backup, moment) => (await store()).restore(backup, moment),
    source: async () => (await store()).source(),
    target: async () => (await store()).target(),
  };
}

/** The files of a journal, by what they are: no output may replace them. */
export function filesOf(journal: string): readonly { readonly what: string; readonly path: string }[] {
  if (isServerAddress(journal)) return [];
  return [
    ...['', '-wal', '-shm', '-journal'].map((end) => ({ what: 'the journal', path: journal + end })),
    { what: "the journal's mark", path: markPath(journal) },
  ];
}
