import { DatabaseRefused } from '../../domain/database-refused.ts';
import { journalNameFault } from '../../domain/journal-name.ts';

const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof sslModes)[number];

/** The parts of a journal's address. Never a password. */
export interface JournalAddress {
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

/**
 * Reads `postgres://[user@]host[:port]/database[?schema=S&sslmode=M&sslrootcert=FILE]`. Throws DatabaseRefused, whose
 * message contains no password.
 */
export function addressOf(name: string): JournalAddress {
  const fault = journalNameFault(name);
  if (fault !== undefined) throw new DatabaseRefused('unwritable', `The journal's address ${fault}.`);
  const url = new URL(name);
  const { searchParams: parameters } = url;
  if (parameters.has('target_session_attrs'))
    throw refused(
      'has target_session_attrs, which is not needed: a run waits while a server is read-only. Remove it, and name a host that always leads to the primary server',
      url,
    );
  for (const key of parameters.keys())
    if (!['schema', 'sslmode', 'sslrootcert'].includes(key))
      throw refused(
        `has an unknown parameter${quoted(name, key)}. Known are schema, sslmode and sslrootcert`,
        url,
      );
  for (const key of ['schema', 'sslmode', 'sslrootcert'])
    if (parameters.getAll(key).length > 1) throw refused(`has the parameter ${key} twice. Remove one`, url);
  const schema = parameters.get('schema') ?? 'migrate';
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith('pg_'))
    throw refused('names a schema with other characters than a-z, 0-9 and _. Name another', url);
  const sslMode = parameters.get('sslmode') ?? 'prefer';
  if (!isSslMode(sslMode)) throw refused(`has an unknown sslmode. Known are ${sslModes.join(', ')}`, url);
  const rootCertificate = parameters.get('sslrootcert');
  return {
    name,
    host: decodeURIComponent(url.hostname).replaceAll(/^\[|\]$/g, '') || 'localhost',
    port: url.port === '' ? 5432 : Number(url.port),
    database: decodeURIComponent(url.pathname.slice(1)),
    schema,
    sslMode,
    user: decodeURIComponent(url.username) || undefined,
    rootCertificate: rootCertificate ?? undefined,
  };
}

/** The name of a parameter; without a value it may itself be one. */
function quoted(address: string, key: string): string {
  return address.includes(`${key}=`) ? ` "${key}"` : '';
}

function isSslMode(mode: string): mode is SslMode {
  return sslModes.some((known) => known === mode);
}

/** Shows the address without its parameters: what is unknown there may be a secret. */
function refused(what: string, { href }: URL): DatabaseRefused {
  return new DatabaseRefused('unwritable', `The journal's address ${href.replace(/\?.*/s, '')} ${what}.`);
}
