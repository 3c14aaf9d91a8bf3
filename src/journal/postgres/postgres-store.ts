import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseRefused } from '../../domain/database-refused.ts';
import type { Clock } from '../../domain/clock.ts';
import { makeDirectory } from '../../domain/make-directory.ts';
import {
  brokenAccounts,
  countedStates,
  rules,
  TallyDifferences,
  type StatesRow,
  type TalliedRow,
} from '../core/consistency.ts';
import type { Journal } from '../journal.ts';
import { MarkFile } from '../safety/mark-file.ts';
import type { Awaiting, JournalFault, JournalOptions, JournalStore, LeaseMoment, Wanted } from '../store.ts';
import { addressOf, type JournalAddress } from './address.ts';
import { JournalConnection, looking, type Access } from './connection.ts';
import { refuseSplit } from './former-place.ts';
import { Link, Outage } from './link.ts';
import { heldLeases, serverClock } from './leases.ts';
import { refuseMoved } from './moved.ts';
import { postgresJournal } from './postgres-driver.ts';
import { postgresSource, postgresTarget } from './postgres-records.ts';
import { refusePooling } from './pooling.ts';
import { refusalOf } from './refusal.ts';
import { missing, prepare, refuseOutdated, versionOf } from './schema.ts';
import { flawsIn } from './structure.ts';

export interface PostgresSettings {
  /** The address. */
  readonly journal: string;
  readonly synchronous: 'FULL' | 'NORMAL';
  /** The name of the system's user. */
  readonly user: string;
  /** Gives the password; undefined: the driver looks it up in the password file. */
  readonly password: () => Promise<string | undefined>;
  /** How long a run waits for a lost server, in ms. */
  readonly patienceMs: number;
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>;
  /** Where this machine keeps its mark of the journal. */
  readonly directory: string;
  /** For tests: SQL for the clock of leases, in ms since the epoch. */
  readonly leaseClock?: string;
  readonly connect?: Access['connect'];
}

/** A journal in a schema of a PostgreSQL database. */
export function postgresStore(settings: PostgresSettings): JournalStore {
  const { journal: name, user, password, connect, leaseClock = serverClock } = settings;
  const address = addressOf(name);
  const access: Access = { address, user, password, connect };

  /** For a question beside a run: without patience, and without a change. */
  async function asking<T>(work: (connection: JournalConnection) => Promise<T>): Promise<T> {
    try {
      const connection = await JournalConnection.open(access, looking);
      try {
        return await work(connection);
      } finally {
        await connection.close();
      }
    } catch (error) {
      throw refusalOf(error, address);
    }
  }

  return {
    location: address.name,
    isShared: true,

    awaited: (awaiting) => reach(settings, access, awaiting),

    exists: () => asking(async (connection) => (await versionOf(connection, address)) !== undefined),

    isGone: async () => {
      const mark = new MarkFile(markedFile(settings.directory, address));
      const isMarked = mark.read() !== undefined;
      mark.close();
      if (!isMarked) return false;
      return asking(async (connection) => (await versionOf(connection, address)) === undefined);
    },

    open: (options) => open(settings, access, leaseClock, options),

    upgrade: (options) => asking((connection) => prepare(connection, address, false, leaseClock, options)),

    heldSupplier: (wanted, { isDead }) =>
      asking(async (connection) => {
        const code = wanted.supplier ?? (await onlySupplier(connection, wanted));
        const found = (await heldLeases(connection, leaseClock, isDead)).find(
          ({ platform, supplier, book }) =>
            platform === wanted.platform && supplier === code && (book === undefined || book !== wanted.book),
        );
        if (found === undefined) return undefined;
        const { supplier, owner, since, expiresAt, sharedWith } = found;
        return { supplier, held: { held: true as const, owner, since, expiresAt, sharedWith } };
      }).catch(() => undefined),

    holders: ({ isDead }: LeaseMoment) =>
      asking(async (connection) =>
        (await heldLeases(connection, leaseClock, isDead)).map(({ platform, supplier }) => ({
          platform,
          supplier,
        })),
      ),

    room: () => Promise.resolve({ kind: 'writable' }),
    tryPlace: () => Promise.resolve(),

    source: () => postgresSource(access),
    target: () => postgresTarget(access),

    faults: () => faultsIn(access),

    backUp: () => Promise.reject(byTheDatabase(address, 'backed up', `pg_dump --schema=${address.schema}`)),
    restore: () =>
      Promise.reject(
        byTheDatabase(
          address,
          'restored',
          'pg_restore, or a recovery to a point in time, while no run uses it',
        ),
      ),
  };
}

function byTheDatabase({ name }: JournalAddress, what: string, how: string): DatabaseRefused {
  return new DatabaseRefused(
    'unwritable',
    `The journal ${name} is ${what} by the database's own tools, not by this command. Use ${how}.`,
  );
}

async function reach(
  { patienceMs, clock, directory }: PostgresSettings,
  access: Access,
  { warn, signal }: Awaiting,
): Promise<void> {
  const { address } = access;
  const mark = new MarkFile(markedFile(directory, address));
  const isKnown = mark.read() !== undefined;
  mark.close();
  const tell = (lost: string | undefined): void =>
    warn(
      lost === undefined
        ? `The journal ${address.name} is back. The run begins.`
        : `${lost} The run waits for it, for up to ${Math.round(patienceMs / 1000)} s (journalPatienceMs).`,
    );
  const link = new Link(access, looking, { ms: isKnown ? patienceMs : 0, clock, tell, signal });
  try {
    await link.use(() => Promise.resolve());
  } finally {
    await link.close();
  }
}

async function open(
  { synchronous, patienceMs, clock, directory }: PostgresSettings,
  access: Access,
  leaseClock: string,
  { create, warn, reading: isReading = false, upgrade, stop }: JournalOptions,
): Promise<Journal> {
  const { address } = access;
  const durable =
    synchronous === 'NORMAL'
      ? 'SET synchronous_commit = off'
      : "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";
  // Statements of a batch find rows by their keys. A plan that was made while the tables were small must not read them whole.
  // Until PostgreSQL 17 that makes reading a table of few rows look so costly that the server would compile the statement.
  const settings = `${durable}; SET jit = off; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
    SET idle_in_transaction_session_timeout = '15s'`;
  const writing = { settings, isKeyed: true };
  const tell = (lost: string | undefined): void =>
    warn?.(
      lost === undefined
        ? `The journal ${address.name} is back. The run continues.`
        : `${lost} Nothing is sent until the journal is back; the run waits, for up to ${Math.round(patienceMs / 1000)} s (journalPatienceMs).`,
    );
  const patience = { ms: patienceMs, clock, outage: new Outage(), stop };
  const connection = await JournalConnection.open(access, writing).catch((error: unknown) => {
    throw refusalOf(error, address);
  });
  const writer = new Link(access, writing, { ...patience, tell }, connection);
  let reading: JournalConnection | undefined;
  try {
    reading = await JournalConnection.open(access, looking);
    await refusePooling(address, connection, reading);
    await writer.use(async (link) => {
      if (isReading) await refuseOutdated(link, address);
      else await prepare(link, address, create, leaseClock, upgrade);
      await refuseMoved(link, address.name);
    });
  } catch (error) {
    await writer.close();
    await reading?.close();
    throw refusalOf(error, address);
  }
  return postgresJournal({
    location: address.name,
    writer,
    reader: new Link(access, looking, patience, reading),
    marks: {
      named: new MarkFile(markedFile(directory, address)),
      directory,
      make: () => makeDirectory(directory, 0o700),
      where: address,
      refuseSplit: (own, place) => refuseSplit(access, own, place, leaseClock),
    },
    clock: leaseClock,
  });
}

/** The mark of an address is at this path with `-mark`: it names the journal that was last used there from this directory. */
function markedFile(directory: string, { host, port, database, schema }: JournalAddress): string {
  const name = createHash('sha256')
    .update([host, port, database, schema].join('\0'))
    .digest('hex')
    .slice(0, 16);
  return join(directory, `journal-${name}`);
}

async function onlySupplier(connection: JournalConnection, wanted: Wanted): Promise<string | undefined> {
  const rows = await connection.query<{ code: string; is_known: boolean }>(
    `SELECT supplier.code, EXISTS (SELECT FROM run WHERE run.platform = platform.id AND run.export = $2) AS is_known
    FROM supplier JOIN platform ON platform.id = supplier.platform WHERE platform.identity = $1 LIMIT 2`,
    [wanted.platform, wanted.export],
  );
  return rows.length === 1 && rows[0]?.is_known === true ? rows[0].code : undefined;
}

/** The server looks after its own pages and references. */
async function* faultsIn(access: Access): AsyncGenerator<JournalFault> {
  const { address } = access;
  try {
    const connection = await JournalConnection.open(access, looking);
    try {
      const version = await versionOf(connection, address);
      if (version === undefined) throw missing(address);
      const flaws = await flawsIn(connection, address.schema, version);
      for (const detail of flaws) yield { code: 'wrong_structure', detail };
      if (flaws.length > 0) return;
      await connection.several('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const differences = new TallyDifferences();
      for (const row of await connection.query<StatesRow>(countedStates)) differences.count(row);
      for (const row of await connection.query<TalliedRow>(
        'SELECT supplier, step, state, accounts FROM tally',
      ))
        differences.compare(row);
      const codes = await connection.query<{ id: number; code: string }>('SELECT id, code FROM supplier');
      const codeOf = new Map(codes.map(({ id, code }) => [id, code]));
      for (const { supplier, detail } of differences.all())
        yield { code: 'wrong_tally', detail, supplier: codeOf.get(supplier) ?? '' };
      for (const { code, detail, broken } of rules)
        for (const row of await connection.query<{ supplier: string; account: string }>(
          brokenAccounts(broken),
        ))
          yield { code, detail, ...row };
    } finally {
      await connection.close();
    }
  } catch (error) {
    throw refusalOf(error, address);
  }
}
