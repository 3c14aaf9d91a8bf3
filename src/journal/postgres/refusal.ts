import { hostShortage } from '../../domain/host-shortage.ts';
import { DatabaseRefused, type RefusalReason } from '../../domain/database-refused.ts';
import type { JournalAddress } from './address.ts';
import { serverError } from './server-errors.ts';

/** What `pg` reports without a code when a connection ends. */
const endings =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout expired|timeout exceeded|Client was closed)/;

/** Whether the connection, and not the statement, failed: it is tried again. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return serverError(codeOf(error))?.passes ?? (isOfConnection(error) || endings.test(error.message));
}

/** Whether a transaction was ended for another one: it may be repeated at once. */
export function isContention(error: unknown): boolean {
  return error instanceof Error && ['40001', '40P01'].includes(codeOf(error));
}

/** The refusal for an error of the server or of the connection; any other error unchanged. */
export function refusalOf(error: unknown, address: JournalAddress): unknown {
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
    `${message} This lasted for ${Math.round(waited / 1000)} s, longer than the run waits (journalPatienceMs). ` +
      'What was recorded before is kept: run the same command again when the journal can be used.',
    { cause: refusal },
  );
}

function remedyOf(error: Error, address: JournalAddress): readonly [RefusalReason, string] | undefined {
  const { host, port, database, schema } = address;
  const server = `the PostgreSQL server at ${host}:${port}`;
  const code = codeOf(error);
  const known = serverError(code);
  if (known !== undefined) {
    const { message } = error;
    return ['unwritable', known.says({ host, port, database, schema, server, message, code })];
  }
  if (isOfConnection(error)) return ['unwritable', ofSystem(error, host, port)];
  if (/client password must be a string/.test(error.message))
    return [
      'unwritable',
      `${server} asks for a password. Set PGPASSWORD, use a password file (~/.pgpass), or name journalPasswordFile`,
    ];
  if (/does not support SSL/.test(error.message))
    return ['unwritable', `${server} does not offer TLS. Enable it there, or use sslmode=prefer`];
  if (/certificate|self-signed|altnames/i.test(error.message))
    return ['unwritable', `the server's certificate is not accepted: ${error.message}`];
  if (isPassing(error)) return ['unwritable', `${server} cannot be reached (${error.message})`];
  // A statement that failed: its values stay out of the message.
  if (/^[0-9A-Z]{5}$/.test(code)) return ['unwritable', `the server reports ${code}: ${error.message}`];
  return undefined;
}

/** What the system reports of a connection, and of no file. */
const callsOfSockets = /^(?:connect|read|write|shutdown|socket|bind|getaddrinfo|setsockopt|getsockopt)$/;

function isOfConnection(error: Error): boolean {
  if (error instanceof AggregateError)
    return error.errors[0] instanceof Error && isOfConnection(error.errors[0]);
  return 'syscall' in error && callsOfSockets.test(String(error.syscall));
}

/** What a connection lacks that neither the server nor the way to it has to do with, as far as that is known. */
function ofSystem(error: Error, host: string, port: number): string {
  const code = codeOf(error);
  const shortage = hostShortage(error);
  if (shortage !== undefined)
    return `this machine cannot connect to ${host}:${port}: ${shortage.replace(/\.$/, '')}`;
  if (code === 'EACCES' || code === 'EPERM')
    return `this machine does not permit connections to ${host}:${port} (${code}). Check its firewall, and the rights of the service (IPAddressDeny=, SELinux)`;
  return `a connection to ${host}:${port} fails: the system of this machine reports ${code}. Check its network, and the address`;
}

function codeOf(error: Error): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return codeOf(error.errors[0]);
  return 'code' in error ? String(error.code) : '';
}
