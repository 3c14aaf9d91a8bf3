import type { JournalAddress } from './address.ts';

/** A failure of the server, or on the way to it. */
export interface ServerError {
  /** Whether the same statement may succeed over a new connection: it is tried again. */
  readonly passes: boolean;
  /** What happened, with the remedy; follows the journal's name, without a full stop. */
  readonly says: (server: Server) => string;
}

/** What the sentences name. */
interface Server extends Pick<JournalAddress, 'host' | 'port' | 'database' | 'schema'> {
  /** Such as `the PostgreSQL server at db.example.com:5432`. */
  readonly server: string;
  /** The server's own words: names of its objects, and no values. */
  readonly message: string;
  readonly code: string;
}

const passing = (says: ServerError['says']): ServerError => ({ passes: true, says });
const lasting = (says: ServerError['says']): ServerError => ({ passes: false, says });

const unreached = passing(({ server, code }) => `${server} cannot be reached (${code})`);
const noHost = passing(
  ({ host, code }) => `there is no host ${host} (${code}). Check the address, and the name server`,
);
const idle = (setting: string): ServerError =>
  passing(({ server }) => `${server} ended the connection (${setting}). Turn ${setting} off for this user`);
const pooler = lasting(
  ({ server, code }) =>
    `${server} does not know the prepared statements of its own connection (${code}), as behind a pooler in transaction mode. ` +
    'Name the server itself, or a pool in session mode (pool_mode = session)',
);
const notUtf8 = lasting(
  ({ database, code }) =>
    `the database ${database} cannot hold every character (${code}). Create one in UTF-8 (createdb --encoding=UTF8 --template=template0), and move the journal there with migrate journal move`,
);
const damaged = lasting(
  ({ server, code, message }) => `${server} reports damage (${code}: ${message}). Ask its administrator`,
);

/** What is known of errors, by the system's code or the server's (SQLSTATE). */
export const serverErrors: Readonly<Record<string, ServerError>> = {
  ECONNREFUSED: passing(
    ({ host, port }) => `nothing listens at ${host}:${port}. Check the address, and that the server runs`,
  ),
  ECONNRESET: unreached,
  EPIPE: unreached,
  ETIMEDOUT: unreached,
  EHOSTUNREACH: unreached,
  EHOSTDOWN: unreached,
  ENETUNREACH: unreached,
  ENETDOWN: unreached,
  ENOTFOUND: noHost,
  EAI_AGAIN: noHost,
  EAI_FAIL: noHost,

  '28P01': lasting(
    ({ server }) =>
      `${server} refuses the password. Check PGPASSWORD, the password file, or journalPasswordFile`,
  ),
  '28000': lasting(({ server, message }) => `${server} refuses the user: ${message}`),
  '3D000': lasting(
    ({ database }) => `the server has no database ${database}. Create it (createdb ${database})`,
  ),
  '42501': lasting(
    ({ message, schema }) =>
      `the user lacks rights (${message}). Grant them, or let the owner of the schema ${schema} run first`,
  ),

  // idle_in_transaction_session_timeout, transaction_timeout, idle_session_timeout
  '25P03': idle('idle_in_transaction_session_timeout'),
  '25P04': idle('transaction_timeout'),
  '57P05': idle('idle_session_timeout'),
  '25006': passing(
    ({ server }) =>
      `${server} is read-only: it is a standby, or default_transaction_read_only is on. Name the primary server, or let this user write`,
  ),
  '40001': passing(({ server }) => `${server} ended a transaction for another one`),
  '40P01': passing(({ server }) => `${server} ended a transaction for another one`),
  '53200': passing(({ server }) => `${server} has no memory left. Give it more, or lower its settings`),
  '53300': passing(
    ({ server }) => `${server} has too many connections. Close some, or raise max_connections`,
  ),
  '55P03': passing(
    ({ server }) =>
      `${server} gave no lock in time (lock_timeout): another session holds a table of the journal. End that session (pg_locks shows it), or turn lock_timeout off for this user`,
  ),
  '57014': passing(
    ({ server }) =>
      `${server} cancelled a statement (statement_timeout, or pg_cancel_backend). Set statement_timeout to a minute or more for this user`,
  ),
  '57P01': passing(({ server }) => `${server} ended the connection, as when it stops`),
  '57P02': passing(({ server }) => `${server} ended the connection after a crash`),
  '57P03': passing(({ server }) => `${server} is starting or stopping. Wait, and run again`),

  '53100': lasting(({ server }) => `${server} has no space left on its disk. Free space and run again`),
  '55000': lasting(({ message }) =>
    /replica identity/.test(message)
      ? `a publication of all tables needs a key of each (${message}). Publish other tables only, or give that table a primary key`
      : `the server cannot do this now: ${message}`,
  ),
  '57P04': lasting(({ database }) => `the database ${database} was deleted`),
  '58030': lasting(({ server }) => `the disk of ${server} reports an error. Ask its administrator`),
  '22021': notUtf8,
  '22P05': notUtf8,
  '26000': pooler,
  '42P05': pooler,
  XX001: damaged,
  XX002: damaged,
};

/** What is known of an error; undefined if nothing is. Class 08 is about connections. */
export function serverError(code: string): ServerError | undefined {
  if (Object.hasOwn(serverErrors, code)) return serverErrors[code];
  return /^08\w{3}$/.test(code) ? unreached : undefined;
}
