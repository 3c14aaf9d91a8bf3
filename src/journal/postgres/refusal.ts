import { DatabaseRefused, type RefusalReason } from '../../domain/database-refused.ts';
import type { Address } from './address.ts';

/** Failures after which the same statement may succeed over a new connection. */
const passing: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'],
  // admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections, read_only_sql_transaction (a server that
  // is being replaced), serialization_failure, deadlock_detected, idle_in_transaction_session_timeout
  ...['57P01', '57P02', '57P03', '53300', '25006', '40001', '40P01', '25P03'],
]);

/** What `pg` reports without a code when a connection ends. */
const endings =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout expired|timeout exceeded|Client was closed)/;

/** Whether the connection, and not the statement, failed: it is tried again. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return passing.has(code) || code.startsWith('08') || endings.test(error.message);
}

/** Whether a transaction was ended for another one: it may be repeated at once. */
export function isContention(error: unknown): boolean {
  return error instanceof Error && ['40001', '40P01'].includes(codeOf(error));
}

/** The refusal for an error of the server or of the connection; any other error unchanged. */
export function refusalOf(error: unknown, address: Address): unknown {
  if (error instanceof DatabaseRefused || !(error instanceof Error)) return error;
  const known = remedyOf(error, address);
  if (known === undefined) return error;
  const [reason, text] = known;
  return new DatabaseRefused(reason, `The journal ${address.name}: ${text}.`, { cause: error });
}

/** A refusal after a lost connection was tried again for so long; ms. */
export function waitedInVain(refusal: unknown, waited: number): unknown {
  if (!(refusal instanceof DatabaseRefused) || waited === 0) return refusal;
  const { reason, message } = refusal;
  return new DatabaseRefused(
    reason,
    `${message} The server did not come back within ${Math.round(waited / 1000)} s (journalPatienceMs). ` +
      'What was recorded before is kept: run the same command again when the server is back.',
    { cause: refusal },
  );
}

function remedyOf(error: Error, address: Address): readonly [RefusalReason, string] | undefined {
  const { host, port, database, schema } = address;
  const server = `the PostgreSQL server at ${host}:${port}`;
  const code = codeOf(error);
  switch (code) {
    case 'ECONNREFUSED':
      return [
        'unwritable',
        `nothing listens at ${host}:${port}. Check the address, and that the server runs`,
      ];
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return ['unwritable', `there is no host ${host}. Check the address`];
    case '28P01':
      return [
        'unwritable',
        `${server} refuses the password. Check PGPASSWORD, the password file, or journalPasswordFile`,
      ];
    case '28000':
      return ['unwritable', `${server} refuses the user: ${error.message}`];
    case '3D000':
      return ['unwritable', `the server has no database ${database}. Create it (createdb ${database})`];
    case '42501':
      return [
        'unwritable',
        `the user lacks rights (${error.message}). Grant them, or let the owner of the schema ${schema} run first`,
      ];
    case '53300':
      return ['unwritable', `${server} has too many connections. Close some, or raise max_connections`];
    case '53100':
      return ['unwritable', `${server} has no space left on its disk. Free space and run again`];
    case '25006':
      return ['unwritable', `${server} is read-only (a standby). Name the primary server`];
    case '57P03':
      return ['unwritable', `${server} is starting or stopping. Wait, and run again`];
    default:
  }
  if (/client password must be a string/.test(error.message))
    return [
      'unwritable',
      `${server} asks for a password. Set PGPASSWORD, use a password file (~/.pgpass), or name journalPasswordFile`,
    ];
  if (/does not support SSL/.test(error.message))
    return ['unwritable', `${server} does not offer TLS. Enable it there, or use sslmode=prefer`];
  if (/certificate|self-signed|altnames/i.test(error.message))
    return ['unwritable', `the server's certificate is not accepted: ${error.message}`];
  if (isPassing(error))
    return ['unwritable', `${server} cannot be reached (${code === '' ? error.message : code})`];
  // A statement that failed: its values stay out of the message.
  if (/^[0-9A-Z]{5}$/.test(code)) return ['unwritable', `the server reports ${code}: ${error.message}`];
  return undefined;
}

function codeOf(error: Error): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return codeOf(error.errors[0]);
  return 'code' in error ? String(error.code) : '';
}
