import Database from 'better-sqlite3';
import { DatabaseRefused } from './refusal.ts';

/** Opens a file by SQLite; throws DatabaseRefused where SQLite itself cannot be loaded. */
export function connect(file: string, options?: Database.Options): Database.Database {
  try {
    return new Database(file, options);
  } catch (error) {
    if (!isNotLoaded(error)) throw error;
    throw new DatabaseRefused(
      'unwritable',
      'SQLite cannot be loaded: this tool was installed for another version of Node, or without the script that downloads or builds SQLite. Install it again with this Node; npm 12 and later run that script only with --allow-scripts=better-sqlite3.',
      { cause: error },
    );
  }
}

/** What `process.dlopen` says of a library for another Node, and the package `bindings` of none at all. */
function isNotLoaded(error: unknown): boolean {
  return (
    error instanceof Error && (('code' in error && error.code === 'ERR_DLOPEN_FAILED') || 'tries' in error)
  );
}
