import Database from 'better-sqlite3';
import { DatabaseRefused } from '../domain/database-refused.ts';

/** Opens a file with SQLite; throws DatabaseRefused if SQLite itself cannot be loaded. */
export function connect(file: string, options?: Database.Options): Database.Database {
  try {
    const db = new Database(file, options);
    // Migrations use it.
    db.function('nfc', { deterministic: true }, (text: unknown) => String(text).normalize('NFC'));
    return db;
  } catch (error) {
    if (!isNotLoaded(error)) throw error;
    throw new DatabaseRefused(
      'unwritable',
      'SQLite cannot be loaded: this tool was installed for another version of Node, or without the script that downloads or builds SQLite. Install it again with this Node, and let the script run: npm 12 and later with --allow-scripts=better-sqlite3; pnpm after `pnpm approve-builds` (onlyBuiltDependencies), then `pnpm rebuild better-sqlite3`; Yarn with `"dependenciesMeta": { "better-sqlite3": { "built": true } }` in package.json, then `yarn rebuild better-sqlite3`.',
      { cause: error },
    );
  }
}

/** The messages of `process.dlopen` for a library of another Node, and of the package `bindings` for a missing one. */
function isNotLoaded(error: unknown): boolean {
  return (
    error instanceof Error && (('code' in error && error.code === 'ERR_DLOPEN_FAILED') || 'tries' in error)
  );
}
