import type { SchemaMigration } from '../../sqlite/migrate.ts';
import type { DatabaseSpec, Sqlite } from '../../sqlite/open-database.ts';
import { migrations1To19 } from './migrations.ts';

/**
 * So that a journal in which version 14 is not whole is completed, and the record says who upgraded the journal. Builds between
 * 14 and 20 left out one, two or all three of what the first pieces add.
 */
const version20: SchemaMigration = [
  {
    adds: 'table part_cell',
    sql: `
-- Where the export has what uncertain parts sent.
CREATE TABLE part_cell (
  account INTEGER NOT NULL REFERENCES account,
  position INTEGER NOT NULL,
  step INTEGER NOT NULL,
  part INTEGER NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  column TEXT NOT NULL,
  PRIMARY KEY (account, position)
) STRICT, WITHOUT ROWID;
`,
  },
  {
    adds: 'index staged_by_dry_run',
    sql: `
CREATE INDEX staged_by_dry_run ON account (supplier)
  WHERE state = 0 AND staged_hash IS NOT NULL AND absent = 0;
`,
  },
  {
    adds: 'column warning of problem',
    sql: 'ALTER TABLE problem ADD COLUMN warning INTEGER NOT NULL DEFAULT 0;',
  },
  {
    sql: `
-- When the journal was brought to a newer schema, or its accounts to newer rules.
CREATE TABLE upgrade (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor INTEGER REFERENCES actor,
  from_schema INTEGER NOT NULL,
  to_schema INTEGER NOT NULL,
  -- The version of the tool that wrote the journal last, if it is known.
  from_version TEXT,
  -- Where the journal as it was before is kept.
  backup TEXT,
  -- How many accounts newer rules put into another state.
  accounts INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Which rules the states of all accounts follow (conclusions.ts).
CREATE TABLE conclusion (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  rules INTEGER NOT NULL
) STRICT;
INSERT INTO conclusion SELECT 1, NOT EXISTS (SELECT 1 FROM account);

-- A runner of an earlier version that goes on, for instance one that was suspended, writes nothing more about accounts.
UPDATE lease SET epoch = epoch + 2, expires_at = 0 WHERE expires_at > 0;
`,
  },
];

/** So that an account which an earlier version sent in another spelling than NFC is found by the composed one, and keeps its own. */
const version21 = `
CREATE TABLE spelling (
  supplier INTEGER NOT NULL REFERENCES supplier,
  -- The account's number in Unicode's form NFC, where the account has another spelling of it.
  composed TEXT NOT NULL,
  account INTEGER NOT NULL REFERENCES account,
  PRIMARY KEY (supplier, composed)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO spelling
  SELECT supplier, nfc(number), id FROM account
  WHERE number GLOB '*[^ -~]*' AND nfc(number) <> number AND NOT EXISTS (
    SELECT 1 FROM account AS other WHERE other.supplier = account.supplier AND other.number = nfc(account.number))
  ORDER BY id;
`;

/** So that a run can say how its export, settings and platform differ from those of the run before. */
const version22 = `
-- How it was started and what it was given: JSON (run-facts.ts).
ALTER TABLE run ADD COLUMN facts TEXT;
`;

/** So that reading back goes on where it stopped, and what it found is shown. */
const version23 = `
-- A pass over the accounts of a supplier that are read back.
CREATE TABLE read_back_pass (
  id INTEGER PRIMARY KEY,
  supplier INTEGER NOT NULL REFERENCES supplier,
  selection TEXT NOT NULL,
  began_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;

-- When an account was last read back, and how it compared.
CREATE TABLE read_back (
  account INTEGER PRIMARY KEY REFERENCES account,
  pass INTEGER NOT NULL REFERENCES read_back_pass,
  at INTEGER NOT NULL,
  differences INTEGER NOT NULL,
  -- Values that could not be read.
  hidden INTEGER NOT NULL,
  -- What the readings of the last hour cost.
  points INTEGER NOT NULL
) STRICT;
CREATE INDEX read_back_at ON read_back (at);
`;

/** So that an account may be scheduled (state 8). */
const version24 = {
  rewrites: `
UPDATE sqlite_schema SET sql = replace(sql, 'state BETWEEN 0 AND 7', 'state BETWEEN 0 AND 8')
  WHERE type = 'table' AND name = 'account'`,
};

/** So that steps which a profile adds are sent once, too. */
const version25 = `
-- The last attempt at an item of a step that belongs to a whole book, such as a product.
CREATE TABLE item (
  platform INTEGER NOT NULL REFERENCES platform,
  -- The step's name in the profile, and what identifies the item among those of the step.
  step TEXT NOT NULL,
  item TEXT NOT NULL,
  state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 4),
  hash TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  -- Attempts that may have had their effect, without a ruling since.
  lost INTEGER NOT NULL,
  run INTEGER NOT NULL,
  -- The last restore before it was sent.
  restore INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  took INTEGER,
  outcome TEXT,
  status INTEGER,
  code TEXT,
  words TEXT,
  PRIMARY KEY (platform, step, item)
) STRICT, WITHOUT ROWID;
`;

export const journalSpec: Omit<DatabaseSpec, 'synchronous'> = {
  what: 'journal',
  applicationId: 0x6d67_6a6c,
  migrations: [...migrations1To19, version20, version21, version22, version23, version24, version25],
  writer: newestWriter,
};

/** The newest version of the tool that is named in a journal, which may be of a later schema. */
function newestWriter(db: Sqlite): string | undefined {
  try {
    return db.prepare<[], string>('SELECT version FROM actor ORDER BY id DESC LIMIT 1').pluck().get();
  } catch {
    return undefined;
  }
}
