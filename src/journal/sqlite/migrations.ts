/**
 * Six million accounts of nine parts each must stay lean: names are small integers (codes.ts), an answer's time is kept
 * as milliseconds after the request's (`took`), and a part's row lies in its own key.
 */
const version1 = `
CREATE TABLE platform (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL
) STRICT;

CREATE TABLE supplier (
  id INTEGER PRIMARY KEY,
  platform INTEGER NOT NULL REFERENCES platform,
  code TEXT NOT NULL,
  UNIQUE (platform, code)
) STRICT;

CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  platform INTEGER NOT NULL REFERENCES platform,
  supplier TEXT,
  dry_run INTEGER NOT NULL CHECK (dry_run IN (0, 1)),
  export TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  exit INTEGER,
  reason TEXT,
  accounts TEXT,
  requests INTEGER,
  retries INTEGER,
  CHECK ((ended_at IS NULL) = (exit IS NULL))
) STRICT;

CREATE TABLE lease (
  supplier INTEGER PRIMARY KEY REFERENCES supplier,
  epoch INTEGER NOT NULL,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  process_start TEXT NOT NULL,
  since INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE account (
  id INTEGER PRIMARY KEY,
  supplier INTEGER NOT NULL REFERENCES supplier,
  number TEXT NOT NULL,
  state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 7),
  steps INTEGER NOT NULL,
  code TEXT NOT NULL,
  kraken_account_number TEXT,
  staged_hash TEXT,
  plan_hash TEXT,
  UNIQUE (supplier, number)
) STRICT;

-- The last attempt at each part.
CREATE TABLE part (
  account INTEGER NOT NULL REFERENCES account,
  step INTEGER NOT NULL,
  part INTEGER NOT NULL,
  state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 4),
  hash TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  run INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  took INTEGER,
  outcome TEXT,
  status INTEGER,
  code TEXT,
  PRIMARY KEY (account, step, part),
  CHECK ((took IS NULL) = (outcome IS NULL)),
  CHECK (state = 0 OR took IS NOT NULL)
) STRICT, WITHOUT ROWID;

-- What was in a part's row before it was sent or settled again.
CREATE TABLE attempt (
  id INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account,
  step INTEGER NOT NULL,
  part INTEGER NOT NULL,
  state INTEGER NOT NULL,
  hash TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  run INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  took INTEGER,
  outcome TEXT,
  status INTEGER,
  code TEXT
) STRICT;
CREATE INDEX attempt_of_account ON attempt (account);

CREATE TABLE problem (
  account INTEGER NOT NULL REFERENCES account,
  position INTEGER NOT NULL,
  step INTEGER,
  code TEXT NOT NULL,
  path TEXT NOT NULL,
  file TEXT,
  line INTEGER,
  column TEXT,
  PRIMARY KEY (account, position),
  CHECK ((file IS NULL) = (line IS NULL) AND (file IS NULL) = (column IS NULL))
) STRICT, WITHOUT ROWID;

-- Accounts of a supplier by the state of a step; step 0 counts them by their own state.
CREATE TABLE tally (
  supplier INTEGER NOT NULL REFERENCES supplier,
  step INTEGER NOT NULL,
  state INTEGER NOT NULL,
  accounts INTEGER NOT NULL CHECK (accounts >= 0),
  PRIMARY KEY (supplier, step, state)
) STRICT, WITHOUT ROWID;
`;

/** What each part carried is not known of those that are there already; it costs nothing to say so. */
const version2 = `
ALTER TABLE part ADD COLUMN money TEXT DEFAULT '?';
`;

/** After a backup was put back, accounts are in doubt until they are settled. Cheap, however many there are. */
const version3 = `
-- When the journal was put back from a backup.
CREATE TABLE restore (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;

-- The last restore since which the account was settled.
ALTER TABLE account ADD COLUMN restore INTEGER NOT NULL DEFAULT 0;
`;

/** So that a run over a finished export that has not changed need not read it. */
const version4 = `
-- The last run of a supplier that left nothing to do, of which export (by its fingerprint), and how many suppliers
-- that had. Holds while the supplier's lease has this epoch, and no backup was put back since.
CREATE TABLE finished (
  supplier INTEGER PRIMARY KEY REFERENCES supplier,
  epoch INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  run INTEGER NOT NULL REFERENCES run,
  suppliers INTEGER NOT NULL,
  restore INTEGER NOT NULL
) STRICT;
`;

/** For those who watch a run from outside: written seldom, and read without looking through the accounts. */
const version5 = `
-- How fast a run goes and why, in a few words, while it goes on.
ALTER TABLE run ADD COLUMN pace TEXT;
-- How many accounts it is to take, where that is known.
ALTER TABLE run ADD COLUMN named INTEGER;

-- The accounts that got into trouble last: a few, the oldest are taken away.
CREATE TABLE trouble (
  id INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account
) STRICT;
`;

/** So that a finished export that was written again, and says the same, need not be looked through either. */
const version6 = `
ALTER TABLE finished ADD COLUMN content TEXT;
`;

/** So that no two accounts of a platform have one number unnoticed: who else has it is found at once. */
const version7 = `
CREATE INDEX account_of_number ON account (kraken_account_number, supplier) WHERE kraken_account_number IS NOT NULL;
-- Whether they had was not looked at.
DELETE FROM finished;
`;

/** So that what no run has come to is counted too, and what an export no longer has is not waited for. */
const version8 = `
-- The exports that accounts were read from.
CREATE TABLE source (
  id INTEGER PRIMARY KEY,
  platform INTEGER NOT NULL REFERENCES platform,
  place TEXT NOT NULL,
  UNIQUE (platform, place)
) STRICT;

-- The export that had the account when it was read last.
ALTER TABLE account ADD COLUMN source INTEGER REFERENCES source;
-- 1: that export was since read to its end, and did not have the account.
ALTER TABLE account ADD COLUMN absent INTEGER NOT NULL DEFAULT 0;
-- Few, so that counting them reads no account.
CREATE INDEX absent_account ON account (supplier, state) WHERE absent = 1 AND kraken_account_number IS NULL;
`;

/** So that a later run can tell whether the clock was set since, or the machine started anew. */
const version9 = `
ALTER TABLE run ADD COLUMN boot TEXT;
ALTER TABLE run ADD COLUMN boot_at INTEGER;
`;

/** So that a journal that went back in time is told from one that did not: a mark outside of it holds the same. */
const version10 = `
-- Which journal this is, and how many commits it has had (stamp.ts).
CREATE TABLE stamp (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  text TEXT NOT NULL
) STRICT;
INSERT INTO stamp VALUES (1, 'journal-stamp:' || lower(hex(randomblob(16))) || ':0000000000000000');
`;

/** So that an account that was completed from a fix is not taken back by the row that the fix replaced. */
const version11 = `
-- The export that the data came from that plan_hash names.
ALTER TABLE account ADD COLUMN data INTEGER REFERENCES source;

-- Refused data of an account (by the hash of its plan) that data of another export replaced, and where that is.
CREATE TABLE superseded (
  account INTEGER NOT NULL REFERENCES account,
  hash TEXT NOT NULL,
  file TEXT,
  line INTEGER,
  column TEXT,
  -- 1: a run has warned of it.
  told INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account, hash),
  CHECK ((file IS NULL) = (line IS NULL) AND (file IS NULL) = (column IS NULL))
) STRICT, WITHOUT ROWID;
`;

/** So that an item which changed after it was sent is known, whatever else was in its request. */
const version12 = `
ALTER TABLE part ADD COLUMN prints TEXT;
`;

/** So that a refusal is told in the platform's words, and not by a code such as `invalid`. */
const version13 = `
-- Without the customer's data (pipeline/platform-words.ts).
ALTER TABLE part ADD COLUMN words TEXT;
ALTER TABLE attempt ADD COLUMN words TEXT;
`;

/** So that the record says who began a run, who ruled, retried or restored, and where to look for what waits for a ruling. */
const version14 = `
-- Who gave a command, where, and with which version of the tool.
CREATE TABLE actor (
  id INTEGER PRIMARY KEY,
  user TEXT NOT NULL,
  host TEXT NOT NULL,
  version TEXT NOT NULL,
  UNIQUE (user, host, version)
) STRICT;

ALTER TABLE run ADD COLUMN actor INTEGER REFERENCES actor;

-- Rulings, retries and restores: one row a command. actor is NULL where nobody is known.
CREATE TABLE intervention (
  id INTEGER PRIMARY KEY,
  command TEXT NOT NULL CHECK (command IN ('resolve', 'retry', 'restore')),
  at INTEGER NOT NULL,
  actor INTEGER REFERENCES actor,
  accounts INTEGER,
  CHECK ((accounts IS NULL) = (command = 'restore'))
) STRICT;
INSERT INTO intervention (command, at) SELECT 'restore', at FROM restore ORDER BY id;

-- The accounts that a ruling or retry changed.
CREATE TABLE intervened (
  account INTEGER NOT NULL REFERENCES account,
  intervention INTEGER NOT NULL REFERENCES intervention,
  PRIMARY KEY (account, intervention)
) STRICT, WITHOUT ROWID;

-- 1: it holds nothing back.
ALTER TABLE problem ADD COLUMN warning INTEGER NOT NULL DEFAULT 0;

-- What dry runs staged: few, or for a while. Counting them reads no account.
CREATE INDEX staged_by_dry_run ON account (supplier)
  WHERE state = 0 AND staged_hash IS NOT NULL AND absent = 0;

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
`;

/** So that a book of which a run has read only the beginning is not taken for the whole. */
const version15 = `
-- The exports that a supplier's accounts were read from.
CREATE TABLE reading (
  supplier INTEGER NOT NULL REFERENCES supplier,
  source INTEGER NOT NULL REFERENCES source,
  -- 1: it was read to its end since it last had another number of accounts.
  whole INTEGER NOT NULL CHECK (whole IN (0, 1)),
  -- How many accounts it has, of all suppliers, where that is known.
  accounts INTEGER,
  PRIMARY KEY (supplier, source)
) STRICT, WITHOUT ROWID;
-- Whether they were read to their end is not known.
INSERT INTO reading (supplier, source, whole)
  SELECT DISTINCT supplier, source, 1 FROM account WHERE source IS NOT NULL;
`;

/** So that a journal which was moved to another place is not used again. */
const version16 = `
CREATE TABLE moved (
  -- Where it is now.
  target TEXT NOT NULL
) STRICT;
`;

/** So that counting the accounts that changed after their import reads no others. */
const version17 = `
CREATE INDEX changed_after_import ON account (supplier)
  WHERE state = 4 AND code = 'changed_after_import';
`;

/** So that only what changed in an export is mapped again, and a run can say which accounts that are. */
const version18 = `
-- The fingerprint of the rows that it was read from (row-print.ts). A change of the account empties it.
ALTER TABLE account ADD COLUMN row_print TEXT;
-- The last run that found these rows changed.
ALTER TABLE account ADD COLUMN changed INTEGER REFERENCES run;
CREATE INDEX changed_in_run ON account (supplier, changed, number) WHERE changed IS NOT NULL;
`;

/** So that counting the completed accounts whose data is refused now reads no others. */
const version19 = `
CREATE INDEX refused_data ON account (supplier) WHERE state = 3 AND code <> '';
`;

/** What has landed is frozen: journals of every version exist. */
export const migrations1To19: readonly string[] = [
  version1,
  version2,
  version3,
  version4,
  version5,
  version6,
  version7,
  version8,
  version9,
  version10,
  version11,
  version12,
  version13,
  version14,
  version15,
  version16,
  version17,
  version18,
  version19,
];
