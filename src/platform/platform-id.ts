import { openDatabase } from '../sqlite/open-database.ts';
import { DatabaseRefused } from '../domain/database-refused.ts';
import { readSetting, stateSpec } from './store/schema.ts';

/**
 * The id of the platform with its state in this file; undefined if there is no such file yet. Throws DatabaseRefused
 * if the file is not a platform's state.
 */
export function readPlatformId(stateFile: string): string | undefined {
  return readState(stateFile, 'platform_id');
}

/** The key of the same platform. Throws as above. */
export function readPlatformKey(stateFile: string): string | undefined {
  return readState(stateFile, 'api_key');
}

function readState(stateFile: string, name: 'platform_id' | 'api_key'): string | undefined {
  try {
    const db = openDatabase(stateFile, stateSpec, { create: false });
    try {
      return readSetting(db, name);
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof DatabaseRefused && error.reason === 'missing') return undefined;
    throw error;
  }
}
