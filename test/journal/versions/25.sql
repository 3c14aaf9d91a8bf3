CREATE TABLE platform (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL
) STRICT;
CREATE TABLE stamp (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  text TEXT NOT NULL
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
  retries INTEGER, pace TEXT, named INTEGER, boot TEXT, boot_at INTEGER, actor INTEGER REFERENCES actor, facts TEXT,
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
CREATE TABLE source (
  id INTEGER PRIMARY KEY,
  platform INTEGER NOT NULL REFERENCES platform,
  place TEXT NOT NULL,
  UNIQUE (platform, place)
) STRICT;
CREATE TABLE account (
  id INTEGER PRIMARY KEY,
  supplier INTEGER NOT NULL REFERENCES supplier,
  number TEXT NOT NULL,
  state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 8),
  steps INTEGER NOT NULL,
  code TEXT NOT NULL,
  kraken_account_number TEXT,
  staged_hash TEXT,
  plan_hash TEXT, restore INTEGER NOT NULL DEFAULT 0, source INTEGER REFERENCES source, absent INTEGER NOT NULL DEFAULT 0, data INTEGER REFERENCES source, row_print TEXT, changed INTEGER REFERENCES run,
  UNIQUE (supplier, number)
) STRICT;
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
  code TEXT, money TEXT DEFAULT '?', prints TEXT, words TEXT,
  PRIMARY KEY (account, step, part),
  CHECK ((took IS NULL) = (outcome IS NULL)),
  CHECK (state = 0 OR took IS NOT NULL)
) STRICT, WITHOUT ROWID;
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
  code TEXT, words TEXT) STRICT;
CREATE INDEX attempt_of_account ON attempt (account);
CREATE TABLE problem (
  account INTEGER NOT NULL REFERENCES account,
  position INTEGER NOT NULL,
  step INTEGER,
  code TEXT NOT NULL,
  path TEXT NOT NULL,
  file TEXT,
  line INTEGER,
  column TEXT, warning INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account, position),
  CHECK ((file IS NULL) = (line IS NULL) AND (file IS NULL) = (column IS NULL))
) STRICT, WITHOUT ROWID;
CREATE TABLE tally (
  supplier INTEGER NOT NULL REFERENCES supplier,
  step INTEGER NOT NULL,
  state INTEGER NOT NULL,
  accounts INTEGER NOT NULL CHECK (accounts >= 0),
  PRIMARY KEY (supplier, step, state)
) STRICT, WITHOUT ROWID;
CREATE TABLE restore (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;
CREATE TABLE actor (
  id INTEGER PRIMARY KEY,
  user TEXT NOT NULL,
  host TEXT NOT NULL,
  version TEXT NOT NULL,
  UNIQUE (user, host, version)
) STRICT;
CREATE TABLE intervention (
  id INTEGER PRIMARY KEY,
  command TEXT NOT NULL CHECK (command IN ('resolve', 'retry', 'restore')),
  at INTEGER NOT NULL,
  actor INTEGER REFERENCES actor,
  accounts INTEGER,
  CHECK ((accounts IS NULL) = (command = 'restore'))
) STRICT;
CREATE TABLE intervened (
  account INTEGER NOT NULL REFERENCES account,
  intervention INTEGER NOT NULL REFERENCES intervention,
  PRIMARY KEY (account, intervention)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE reading (
  supplier INTEGER NOT NULL REFERENCES supplier,
  source INTEGER NOT NULL REFERENCES source,
  whole INTEGER NOT NULL CHECK (whole IN (0, 1)),
  accounts INTEGER,
  PRIMARY KEY (supplier, source)
) STRICT, WITHOUT ROWID;
CREATE TABLE finished (
  supplier INTEGER PRIMARY KEY REFERENCES supplier,
  epoch INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  run INTEGER NOT NULL REFERENCES run,
  suppliers INTEGER NOT NULL,
  restore INTEGER NOT NULL, content TEXT
) STRICT;
CREATE TABLE trouble (
  id INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account
) STRICT;
CREATE TABLE superseded (
  account INTEGER NOT NULL REFERENCES account,
  hash TEXT NOT NULL,
  file TEXT,
  line INTEGER,
  column TEXT,
  told INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account, hash),
  CHECK ((file IS NULL) = (line IS NULL) AND (file IS NULL) = (column IS NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO platform VALUES (1, 'https://platform.example', 'https://platform.example');
INSERT INTO platform VALUES (2, 'embedded-id', 'embedded');
INSERT INTO supplier VALUES (1, 1, 'TENTACLE_ENERGY');
INSERT INTO supplier VALUES (2, 2, 'TENTACLE_ENERGY');
INSERT INTO actor VALUES (1, 'jane', 'night-1', '0.1.0');
INSERT INTO run VALUES (1, 1, 'TENTACLE_ENERGY', 0, './export', 1700000000000, 1700000006000, 8, '', '{"pending":0,"staged":1,"imported":0,"completed":1,"rejected":1,"failed":0,"uncertain":1,"skipped":0}', 13, 0, '16 at once (ceiling)', 4, 'a boot', 1699000000000, 1, '{"profile":"live","rehearsal":false,"unattended":true,"given":{"place":"/export","accounts":4,"files":[{"table":"accounts","file":"accounts.csv","rows":4,"accounts":4}],"sample":[17,4711],"mapping":[],"codeTables":[],"contract":[],"settings":{}}}');
INSERT INTO run VALUES (2, 2, NULL, 1, './export', 1700000010000, NULL, NULL, NULL, NULL, NULL, NULL, '2 at once (rising)', NULL, NULL, NULL, NULL, NULL);
INSERT INTO lease VALUES (1, 2, 'here', 1, 'a', 1700000000000, 0);
INSERT INTO finished VALUES (1, 2, 'fingerprint', 1, 1, 0, '120 content');
INSERT INTO source VALUES (1, 1, '/export');
INSERT INTO account VALUES (1, 1, 'EXT-1', 3, 1170, '', 'A-00000001', 'hash-1', 'plan-1', 0, 1, 0, NULL, 'rows-1 mapping', 1);
INSERT INTO account VALUES (2, 1, 'EXT-2', 4, 75, 'invalid_phone_number', NULL, NULL, 'plan-2', 0, 1, 0, NULL, NULL, NULL);
INSERT INTO account VALUES (3, 1, 'EXT-3', 1, 82, '', NULL, 'hash-3', 'plan-3', 0, 1, 0, NULL, NULL, NULL);
INSERT INTO account VALUES (4, 1, 'EXT-4', 6, 8552594, 'connection_reset', 'A-00000004', NULL, 'plan-4', 0, 1, 0, NULL, NULL, NULL);
INSERT INTO account VALUES (5, 2, 'EXT-1', 0, 0, '', NULL, NULL, NULL, 0, 1, 0, NULL, NULL, NULL);
INSERT INTO reading VALUES (1, 1, 0, 6);
INSERT INTO reading VALUES (2, 1, 1, 6);
INSERT INTO part VALUES (1, 1, 0, 1, 'hash-1', 1, 1, 1700000001000, 40, 'ok', 201, NULL, NULL, NULL, NULL);
INSERT INTO part VALUES (1, 2, 0, 1, 'hash-1', 1, 1, 1700000001100, 40, 'ok', 201, NULL, NULL, NULL, NULL);
INSERT INTO part VALUES (1, 3, 0, 1, 'hash-1', 1, 1, 1700000001200, 40, 'ok', 201, NULL, '{"transfer_balance":"12.50"}', NULL, NULL);
INSERT INTO part VALUES (1, 4, 0, 1, 'hash-notes:2', 1, 1, 1700000001300, 40, 'ok', 201, NULL, NULL, NULL, NULL);
INSERT INTO part VALUES (2, 1, 0, 2, 'hash-2-1', 2, 1, 1700000001001, 20, 'refused', 400, 'invalid_phone_number', NULL, NULL, NULL);
INSERT INTO part VALUES (3, 1, 0, 1, 'hash-3', 1, 1, 1700000001000, 10, 'ok', 200, NULL, NULL, NULL, NULL);
INSERT INTO part VALUES (3, 2, 0, 1, 'hash-3', 1, 1, 1700000001000, 10, 'ok', 200, NULL, NULL, NULL, NULL);
INSERT INTO part VALUES (3, 3, 0, 0, 'hash-3', 1, 1, 1700000001050, NULL, NULL, NULL, NULL, '{"transfer_balance":"12.50"}', NULL, NULL);
INSERT INTO part VALUES (4, 1, 0, 1, 'hash-4', 1, 1, 1700000001000, 10, 'ok', 201, NULL, NULL, NULL, NULL);
INSERT INTO part VALUES (4, 2, 0, 1, 'hash-4', 1, 1, 1700000001000, 10, 'ok', 201, NULL, NULL, NULL, NULL);
INSERT INTO part VALUES (4, 3, 0, 1, 'hash-4', 1, 1, 1700000001000, 10, 'ok', 201, NULL, '{"transfer_balance":"12.50"}', NULL, NULL);
INSERT INTO part VALUES (4, 6, 1, 4, 'hash-4a', 1, 1, 1700000001100, 100, 'unknown', NULL, 'connection_reset', NULL, NULL, NULL);
INSERT INTO attempt VALUES (1, 2, 1, 0, 2, 'hash-2-0', 1, 1, 1700000001000, 20, 'refused', 400, 'invalid_phone_number', NULL);
INSERT INTO problem VALUES (2, 0, 1, 'invalid_phone_number', 'customers.0.landline', 'accounts.csv', 3, 'landline', 0);
INSERT INTO problem VALUES (2, 1, NULL, 'elsewhere', '', NULL, NULL, NULL, 0);
INSERT INTO intervention VALUES (1, 'retry', 1700000007000, 1, 1);
INSERT INTO intervened VALUES (2, 1);
INSERT INTO part_cell VALUES (4, 0, 6, 1, 'agreements.csv', 7, '');
INSERT INTO tally VALUES (1, 0, 0, 0);
INSERT INTO tally VALUES (1, 0, 1, 1);
INSERT INTO tally VALUES (1, 0, 2, 0);
INSERT INTO tally VALUES (1, 0, 3, 1);
INSERT INTO tally VALUES (1, 0, 4, 1);
INSERT INTO tally VALUES (1, 0, 6, 1);
INSERT INTO tally VALUES (1, 1, 1, 0);
INSERT INTO tally VALUES (1, 1, 2, 3);
INSERT INTO tally VALUES (1, 1, 3, 1);
INSERT INTO tally VALUES (1, 2, 1, 1);
INSERT INTO tally VALUES (1, 2, 2, 3);
INSERT INTO tally VALUES (1, 3, 1, 2);
INSERT INTO tally VALUES (1, 3, 2, 2);
INSERT INTO tally VALUES (1, 4, 1, 0);
INSERT INTO tally VALUES (1, 4, 2, 1);
INSERT INTO tally VALUES (1, 6, 1, 0);
INSERT INTO tally VALUES (1, 6, 5, 1);
INSERT INTO tally VALUES (1, 8, 1, 0);
INSERT INTO tally VALUES (1, 8, 4, 1);
INSERT INTO tally VALUES (2, 0, 0, 1);
INSERT INTO trouble VALUES (1, 2);
INSERT INTO trouble VALUES (2, 4);
CREATE INDEX account_of_number ON account (kraken_account_number, supplier) WHERE kraken_account_number IS NOT NULL;
CREATE INDEX staged_by_dry_run ON account (supplier)
  WHERE state = 0 AND staged_hash IS NOT NULL AND absent = 0;
CREATE INDEX absent_account ON account (supplier, state) WHERE absent = 1 AND kraken_account_number IS NULL;
INSERT INTO stamp VALUES (1, 'journal-stamp:00112233445566778899aabbccddeeff:0000000000000042');
CREATE TABLE moved (
  -- Where it is now.
  target TEXT NOT NULL
) STRICT;
CREATE INDEX changed_after_import ON account (supplier)
  WHERE state = 4 AND code = 'changed_after_import';
CREATE INDEX changed_in_run ON account (supplier, changed, number) WHERE changed IS NOT NULL;
CREATE INDEX refused_data ON account (supplier) WHERE state = 3 AND code <> '';
CREATE TABLE upgrade (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor INTEGER REFERENCES actor,
  from_schema INTEGER NOT NULL,
  to_schema INTEGER NOT NULL,
  from_version TEXT,
  backup TEXT,
  accounts INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE conclusion (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  rules INTEGER NOT NULL
) STRICT;
INSERT INTO upgrade VALUES (1, 1700000020000, 1, 19, 20, '0.1.0', '/srv/book/journal.db.schema-19', 0);
INSERT INTO conclusion VALUES (1, 1);
CREATE TABLE spelling (
  supplier INTEGER NOT NULL REFERENCES supplier,
  composed TEXT NOT NULL,
  account INTEGER NOT NULL REFERENCES account,
  PRIMARY KEY (supplier, composed)
) STRICT, WITHOUT ROWID;
CREATE TABLE read_back_pass (
  id INTEGER PRIMARY KEY,
  supplier INTEGER NOT NULL REFERENCES supplier,
  selection TEXT NOT NULL,
  began_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE TABLE read_back (
  account INTEGER PRIMARY KEY REFERENCES account,
  pass INTEGER NOT NULL REFERENCES read_back_pass,
  at INTEGER NOT NULL,
  differences INTEGER NOT NULL,
  hidden INTEGER NOT NULL,
  points INTEGER NOT NULL
) STRICT;
CREATE INDEX read_back_at ON read_back (at);
INSERT INTO read_back_pass VALUES (1, 1, 'all', 1700000030000, NULL);
INSERT INTO read_back VALUES (1, 1, 1700000031000, 0, 0, 420);
CREATE TABLE item (
  platform INTEGER NOT NULL REFERENCES platform,
  step TEXT NOT NULL,
  item TEXT NOT NULL,
  state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 4),
  hash TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  lost INTEGER NOT NULL,
  run INTEGER NOT NULL,
  restore INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  took INTEGER,
  outcome TEXT,
  status INTEGER,
  code TEXT,
  words TEXT,
  PRIMARY KEY (platform, step, item)
) STRICT, WITHOUT ROWID;
INSERT INTO item VALUES (1, 'products', 'HEAT-1', 1, 'aGFzaA', 1, 0, 1, 0, 1700000032000, 40, 'ok', 201, NULL, NULL);
PRAGMA application_id = 1835493996;
PRAGMA user_version = 25;
