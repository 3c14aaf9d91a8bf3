CREATE SCHEMA migrate;
SET search_path TO migrate;
CREATE TABLE journal_version (version integer NOT NULL);
INSERT INTO journal_version VALUES (1);

CREATE TABLE platform (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  identity text COLLATE "C" NOT NULL UNIQUE,
  label text NOT NULL
);

CREATE TABLE supplier (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  platform integer NOT NULL REFERENCES platform,
  code text COLLATE "C" NOT NULL,
  UNIQUE (platform, code)
);

-- Who gave a command, where, and with which version of the tool.
CREATE TABLE actor (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  login text NOT NULL,
  host text NOT NULL,
  version text NOT NULL,
  UNIQUE (login, host, version)
);

-- Runs are numbered without gaps, which a sequence has after a crash: people name them.
CREATE TABLE run (
  id integer PRIMARY KEY,
  platform integer NOT NULL REFERENCES platform,
  supplier text,
  dry_run smallint NOT NULL CHECK (dry_run IN (0, 1)),
  export text NOT NULL,
  started_at bigint NOT NULL,
  named bigint,
  boot text,
  boot_at bigint,
  actor integer REFERENCES actor,
  pace text,
  ended_at bigint,
  exit integer,
  reason text,
  accounts text,
  requests bigint,
  retries bigint,
  CHECK ((ended_at IS NULL) = (exit IS NULL))
);

CREATE TABLE lease (
  supplier integer PRIMARY KEY REFERENCES supplier,
  epoch bigint NOT NULL,
  host text NOT NULL,
  pid bigint NOT NULL,
  process_start text NOT NULL,
  -- By the clock of the server; milliseconds since the epoch.
  since bigint NOT NULL,
  expires_at bigint NOT NULL
);

-- The exports that accounts were read from.
CREATE TABLE source (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  platform integer NOT NULL REFERENCES platform,
  place text COLLATE "C" NOT NULL,
  UNIQUE (platform, place)
);

CREATE TABLE account (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  supplier integer NOT NULL REFERENCES supplier,
  number text COLLATE "C" NOT NULL,
  state smallint NOT NULL CHECK (state BETWEEN 0 AND 8),
  steps bigint NOT NULL,
  code text NOT NULL,
  kraken_account_number text COLLATE "C",
  staged_hash text,
  plan_hash text,
  -- The last restore since which the account was settled.
  restore integer NOT NULL DEFAULT 0,
  source integer REFERENCES source,
  absent smallint NOT NULL DEFAULT 0,
  -- The export that the data came from that plan_hash names.
  data integer REFERENCES source,
  UNIQUE (supplier, number)
) WITH (fillfactor = 70);
CREATE INDEX account_of_number ON account (kraken_account_number, supplier) WHERE kraken_account_number IS NOT NULL;
-- Few, so that counting them reads no account.
CREATE INDEX absent_account ON account (supplier, state) WHERE absent = 1 AND kraken_account_number IS NULL;
CREATE INDEX staged_by_dry_run ON account (supplier)
  WHERE state = 0 AND staged_hash IS NOT NULL AND absent = 0;

-- The last attempt at each part.
CREATE TABLE part (
  account bigint NOT NULL REFERENCES account,
  step smallint NOT NULL,
  part integer NOT NULL,
  state smallint NOT NULL CHECK (state BETWEEN 0 AND 4),
  hash text NOT NULL,
  attempt integer NOT NULL,
  run integer NOT NULL,
  sent_at bigint NOT NULL,
  took bigint,
  outcome text,
  status integer,
  code text,
  words text,
  money text,
  prints text,
  PRIMARY KEY (account, step, part),
  CHECK ((took IS NULL) = (outcome IS NULL)),
  CHECK (state = 0 OR took IS NOT NULL)
) WITH (fillfactor = 70);

-- What was in a part's row before it was sent or settled again.
CREATE TABLE attempt (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account bigint NOT NULL REFERENCES account,
  step smallint NOT NULL,
  part integer NOT NULL,
  state smallint NOT NULL,
  hash text NOT NULL,
  attempt integer NOT NULL,
  run integer NOT NULL,
  sent_at bigint NOT NULL,
  took bigint,
  outcome text,
  status integer,
  code text,
  words text
);
CREATE INDEX attempt_of_account ON attempt (account);

CREATE TABLE problem (
  account bigint NOT NULL REFERENCES account,
  position integer NOT NULL,
  step smallint,
  code text NOT NULL,
  path text NOT NULL,
  file text,
  line bigint,
  col text,
  -- 1: it holds nothing back.
  warning smallint NOT NULL,
  PRIMARY KEY (account, position)
);

-- Where the export has what uncertain parts sent.
CREATE TABLE part_cell (
  account bigint NOT NULL REFERENCES account,
  position integer NOT NULL,
  step smallint NOT NULL,
  part integer NOT NULL,
  file text NOT NULL,
  line bigint NOT NULL,
  col text NOT NULL,
  PRIMARY KEY (account, position)
);

-- Refused data of an account (by the hash of its plan) that data of another export replaced, and where that is.
CREATE TABLE superseded (
  account bigint NOT NULL REFERENCES account,
  hash text NOT NULL,
  file text,
  line bigint,
  col text,
  -- 1: a run has warned of it.
  told smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (account, hash)
);

-- Accounts of a supplier by the state of a step; step 0 counts them by their own state.
CREATE TABLE tally (
  supplier integer NOT NULL REFERENCES supplier,
  step smallint NOT NULL,
  state smallint NOT NULL,
  accounts bigint NOT NULL CHECK (accounts >= 0),
  PRIMARY KEY (supplier, step, state)
) WITH (fillfactor = 50);

-- The exports that a supplier's accounts were read from.
CREATE TABLE reading (
  supplier integer NOT NULL REFERENCES supplier,
  source integer NOT NULL REFERENCES source,
  -- 1: it was read to its end since it last had another number of accounts.
  whole smallint NOT NULL CHECK (whole IN (0, 1)),
  accounts bigint,
  PRIMARY KEY (supplier, source)
);

-- When the journal was restored from a backup.
CREATE TABLE restore (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL
);

-- The last run of a supplier that left nothing to do. Holds while the supplier's lease has this epoch.
CREATE TABLE finished (
  supplier integer PRIMARY KEY REFERENCES supplier,
  epoch bigint NOT NULL,
  fingerprint text NOT NULL,
  content text,
  run integer NOT NULL REFERENCES run,
  suppliers integer NOT NULL,
  restore integer NOT NULL
);

-- The accounts that failed last: a few, the oldest are removed.
CREATE TABLE trouble (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account bigint NOT NULL REFERENCES account
);

-- Rulings, retries and restores: one row a command.
CREATE TABLE intervention (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  command text NOT NULL CHECK (command IN ('resolve', 'retry', 'restore')),
  at bigint NOT NULL,
  actor integer REFERENCES actor,
  accounts bigint,
  CHECK ((accounts IS NULL) = (command = 'restore'))
);

-- The accounts that a ruling or retry changed.
CREATE TABLE intervened (
  account bigint NOT NULL REFERENCES account,
  intervention bigint NOT NULL REFERENCES intervention,
  PRIMARY KEY (account, intervention)
);

-- Which journal this is, and how many commits it has had. Every transaction that writes changes it first, so they follow
-- one another.
CREATE TABLE stamp (
  id integer PRIMARY KEY CHECK (id = 1),
  identity text NOT NULL,
  commits bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO stamp VALUES (1, replace(gen_random_uuid()::text, '-', ''), 0);

-- The identities that it had before it was restored, and how many commits then.
CREATE TABLE former_stamp (
  identity text PRIMARY KEY,
  commits bigint NOT NULL
);

-- The last batch that each open journal committed: where the answer to a commit is lost, this has it.
CREATE TABLE batch (
  session text PRIMARY KEY,
  number bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 10);

-- A journal that a run and a ruling of version 1 left, and whose server was once restored.
INSERT INTO platform (identity, label) VALUES ('p', 'P');
INSERT INTO supplier (platform, code) VALUES (1, 'S');
INSERT INTO actor (login, host, version) VALUES ('ann', 'h1', '0.1.0');
INSERT INTO run (id, platform, dry_run, export, started_at, actor, ended_at, exit, reason, accounts, requests, retries)
VALUES (1, 1, 0, './export', 1000, 1, 2000, 3, '', '{"completed":1,"failed":1}', 4, 0);
INSERT INTO lease VALUES (1, 2, 'h1', 7, '7', 1000, 0);
INSERT INTO source (platform, place) VALUES (1, '/export');
INSERT INTO account (supplier, number, state, steps, code, kraken_account_number, plan_hash, restore, source) VALUES
  (1, 'A', 3, 146, '', 'K-1', 'h', 1, 1), (1, 'B', 5, 256, 'http_500', NULL, 'h', 1, 1);
INSERT INTO part (account, step, part, state, hash, attempt, run, sent_at, took, outcome) VALUES
  (1, 3, 0, 1, 'h', 1, 1, 1000, 5, 'ok'), (2, 3, 0, 3, 'h', 1, 1, 1000, 5, 'not-sent');
INSERT INTO tally VALUES (1, 0, 3, 1), (1, 0, 5, 1), (1, 1, 2, 1), (1, 2, 2, 1), (1, 3, 2, 1), (1, 3, 4, 1);
INSERT INTO reading VALUES (1, 1, 1, 2);
INSERT INTO restore (at) VALUES (500);
INSERT INTO finished VALUES (1, 2, 'f', NULL, 1, 1, 1);
INSERT INTO intervention (command, at, actor, accounts) VALUES ('restore', 500, NULL, NULL);
UPDATE stamp SET identity = '0123456789abcdef0123456789abcdef', commits = 17;
INSERT INTO former_stamp VALUES ('fedcba9876543210fedcba9876543210', 9);
INSERT INTO batch (session, number) VALUES ('00000000-0000-0000-0000-000000000000', 3);
-- Every open journal that writes. Each transaction adds 1 to its own row first: where the answer to a commit is lost, this has it.
CREATE TABLE writer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session text COLLATE "C" NOT NULL UNIQUE,
  commits bigint NOT NULL,
  -- 1: what it held was taken over, so it writes nothing more about accounts.
  fenced smallint NOT NULL DEFAULT 0,
  closed smallint NOT NULL DEFAULT 0,
  at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 10);
-- Marks of version 1 name these.
INSERT INTO writer (session, commits, closed) SELECT identity, commits, 1 FROM stamp;
INSERT INTO writer (session, commits, closed) SELECT identity, commits, 1 FROM former_stamp ON CONFLICT DO NOTHING;
DROP TABLE batch;
DROP TABLE stamp;
DROP TABLE former_stamp;

-- Each open writer counts for itself; the sum is the number of accounts. Writer 0 has the counts of those that were closed.
ALTER TABLE tally ADD COLUMN writer bigint NOT NULL DEFAULT 0;
ALTER TABLE tally DROP CONSTRAINT tally_accounts_check;
ALTER TABLE tally DROP CONSTRAINT tally_pkey;
ALTER TABLE tally ADD PRIMARY KEY (supplier, step, state, writer);

-- Runs of one book, which share its work. The book is the contents of its export and mapping.
CREATE TABLE run_group (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  platform integer NOT NULL REFERENCES platform,
  book text NOT NULL,
  -- Where the first of the runs has the export, and its fixes (a JSON list): accounts are recorded under these by all.
  place text NOT NULL,
  fixes text NOT NULL,
  -- Why all of them stop: JSON.
  stopped text
);
CREATE INDEX run_group_of_book ON run_group (platform, book);

-- A run of a group.
CREATE TABLE runner (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_group bigint NOT NULL REFERENCES run_group,
  session text NOT NULL,
  run integer NOT NULL REFERENCES run,
  host text NOT NULL,
  pid bigint NOT NULL,
  process_start text NOT NULL,
  -- By the clock of the server; milliseconds since the epoch. It expires at 0 when it has left, or was taken over.
  since bigint NOT NULL,
  expires_at bigint NOT NULL,
  -- JSON: the budget that it states, the part of it that it was granted, and what it knows about the platform.
  budget text NOT NULL,
  granted text NOT NULL,
  heard text
) WITH (fillfactor = 50);
CREATE INDEX runner_of_group ON runner (run_group);
CREATE INDEX living_runner ON runner (session) WHERE expires_at > 0;

-- Accounts of a group's book, by a hash of their numbers.
CREATE TABLE partition (
  run_group bigint NOT NULL REFERENCES run_group,
  number smallint NOT NULL,
  -- Grows each time it gets another runner.
  epoch bigint NOT NULL DEFAULT 0,
  runner bigint REFERENCES runner,
  -- What a pass to its end counted: JSON.
  result text,
  PRIMARY KEY (run_group, number)
) WITH (fillfactor = 50);

-- The writer that holds the supplier, or the group whose runners do.
ALTER TABLE lease ADD COLUMN session text NOT NULL DEFAULT '';
ALTER TABLE lease ADD COLUMN run_group bigint REFERENCES run_group;
INSERT INTO writer (session, commits, closed) VALUES ('00000000-0000-0000-0000-000000000001', 5, 1);
INSERT INTO run_group (platform, book, place, fixes) VALUES (1, 'book', '/export', '[]');
INSERT INTO runner (run_group, session, run, host, pid, process_start, since, expires_at, budget, granted)
VALUES (1, '00000000-0000-0000-0000-000000000001', 1, 'h1', 7, '7', 1000, 0, '{}', '{}');
INSERT INTO partition (run_group, number, epoch, runner, result) VALUES (1, 0, 1, 1, NULL);
UPDATE tally SET writer = 1 WHERE step = 0 AND state = 3;
UPDATE journal_version SET version = 2;
CREATE TABLE moved (
  -- Where it is now.
  target text NOT NULL
);
UPDATE journal_version SET version = 3;
CREATE INDEX changed_after_import ON account (supplier)
  WHERE state = 4 AND code = 'changed_after_import';
UPDATE journal_version SET version = 4;
-- The fingerprint of the rows that it was read from (row-print.ts). A change of the account empties it.
ALTER TABLE account ADD COLUMN row_print text;
-- The last run that found these rows changed.
ALTER TABLE account ADD COLUMN changed integer REFERENCES run;
CREATE INDEX changed_in_run ON account (supplier, changed, number) WHERE changed IS NOT NULL;
UPDATE account SET row_print = 'print mapping', changed = 1 WHERE number = 'A';
UPDATE journal_version SET version = 5;
CREATE INDEX refused_data ON account (supplier) WHERE state = 3 AND code <> '';
UPDATE journal_version SET version = 6;
CREATE TABLE journal_identity (
  identity text NOT NULL,
  -- The server, its timeline, the database and the table where it was last known to be whole; empty before its first use.
  place text NOT NULL DEFAULT '',
  -- Where its servers are reached (host:port, divided by blanks), in this place and in the one before.
  servers text NOT NULL DEFAULT '',
  former text NOT NULL DEFAULT '',
  -- When it came to this place.
  changed timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX one_identity ON journal_identity ((true));
INSERT INTO journal_identity (identity) VALUES (replace(gen_random_uuid()::text, '-', ''));
UPDATE journal_identity SET identity = '89abcdef0123456789abcdef01234567';
UPDATE journal_version SET version = 7;
ALTER TABLE run ALTER COLUMN id DROP IDENTITY IF EXISTS;

-- When the journal was brought to a newer schema, or its accounts to newer rules.
CREATE TABLE upgrade (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  actor integer REFERENCES actor,
  from_schema integer NOT NULL,
  to_schema integer NOT NULL,
  -- The version of the tool that wrote the journal last, if it is known.
  from_version text,
  -- Where the journal as it was before is kept.
  backup text,
  -- How many accounts newer rules put into another state.
  accounts bigint NOT NULL DEFAULT 0
);

-- Which rules the states of all accounts follow (conclusions.ts).
CREATE TABLE conclusion (
  id integer PRIMARY KEY CHECK (id = 1),
  rules integer NOT NULL
);
INSERT INTO conclusion SELECT 1, CASE WHEN EXISTS (SELECT FROM account) THEN 0 ELSE 1 END;

-- A runner of an earlier version that goes on, for instance one that was suspended, writes nothing more about accounts.
UPDATE lease SET epoch = epoch + 2, expires_at = 0 WHERE expires_at > 0;
UPDATE writer SET fenced = 1 WHERE closed = 0;
INSERT INTO upgrade (at, actor, from_schema, to_schema, from_version, backup) VALUES (3000, 1, 7, 8, '0.1.0', NULL);
UPDATE conclusion SET rules = 1;
UPDATE journal_version SET version = 8;
CREATE TABLE spelling (
  supplier integer NOT NULL REFERENCES supplier,
  -- The account's number in Unicode's form NFC, where the account has another spelling of it.
  composed text COLLATE "C" NOT NULL,
  account bigint NOT NULL REFERENCES account,
  PRIMARY KEY (supplier, composed)
);
UPDATE journal_version SET version = 9;
ALTER TABLE journal_version ADD PRIMARY KEY (version);
ALTER TABLE journal_identity ADD PRIMARY KEY (identity);
ALTER TABLE moved ADD PRIMARY KEY (target);
UPDATE journal_version SET version = 10;
ALTER TABLE run ADD COLUMN facts text;
UPDATE run SET facts = '{"profile":"live","rehearsal":false,"unattended":true,"given":{"place":"/export","accounts":4,"files":[{"table":"accounts","file":"accounts.csv","rows":4,"accounts":4}],"sample":[17,4711],"mapping":[],"codeTables":[],"contract":[],"settings":{}}}' WHERE id = 1;
UPDATE journal_version SET version = 11;
CREATE TABLE read_back_pass (
  id bigint PRIMARY KEY,
  supplier integer NOT NULL REFERENCES supplier,
  selection text NOT NULL,
  began_at bigint NOT NULL,
  ended_at bigint
);
CREATE TABLE read_back (
  account bigint PRIMARY KEY REFERENCES account,
  pass bigint NOT NULL REFERENCES read_back_pass,
  at bigint NOT NULL,
  differences bigint NOT NULL,
  hidden bigint NOT NULL,
  points bigint NOT NULL
);
CREATE INDEX read_back_at ON read_back (at);
INSERT INTO read_back_pass VALUES (1, 1, 'all', 1700000030000, NULL);
INSERT INTO read_back VALUES (1, 1, 1700000031000, 0, 0, 420);
CREATE TABLE item (
  platform integer NOT NULL REFERENCES platform,
  step text COLLATE "C" NOT NULL,
  item text COLLATE "C" NOT NULL,
  state smallint NOT NULL CHECK (state BETWEEN 0 AND 4),
  hash text NOT NULL,
  attempt integer NOT NULL,
  lost integer NOT NULL,
  run integer NOT NULL,
  restore integer NOT NULL,
  sent_at bigint NOT NULL,
  took bigint,
  outcome text,
  status integer,
  code text,
  words text,
  PRIMARY KEY (platform, step, item)
);
INSERT INTO item VALUES (1, 'products', 'HEAT-1', 1, 'aGFzaA', 1, 0, 1, 0, 1700000032000, 40, 'ok', 201, NULL, NULL);
UPDATE journal_version SET version = 14;
