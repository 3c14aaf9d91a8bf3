import { readFileSync } from 'node:fs';
import pg from 'pg';
import { DatabaseRefused } from '../../domain/database-refused.ts';
import { passwordInFile } from '../../domain/password-file.ts';
import type { JournalAddress } from './address.ts';
import { restored, stored } from './texts.ts';

/** How a connection is made. */
export interface Access {
  readonly address: JournalAddress;
  /** The name of the system's user, if the address names none. */
  readonly user: string;
  /** Gives the password; undefined: the driver looks it up in the password file. */
  readonly password: () => Promise<string | undefined>;
  /** For tests: makes a connection in another way. */
  readonly connect?: ((config: pg.ClientConfig) => Promise<pg.Client>) | undefined;
}

type Value = string | number | null | readonly number[] | readonly string[];

/** A statement that the server keeps prepared for the connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export function statement(name: string, text: string): Statement {
  return { name, text };
}

/** How a connection is used. */
export interface Use {
  /** Statements with which it begins. */
  readonly settings: string;
  /** Its statements find rows by their keys: a plan for any values suits all. */
  readonly isKeyed: boolean;
}

export const looking: Use = { settings: '', isKeyed: false };

/** Names of statements by their texts. */
const namedTexts = new Map<string, string>();

function namedAfter(text: string): string {
  const known = namedTexts.get(text);
  if (known !== undefined) return known;
  const name = `text_${namedTexts.size}`;
  namedTexts.set(text, name);
  return name;
}

/** The server's function that gives the warning. */
const waitForStandby = 'SyncRepWaitForLSN';

/** Longer than any statement takes, in ms: the connection is then taken for dead. */
const longestMs = 120_000;

const bigint = 20;
const text = 25;
/** By the server's type numbers; the driver's declaration names only some. */
const otherwise = pg.types.getTypeParser as (type: number) => (value: string) => unknown;

const types: pg.CustomTypesConfig = {
  getTypeParser: (type: number): ((value: string) => unknown) => {
    // Every number here is within the range that JavaScript represents exactly.
    if (type === bigint) return Number;
    return type === text ? restored : otherwise(type);
  },
};

/**
 * One connection to the server. Its methods throw the server's errors. Statements leave at once, even while
 * earlier ones are being answered; the server works on one after another.
 */
export class JournalConnection {
  readonly #client: pg.Client;
  /** Identifies its process on the server. */
  readonly pid: number;
  readonly #isKeyed: boolean;
  #isLost = false;
  #wasWaitCancelled = false;

  private constructor(client: pg.Client, pid: number, isKeyed: boolean) {
    this.#client = client;
    this.pid = pid;
    this.#isKeyed = isKeyed;
    client.on('error', () => (this.#isLost = true));
    client.on('end', () => (this.#isLost = true));
    client.on('notice', ({ routine }) => (this.#wasWaitCancelled ||= routine === waitForStandby));
  }

  static async open(access: Access, { settings, isKeyed }: Use): Promise<JournalConnection> {
    const { sslMode } = access.address;
    const client = await connected(access, sslMode !== 'disable').catch((error: unknown) => {
      const isPlain =
        sslMode === 'prefer' && error instanceof Error && /does not support SSL/.test(error.message);
      if (!isPlain) throw error;
      return connected(access, false);
    });
    const { schema } = access.address;
    const [set] = await several(
      client,
      `SELECT pg_backend_pid() AS pid; SET search_path TO "${schema}"; ${settings}`,
    );
    return new JournalConnection(client, Number(set?.[0]?.['pid']), isKeyed);
  }

  /** Whether a commit since the last call was confirmed without the standby that it waits for, because somebody cancelled the wait. */
  takeCancelledWait(): boolean {
    const was = this.#wasWaitCancelled;
    this.#wasWaitCancelled = false;
    return was;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** The rows of a prepared statement. */
  async run<Row extends object>(of: Statement, values: readonly Value[] = []): Promise<Row[]> {
    const { rows } = await this.#client.query<Row>({ ...of, values: values.map(asStored) });
    return rows;
  }

  /** The rows of a statement, which is planned for its values unless the connection `isKeyed`. */
  async query<Row extends object>(text: string, values: readonly Value[] = []): Promise<Row[]> {
    const { rows } = await this.#client.query<Row>(this.#asked(text, values));
    return rows;
  }

  /** The number of rows that a statement changed. */
  async change(text: string, values: readonly Value[] = []): Promise<number> {
    const { rowCount } = await this.#client.query(this.#asked(text, values));
    return rowCount ?? 0;
  }

  #asked(text: string, values: readonly Value[]): pg.QueryConfig {
    const asked = { text, values: values.map(asStored) };
    return this.#isKeyed ? { ...asked, name: namedAfter(text) } : asked;
  }

  /** The rows of each of several statements, in one exchange. */
  several(text: string): Promise<Record<string, unknown>[][]> {
    return several(this.#client, text);
  }

  /** Statements that are given within one call leave together: the server is not woken for each. */
  together<T>(give: () => T): T {
    const { stream } = this.#client.connection;
    stream.cork();
    try {
      return give();
    } finally {
      stream.uncork();
    }
  }

  async close(): Promise<void> {
    const isLost = this.#isLost;
    this.#isLost = true;
    if (!isLost) await this.#client.end().catch(() => undefined);
  }

  /** Ends it without waiting for the server. */
  drop(): void {
    this.#isLost = true;
    this.#client.end().catch(() => undefined);
    // `end` waits for a server that may be gone.
    this.#client.connection.stream.destroy();
  }
}

function asStored(value: Value): Value {
  return typeof value === 'string' ? stored(value) : value;
}

async function several(client: pg.Client, text: string): Promise<Record<string, unknown>[][]> {
  const results = await client.query<Record<string, unknown>>(text);
  // The driver answers several statements with a list.
  return [results].flat().map(({ rows }) => rows);
}

async function connected(
  { address, user, password, connect = connectedClient }: Access,
  hasTls: boolean,
): Promise<pg.Client> {
  const { host, port, database, sslMode, rootCertificate } = address;
  const login = { host, port, database, user: address.user ?? user };
  const secret = await password();
  return connect({
    ...{ ...login, types },
    // Only asked for where the server wants one. Without one, the server's refusal says so.
    password: secret ?? (async () => (await passwordInFile(login)) as string),
    application_name: 'migrate',
    keepAlive: true,
    pipeline: true,
    connectionTimeoutMillis: 10_000,
    query_timeout: longestMs,
    ssl: hasTls && {
      rejectUnauthorized: sslMode === 'verify-ca' || sslMode === 'verify-full',
      ca: rootCertificate === undefined ? undefined : readAuthorities(rootCertificate, address),
      // Only verify-full compares the name in the certificate.
      ...(sslMode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
    },
  });
}

function readAuthorities(file: string, { name }: JournalAddress): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new DatabaseRefused(
      'unwritable',
      `The journal ${name}: the file ${file} of sslrootcert ${why}. Name the file with the certificates of the authorities that sign the server's certificate.`,
      { cause: error },
    );
  }
}

async function connectedClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  // A failure between two statements; the next statement reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}
