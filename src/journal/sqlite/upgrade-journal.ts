import { existsSync, readdirSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { removeLeftover } from '../../domain/remove-file.ts';
import { DatabaseRefused } from '../../domain/database-refused.ts';
import { copyDatabase } from '../../sqlite/copy-database.ts';
import { bringForward, versionOf } from '../../sqlite/migrate.ts';
import { openAsItIs, type DatabaseSpec, type Sqlite } from '../../sqlite/open-database.ts';
import { inUse } from '../safety/in-use.ts';
import { MarkFile } from '../safety/mark-file.ts';
import { outdated, upgradeBegins } from '../safety/outdated.ts';
import type { UpgradeOptions, Upgraded } from '../store.ts';
import { actorsOf } from './actors.ts';
import { heldIn } from './leases.ts';
import { journalRefusal } from './locked.ts';
import { journalSpec } from './schema.ts';
import { stampsOf } from './stamps.ts';
import { takeUpgrade } from './upgrade-holder.ts';

const spec: DatabaseSpec = { ...journalSpec, synchronous: 'FULL' };
const newest = spec.migrations.length;
/** The first version that has a mark beside it. */
const versionOfMarks = 10;
/** The first version that keeps who gave a command. */
const versionOfActors = 14;

/** Throws DatabaseRefused (`outdated`) if there is a journal of an earlier version. */
export function refuseOutdated(file: string): void {
  const version = standingVersion(file);
  if (version !== undefined && version < newest) throw outdated(file, version, newest);
}

/** The schema version of a journal that can be opened; undefined otherwise: opening it says why. */
function standingVersion(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const db = openAsItIs(file, spec);
    try {
      return versionOf(db, spec, file);
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof DatabaseRefused) return undefined;
    throw error;
  }
}

/**
 * Brings a journal of an earlier version to the newest schema, in one transaction, after a copy of it is complete and on disk
 * beside it. Other processes wait for it. undefined if there is no journal of an earlier version. Throws DatabaseRefused, and
 * leaves the journal unchanged, if a run holds a supplier, or space is missing.
 */
export async function upgradeJournal(file: string, options: UpgradeOptions): Promise<Upgraded | undefined> {
  for (;;) {
    const version = standingVersion(file);
    if (version === undefined || version === newest) return undefined;
    const release = await takeUpgrade(file, options, (since) => removeCopy(copyOf(file, version, since)));
    if (release === undefined) continue;
    try {
      return upgradeNow(file, options);
    } catch (error) {
      throw journalRefusal(error, file);
    } finally {
      release();
    }
  }
}

function upgradeNow(
  file: string,
  { now, isDead, by, tell, step, phase: show }: UpgradeOptions,
): Upgraded | undefined {
  const db = openAsItIs(file, spec);
  try {
    db.pragma('synchronous = FULL');
    // From here on nobody else writes, so the copy is the journal as it is upgraded.
    db.exec('BEGIN IMMEDIATE');
    const from = versionOf(db, spec, file);
    if (from === newest) return undefined;
    const held = heldIn(db, { now, isDead });
    if (held !== undefined) throw inUse(file, from, held.held.owner);
    refuseWithoutRoom(file);
    tell(`${upgradeBegins(file, from, newest)} A copy of it is made first.`);
    const backup = copyOf(file, from, now);
    const phases = newest - from + 2;
    let passed = 0;
    const phase = (what: string): void =>
      show?.(`Upgrading the journal: ${what} (${(passed += 1)} of ${phases})`);
    try {
      phase(`copying ${megabytes(statSync(file).size)} MB`);
      copyDatabase(file, spec, backup, { replace: true });
      const writtenBy = lastVersion(db, from);
      bringForward(db, spec, from, file, (version) => {
        phase(`schema ${version}`);
        step?.(version);
      });
      db.prepare(
        'INSERT INTO upgrade (at, actor, from_schema, to_schema, from_version, backup) VALUES (?, ?, ?, ?, ?, ?)',
      ).run(now, actorsOf(db).numberOf(by), from, newest, writtenBy ?? null, backup);
      step?.(newest + 1);
      phase('writing it to disk');
      db.exec('COMMIT');
    } catch (error) {
      removeCopy(backup);
      throw error;
    } finally {
      show?.('');
    }
    if (from < versionOfMarks) markFirst(file, db);
    tell(
      `The journal ${file} is upgraded. As it was, it is kept in ${backup}: an earlier version needs that one. Remove it when no earlier version is needed.`,
    );
    return { from, to: newest, backup };
  } finally {
    db.close();
  }
}

/** A journal of a version without marks has none, which says nothing about it. One of another journal stays. */
function markFirst(file: string, db: Sqlite): void {
  const mark = new MarkFile(realpathSync(file));
  try {
    if (mark.read() === undefined) mark.put(stampsOf(db).read());
  } catch (error) {
    // The next command says that there is none.
    if (!(error instanceof DatabaseRefused)) throw error;
  } finally {
    mark.close();
  }
}

function copyOf(file: string, version: number, at: number): string {
  return `${file}.schema-${version}-${new Date(at).toISOString().replaceAll(/[-:]/g, '')}`;
}

/** Of an upgrade that did not happen, also if it is not complete. */
function removeCopy(copy: string): void {
  for (const name of readdirSync(dirname(copy)))
    if (name.startsWith(basename(copy))) removeLeftover(join(dirname(copy), name));
}

/** The version of the tool that began the last run. */
function lastVersion(db: Sqlite, schema: number): string | undefined {
  if (schema < versionOfActors) return undefined;
  return db
    .prepare<[], string>(
      'SELECT version FROM actor JOIN run ON run.actor = actor.id ORDER BY run.id DESC LIMIT 1',
    )
    .pluck()
    .get();
}

/** The copy takes as much as the journal has, and the log of the changes may take the same. */
function refuseWithoutRoom(file: string): void {
  const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const needed = 2 * (sizeOf(file) + sizeOf(`${file}-wal`));
  const { bavail, bsize } = statfsSync(dirname(file));
  if (bavail * bsize >= needed) return;
  throw new DatabaseRefused(
    'unwritable',
    `The journal ${file} is not upgraded and is unchanged: the copy that is kept of it, and the changes, need ${megabytes(needed)} MB on its disk, which has ${megabytes(bavail * bsize)} MB left. Free space, and run the same command again.`,
  );
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 ** 2);
}
