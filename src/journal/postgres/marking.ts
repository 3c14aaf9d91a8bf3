import type { MarkFinding } from '../journal.ts';
import type { Mark } from '../safety/mark-file.ts';
import type { Stamp } from '../safety/stamp.ts';
import type { JournalConnection } from './connection.ts';
import { identityOf, placeOf, recordPlace, recordServers, type Identity, type Where } from './identity.ts';
import { noteLoss } from './interventions.ts';
import type { Queries } from './queries.ts';
import { WriterMarks, type KnownCommits } from './writer-marks.ts';
import { foldTally } from './writers.ts';

/** How this machine reaches a journal, and where it keeps its marks. */
export interface MarkPlace {
  /** The mark of the address: which journal was last used at it. */
  readonly named: Mark;
  /** The directory of all marks. */
  readonly directory: string;
  /** Makes it. */
  readonly make: () => void;
  /** Where the journal is, as this machine calls it. */
  readonly where: Where;
  /** Throws DatabaseRefused if the journal is in use in its former place. `place`: where it is now. */
  readonly refuseSplit: (own: Identity, place: string) => Promise<void>;
}

interface Compared {
  readonly finding: MarkFinding;
  readonly identity: string;
  /** Marks that need not be kept, if the finding is recorded. */
  readonly settled: readonly KnownCommits[];
  /** When this machine last knew the journal to be whole, in ms since the epoch. */
  readonly lastUse: number | undefined;
}

/** The marks that this machine has of a PostgreSQL journal. */
export class PostgresMarking {
  readonly #queries: Queries;
  readonly #place: MarkPlace;
  readonly #session: string;
  #marks: WriterMarks | undefined;

  /** `session`: the writer whose commits it marks. */
  constructor(queries: Queries, place: MarkPlace, session: string) {
    this.#queries = queries;
    this.#place = place;
    this.#session = session;
  }

  /** Called with the stamp of each commit, and of those of other writers that were seen. */
  committed(stamp: Stamp): void {
    this.#marks?.keep(stamp, this.#session);
  }

  async take(at: number): Promise<MarkFinding> {
    await this.#queries.read(async (connection) => {
      const place = await placeOf(connection);
      if (place !== undefined) await this.#place.refuseSplit(await identityOf(connection), place);
    });
    const { compared, stamp } = await this.#queries.write(async ({ connection, stamp: own, place }) => {
      const found = await this.#compare(connection, place);
      if (isLoss(found.finding)) await noteLoss(connection, at, found.lastUse);
      await recordPlace(connection, place);
      await recordServers(connection, this.#place.where);
      // A day without a commit: it was killed.
      await foldTally(connection, "at < now() - interval '1 day'");
      return { compared: found, stamp: own };
    });
    this.#place.make();
    const marks = new WriterMarks(this.#place.directory, compared.identity);
    marks.keep(stamp, this.#session);
    this.#place.named.put({ identity: compared.identity, commits: 0 });
    marks.forget(compared.settled);
    this.#marks = marks;
    return compared.finding;
  }

  find(): Promise<MarkFinding> {
    return this.#queries.read(
      async (connection) => (await this.#compare(connection, await placeOf(connection))).finding,
    );
  }

  /**
   * The marks name the writers of this machine, what they committed, and what they saw of others. A machine that has not used this
   * journal yet has none: that is usual, and no sign of a copy. `place`: where it is; undefined on a standby.
   */
  async #compare(connection: JournalConnection, place: string | undefined): Promise<Compared> {
    const own = await identityOf(connection);
    const { identity } = own;
    // In this order, so that the journal is at least as far as its marks when other processes continue.
    const named = this.#place.named.read();
    const known = new WriterMarks(this.#place.directory, identity).all();
    const rows = await connection.query<{ session: string; commits: number; is_over: boolean }>(
      `SELECT session, commits, closed = 1 OR at < now() - interval '1 day' AS is_over FROM writer
      WHERE session = ANY($1::text[])`,
      [[...known.flatMap(({ writer, by }) => [writer, by]), named?.identity ?? '']],
    );
    const writers = new Map(rows.map((row) => [row.session, row]));
    const isThere = ({ writer, commits }: Pick<KnownCommits, 'writer' | 'commits'>): boolean =>
      commits <= (writers.get(writer)?.commits ?? -1);
    const [any] = await connection.query<{ is_empty: boolean }>(
      'SELECT NOT EXISTS (SELECT FROM run) AND NOT EXISTS (SELECT FROM account) AS is_empty',
    );
    const find = (): MarkFinding => {
      if (named !== undefined && named.identity !== identity) {
        // A mark of an earlier version names a writer.
        if (!writers.has(named.identity)) return any?.is_empty === true ? 'began-anew' : 'replaced';
        if (!isThere({ writer: named.identity, commits: named.commits })) return 'went-back';
      }
      if (!known.every(isThere)) return 'went-back';
      // What it lacks may be everything.
      if (own.place !== '' && place !== undefined && own.place !== place) return 'elsewhere';
      return any?.is_empty === true ? 'new' : 'current';
    };
    const finding = find();
    const times = [this.#place.named.writtenAt(), ...known.map(({ at }) => at)].filter(
      (at) => at !== undefined,
    );
    return {
      ...{ finding, identity, lastUse: times.length === 0 ? undefined : Math.max(...times) },
      settled: isLoss(finding) ? known : known.filter(({ by }) => writers.get(by)?.is_over === true),
    };
  }

  close(): void {
    this.#place.named.close();
    this.#marks?.close();
  }
}

/** Whether the journal counts as restored from a backup. */
export function isLoss(finding: MarkFinding): boolean {
  return finding === 'went-back' || finding === 'replaced' || finding === 'elsewhere';
}
