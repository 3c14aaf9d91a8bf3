import type { DatabaseSpec, Sqlite } from '../../sqlite/open-database.ts';

/** What the platform keeps. What is committed survives a crash of the program. */
export const stateSpec: DatabaseSpec = {
  what: 'platform state',
  applicationId: 0x4d504c41,
  synchronous: 'NORMAL',
  // Payloads are two or three kilobytes: more of them fit on a page of this size.
  pageSize: 8192,
  migrations: [
    `
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

    CREATE TABLE import_process (
      id INTEGER PRIMARY KEY,
      supplier TEXT NOT NULL,
      external TEXT NOT NULL,
      -- The version of the rules under which its payload passed.
      rules TEXT NOT NULL,
      UNIQUE (supplier, external)
    ) STRICT;

    -- Numbers follow one another, also after one that was rolled back.
    CREATE TABLE account (
      number INTEGER PRIMARY KEY,
      process_id INTEGER NOT NULL UNIQUE REFERENCES import_process,
      created_at TEXT NOT NULL,
      team TEXT NOT NULL
    ) STRICT;

    -- Apart from the process, so that lists read short rows.
    CREATE TABLE payload (
      process_id INTEGER PRIMARY KEY REFERENCES import_process,
      data TEXT NOT NULL
    ) STRICT;

    CREATE TABLE note (
      id INTEGER PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES account,
      body TEXT,
      created_at TEXT NOT NULL,
      data TEXT NOT NULL
    ) STRICT;
    CREATE INDEX note_body ON note (account, body);

    CREATE TABLE posted_transaction (
      id INTEGER PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES account,
      transaction_id TEXT NOT NULL,
      data TEXT NOT NULL
    ) STRICT;
    CREATE INDEX posted_transaction_id ON posted_transaction (account, transaction_id);

    CREATE TABLE agreement (
      id INTEGER PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES account,
      hash TEXT NOT NULL,
      data TEXT NOT NULL,
      UNIQUE (account, hash)
    ) STRICT;

    CREATE TABLE billing_import (
      id INTEGER PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES account,
      ledger_code TEXT NOT NULL,
      ledger_number TEXT NOT NULL,
      documents INTEGER NOT NULL,
      data TEXT NOT NULL
    ) STRICT;
    CREATE INDEX billing_import_account ON billing_import (account);
    CREATE UNIQUE INDEX finalized_ledger ON billing_import (account, ledger_code, ledger_number)
      WHERE documents > 0;

    CREATE TABLE statement (
      id INTEGER PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES account,
      statement_id TEXT NOT NULL,
      data TEXT NOT NULL,
      UNIQUE (account, statement_id)
    ) STRICT;

    CREATE TABLE payment_instruction (
      account INTEGER PRIMARY KEY REFERENCES account,
      data TEXT NOT NULL
    ) STRICT;

    -- The automated e-mails that a real platform would have sent.
    CREATE TABLE email (
      id INTEGER PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES account,
      data TEXT NOT NULL
    ) STRICT;
    CREATE INDEX email_account ON email (account);

    -- Every request about an account, in the order of the answers; 0 is one that got no answer.
    CREATE TABLE request (
      id INTEGER PRIMARY KEY,
      endpoint TEXT NOT NULL,
      supplier TEXT NOT NULL,
      account TEXT NOT NULL,
      status INTEGER NOT NULL
    ) STRICT;
    `,
    `
    -- What a fault made the platform hold twice; its reading API alone shows it.
    CREATE TABLE doubled (
      account INTEGER NOT NULL REFERENCES account,
      step TEXT NOT NULL,
      PRIMARY KEY (account, step)
    ) STRICT, WITHOUT ROWID;
    `,
    `
    -- The latest task that imports an account (v2).
    CREATE TABLE task (
      id INTEGER PRIMARY KEY,
      supplier TEXT NOT NULL,
      external TEXT NOT NULL,
      -- WAITING until it ends; then its status.
      status TEXT NOT NULL,
      dry_run INTEGER NOT NULL CHECK (dry_run IN (0, 1)),
      -- When it begins and ends, in ms since the epoch.
      begins_at INTEGER NOT NULL,
      ends_at INTEGER NOT NULL,
      -- What it ends with.
      outcome TEXT NOT NULL,
      created_at TEXT NOT NULL,
      modified_at TEXT NOT NULL,
      payload TEXT NOT NULL,
      rules TEXT NOT NULL,
      -- JSON.
      error TEXT,
      -- How often the account was submitted, dry runs apart.
      submissions INTEGER NOT NULL,
      -- How often it was submitted again while a task could still create it.
      doubled INTEGER NOT NULL,
      UNIQUE (supplier, external)
    ) STRICT;
    CREATE INDEX waiting_task ON task (ends_at) WHERE status = 'WAITING';
    `,
    `
    -- The items of steps that a profile adds.
    CREATE TABLE added_item (
      step TEXT NOT NULL,
      item TEXT NOT NULL,
      data TEXT NOT NULL,
      PRIMARY KEY (step, item)
    ) STRICT, WITHOUT ROWID;
    `,
    `
    -- Accounts whose meter points are marked for registration.
    CREATE TABLE registration (
      account INTEGER PRIMARY KEY REFERENCES account,
      -- In ms since the epoch.
      marked_at INTEGER NOT NULL,
      -- How often they were marked.
      requests INTEGER NOT NULL
    ) STRICT;
    `,
  ],
};

/** What the platform knows of itself under this name; made and kept at the first call. */
export function settingOf(db: Sqlite, name: string, make: () => string): string {
  db.prepare('INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING').run(name, make());
  return readSetting(db, name) ?? '';
}

export function writeSetting(db: Sqlite, name: string, value: string): void {
  db.prepare('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)').run(name, value);
}

export function readSetting(db: Sqlite, name: string): string | undefined {
  return db.prepare<[string], string>('SELECT value FROM setting WHERE name = ?').pluck().get(name);
}
