import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { JournalStore } from '../store.ts';
import { backUpJournal } from './backup-journal.ts';
import { faultsIn } from './check-journal.ts';
import { heldSupplier } from './held-supplier.ts';
import { holdersOf } from './holders.ts';
import { openJournal } from './open-journal.ts';
import { restoreJournal } from './restore-journal.ts';
import { sqliteSource, sqliteTarget } from './sqlite-records.ts';

/** A journal in an SQLite file. `synchronous` FULL: what is recorded survives a power loss; NORMAL: a crash of the program. */
export function sqliteStore(file: string, synchronous: 'FULL' | 'NORMAL'): JournalStore {
  return {
    location: file,
    isShared: false,
    exists: async () => Promise.resolve(existsSync(file)),
    open: async (options) => Promise.resolve(openJournal(file, { synchronous, ...options })),
    heldSupplier: async (wanted, moment) => Promise.resolve(heldSupplier(file, wanted, moment)),
    holders: async (moment) => Promise.resolve(holdersOf(file, moment)),
    room: async () => {
      const place = nearestExisting(file);
      try {
        accessSync(place, constants.W_OK);
      } catch {
        return Promise.resolve({ kind: 'unwritable', place });
      }
      const { bavail, bsize } = statfsSync(place);
      return Promise.resolve({ kind: 'writable', free: bavail * bsize });
    },
    faults: async function* () {
      yield* faultsIn(file);
      await Promise.resolve();
    },
    backUp: async (target, options) => {
      backUpJournal(file, target, options);
      await Promise.resolve();
    },
    source: async () => Promise.resolve(sqliteSource(file)),
    target: async () => Promise.resolve(sqliteTarget(file)),
    restore: (backup, moment) => restoreJournal(file, backup, moment),
  };
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}
