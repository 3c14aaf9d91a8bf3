import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { copyDatabase } from '../../sqlite/copy-database.ts';
import { openAsItIs, type Sqlite } from '../../sqlite/open-database.ts';
import { tryPlace } from '../../sqlite/try-place.ts';
import type { HeldSupplier, Holder, JournalStore, LeaseMoment, Wanted } from '../store.ts';
import { MarkFile } from '../safety/mark-file.ts';
import { faultsIn } from './check-journal.ts';
import { keepOther } from './keep-other.ts';
import { heldIn } from './leases.ts';
import { openJournal } from './open-journal.ts';
import { restoreJournal } from './restore-journal.ts';
import { journalSpec } from './schema.ts';
import { sqliteSource, sqliteTarget } from './sqlite-records.ts';
import { refuseOutdated, upgradeJournal } from './upgrade-journal.ts';

/** A journal in an SQLite file. `synchronous` FULL: what is recorded survives a power loss; NORMAL: a crash of the program. */
export function sqliteStore(file: string, synchronous: 'FULL' | 'NORMAL'): JournalStore {
  return {
    location: file,
    isShared: false,
    awaited: () => Promise.resolve(),
    exists: async () => Promise.resolve(existsSync(file)),
    isGone: async () => Promise.resolve(!existsSync(file) && isMarked(file)),
    open: async (options) => {
      if (options.reading === true) refuseOutdated(file);
      else if (options.upgrade !== undefined) await upgradeJournal(file, options.upgrade);
      return openJournal(file, { synchronous, ...options });
    },
    upgrade: (options) => upgradeJournal(file, options),
    heldSupplier: async (wanted, moment) => Promise.resolve(heldSupplier(file, wanted, moment)),
    holders: async (moment) => Promise.resolve(holdersOf(file, moment)),
    room: async () => {
      const place = nearestExisting(file);
      try {
        accessSync(place, constants.W_OK);
      } catch (error) {
        const isReadOnly = error instanceof Error && 'code' in error && error.code === 'EROFS';
        return Promise.resolve({ kind: 'unwritable', place, isReadOnly });
      }
      const { bavail, bsize } = statfsSync(place);
      return Promise.resolve({ kind: 'writable', free: bavail * bsize });
    },
    tryPlace: async () => {
      // A directory that is missing is created by the first run, with the rights of the one above it.
      const place = nearestExisting(dirname(file));
      tryPlace(join(place, basename(file)), { ...journalSpec, synchronous }, file);
      return Promise.resolve();
    },
    faults: async function* () {
      yield* faultsIn(file);
      await Promise.resolve();
    },
    backUp: async (target, options) => {
      const kept = options.replace ? keepOther(file, target) : undefined;
      backUpJournal(file, target, options);
      return Promise.resolve(kept);
    },
    source: async () => {
      refuseOutdated(file);
      return Promise.resolve(sqliteSource(file));
    },
    target: async () => Promise.resolve(sqliteTarget(file)),
    restore: (backup, moment) => restoreJournal(file, backup, moment),
  };
}

function isMarked(file: string): boolean {
  const mark = new MarkFile(file);
  try {
    return mark.read() !== undefined;
  } finally {
    mark.close();
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

/**
 * Copies the journal as it is now, also while a run writes to it. Throws DatabaseRefused, including if the
 * target exists and must not be replaced.
 */
export function backUpJournal(file: string, target: string, options: { readonly replace: boolean }): void {
  copyDatabase(file, { ...journalSpec, synchronous: 'FULL' }, target, options);
}

/**
 * The holder of the supplier that a run is going to take, if the journal shows it before the export is read:
 * the named one, or the only one of the platform, where a run has taken this export already. Reads alone;
 * what keeps the journal from being read is met by the run itself.
 */
function heldSupplier(file: string, wanted: Wanted, moment: LeaseMoment): HeldSupplier | undefined {
  try {
    const db = openAsItIs(file, { ...journalSpec, synchronous: 'FULL' });
    try {
      const supplier = wanted.supplier ?? onlySupplierOf(db, wanted);
      return supplier === undefined ? undefined : heldIn(db, moment, { ...wanted, supplier });
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}

function onlySupplierOf(db: Sqlite, wanted: Wanted): string | undefined {
  const codes = db
    .prepare<[string], string>(
      `SELECT supplier.code FROM supplier JOIN platform ON platform.id = supplier.platform
      WHERE platform.identity = ? LIMIT 2`,
    )
    .pluck()
    .all(wanted.platform);
  const isKnown = db
    .prepare<[string, string], number>(
      `SELECT 1 FROM run JOIN platform ON platform.id = run.platform
      WHERE platform.identity = ? AND run.export = ? LIMIT 1`,
    )
    .pluck()
    .get(wanted.platform, wanted.export);
  return codes.length === 1 && isKnown !== undefined ? codes[0] : undefined;
}

interface HolderRow {
  platform: string;
  supplier: string;
  host: string;
  pid: number;
  process_start: string;
}

/** The suppliers that are held at `now` (ms since the epoch) by an owner that is not known to be dead. */
function holdersOf(file: string, { now, isDead }: LeaseMoment): readonly Holder[] {
  const db = openAsItIs(file, { ...journalSpec, synchronous: 'FULL' });
  try {
    const rows = db
      .prepare<[number], HolderRow>(
        `SELECT platform.identity AS platform, supplier.code AS supplier, host, pid, process_start
         FROM lease JOIN supplier ON supplier.id = lease.supplier JOIN platform ON platform.id = supplier.platform
         WHERE expires_at > ?`,
      )
      .all(now);
    return rows
      .filter(({ host, pid, process_start: processStart }) => !isDead({ host, pid, processStart }))
      .map(({ platform, supplier }) => ({ platform, supplier }));
  } finally {
    db.close();
  }
}
