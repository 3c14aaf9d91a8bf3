import { randomBytes, randomUUID } from 'node:crypto';
import { openDatabase, type Sqlite } from '../../sqlite/open-database.ts';
import { extraOperations } from './extras.ts';
import { addDoubled, findAnother, findHeld, isDoubled, listHeld } from './held.ts';
import {
  findAccount,
  importAccount,
  listAccounts,
  readPayload,
  recordRequest,
  stageAccount,
} from './accounts.ts';
import { itemOperations } from './items.ts';
import { registrationOperations } from './registrations.ts';
import { taskOperations } from './tasks.ts';
import { settingOf, stateSpec, writeSetting } from './schema.ts';

/** Every operation on the platform's state, each one prepared once. */
function operations(db: Sqlite) {
  return {
    findAccount: findAccount(db),
    stageAccount: stageAccount(db),
    readPayload: readPayload(db),
    importAccount: importAccount(db),
    listAccounts: listAccounts(db),
    recordRequest: recordRequest(db),
    ...extraOperations(db),
    ...taskOperations(db),
    ...itemOperations(db),
    ...registrationOperations(db),
    findHeld: findHeld(db),
    findAnother: findAnother(db),
    listHeld: listHeld(db),
    addDoubled: addDoubled(db),
    isDoubled: isDoubled(db),
  };
}

export type Operations = ReturnType<typeof operations>;

export interface Store extends Operations {
  readonly db: Sqlite;
  readonly platformId: string;
  readonly apiKey: string;
  /** Signs tokens, so that they outlive a restart. */
  readonly tokenSecret: () => string;
  /** Makes another one, which ends every token. */
  readonly expireTokens: () => void;
}

/** Opens the platform's state and makes its identity at the first start. Throws a DatabaseRefused. */
export function openStore(file: string): Store {
  const db = openDatabase(file, stateSpec);
  db.pragma('cache_size = -65536');
  // Each time that the log goes into the database all requests wait for the disk: after 32 MB, not after 8.
  db.pragma('wal_autocheckpoint = 4000');
  let secret = settingOf(db, 'token_secret', newSecret);
  return {
    db,
    platformId: settingOf(db, 'platform_id', randomUUID),
    apiKey: settingOf(db, 'api_key', () => `sk_rehearsal_${randomBytes(24).toString('base64url')}`),
    tokenSecret: () => secret,
    expireTokens: () => {
      secret = newSecret();
      writeSetting(db, 'token_secret', secret);
    },
    ...operations(db),
  };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
