import Database from 'better-sqlite3';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { journalSpec } from '../../src/journal/sqlite/schema.ts';

const directory = join(import.meta.dirname, 'versions');

/** A journal that a build of this tool wrote: a text that is kept, and raised by a later build if `raisedTo` is greater. */
export interface WrittenJournal {
  readonly fixture: string;
  readonly version: number;
  readonly raisedTo: number;
}

/** The newest version of the schema. */
export const newest = journalSpec.migrations.length;
/** The last version of which a part could be missing. */
const lastWithGaps = 19;

/** Journals of every version that landed, and of each state in which version 14 landed, raised by each build since. */
export const writtenJournals: readonly WrittenJournal[] = readdirSync(directory)
  .map((name) => name.replace('.sql', ''))
  .flatMap((fixture): WrittenJournal[] => {
    const version = Number.parseInt(fixture);
    const hasGaps = fixture !== String(version);
    const raised = hasGaps
      ? Array.from({ length: lastWithGaps + 1 - version }, (_, at) => version + at)
      : [version];
    return raised.map((raisedTo) => ({ fixture, version, raisedTo }));
  })
  .sort((one, other) => one.version - other.version);

/** Writes a journal of this version, or this kind of journal, with an account of every kind. Kept as text, never made anew. */
export function writeJournal(file: string, kind: number | WrittenJournal): void {
  const { fixture, version, raisedTo } =
    typeof kind === 'number' ? { fixture: String(kind), version: kind, raisedTo: kind } : kind;
  const db = new Database(file);
  db.exec(readFileSync(join(directory, `${fixture}.sql`), 'utf8'));
  if (Number(db.pragma('user_version', { simple: true })) !== version)
    throw new Error(`${fixture}.sql is not of version ${version}.`);
  for (const migration of journalSpec.migrations.slice(version, raisedTo)) {
    if (typeof migration !== 'string') throw new Error('Builds that left gaps had no pieces.');
    db.exec(migration);
  }
  db.pragma(`user_version = ${raisedTo}`);
  db.close();
}
