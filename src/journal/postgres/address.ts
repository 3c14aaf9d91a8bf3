import { DatabaseRefused } from '../../domain/database-refused.ts';

export type SslMode = 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';

/** The parts of a journal's address. Never a password. */
export interface Address {
  /** For messages: as the user gave it. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly schema: string;
  readonly sslMode: SslMode;
  /** Absent: the login name of the system. */
  readonly user?: string | undefined;
  /** The file of the authorities that are trusted to sign the server's certificate. */
  readonly rootCertificate?: string | undefined;
}

const sslModes: readonly string[] = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'];

/**
 * Reads `postgres://[user@]host[:port]/database[?schema=S&sslmode=M&sslrootcert=FILE]`. Throws DatabaseRefused, whose
 * message contains no password.
 */
export function addressOf(name: string): Address {
  const url = URL.canParse(name) ? new URL(name) : undefined;
  if (url === undefined || url.pathname.length < 2)
    throw refused('is not postgres://host/database. Correct the address', withoutPassword(name));
  const shown = withoutPassword(name);
  const { searchParams: parameters } = url;
  if (url.password !== '' || parameters.has('password'))
    throw refused(
      'contains a password. Remove it, because addresses appear in logs and in the list of processes. Set PGPASSWORD, use a password file (~/.pgpass), or name journalPasswordFile or journalPasswordCommand',
      shown,
    );
  for (const key of parameters.keys())
    if (!['schema', 'sslmode', 'sslrootcert'].includes(key))
      throw refused(`has an unknown parameter "${key}". Known are schema, sslmode and sslrootcert`, shown);
  const schema = parameters.get('schema') ?? 'migrate';
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith('pg_'))
    throw refused('names a schema with other characters than a-z, 0-9 and _. Name another', shown);
  const sslMode = parameters.get('sslmode') ?? 'prefer';
  if (!sslModes.includes(sslMode))
    throw refused(`has the sslmode "${sslMode}". Known are ${sslModes.join(', ')}`, shown);
  const rootCertificate = parameters.get('sslrootcert');
  return {
    name: shown,
    host: decodeURIComponent(url.hostname).replaceAll(/^\[|\]$/g, '') || 'localhost',
    port: url.port === '' ? 5432 : Number(url.port),
    database: decodeURIComponent(url.pathname.slice(1)),
    schema,
    sslMode: sslMode as SslMode,
    user: decodeURIComponent(url.username) || undefined,
    rootCertificate: rootCertificate ?? undefined,
  };
}

function withoutPassword(name: string): string {
  return name.replace(/^([a-z]+:\/\/[^:/@]*):.*@/i, '$1@').replaceAll(/([?&]password=)[^&]*/gi, '$1...');
}

function refused(what: string, shown: string): DatabaseRefused {
  return new DatabaseRefused('unwritable', `The journal's address ${shown} ${what}.`);
}
