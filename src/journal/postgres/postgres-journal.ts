import { storedPace, type NotedPace } from '../core/noted-pace.ts';
import { isComposed, type AccountKey } from '../../domain/account-key.ts';
import type { Actor } from '../../domain/actor.ts';
import { accountStates as allStates, type AccountState } from '../../domain/account-state.ts';
import type { Cell } from '../../domain/cell.ts';
import { accountStates } from '../core/codes.ts';
import type {
  AccountChange,
  AccountEntry,
  BookEntry,
  Boot,
  Finished,
  FinishedRun,
  Intent,
  Intervention,
  InterventionEntry,
  Journal,
  LeaseHeld,
  LeaseOwner,
  LeaseTaken,
  MarkFinding,
  PartCell,
  PartEntry,
  PartRef,
  RecordedProblem,
  RowsAsked,
  RowsFound,
  RowsNote,
  RunEnd,
  RunEntry,
  RunStart,
  Settlement,
  SharedNumber,
  Superseded,
  SupplierOverview,
  Trouble,
  Whereabouts,
} from '../journal.ts';
import type { RunGroups } from '../run-groups.ts';
import { addIntervention } from './interventions.ts';
import type { Link } from './link.ts';
import { takeSupplier } from './leases.ts';
import { PostgresRunGroups } from './run-groups.ts';
import { entriesOf, selectWanted, type JoinedRow } from './rows.ts';
import { PostgresHistory } from './history.ts';
import { PostgresOverview } from './overview.ts';
import { Queries } from './queries.ts';
import { PostgresMarking, type MarkPlace } from './marking.ts';
import { PostgresFixes } from './superseded.ts';
import { PostgresRows } from './read-rows.ts';
import { PostgresReadings } from './readings.ts';
import { PostgresRuns } from './runs.ts';
import { PostgresNumbers } from './shared-numbers.ts';
import type { Needs, Unit } from './unit.ts';
import type { ReadBackRecords } from '../read-back-records.ts';
import { PostgresReadBackRecords } from './read-back-records.ts';
import { PostgresUpgradeRecords } from './upgrade-records.ts';
import type { UpgradeRecords } from '../safety/upgrade-records.ts';
import { WriteQueue } from './write-queue.ts';

const accountPage = 200;

const findAccount = `
  WITH wanted AS (
    SELECT account.id, 0 AS place FROM account JOIN supplier ON supplier.id = account.supplier
      JOIN platform ON platform.id = supplier.platform
    WHERE platform.identity = $1 AND supplier.code = $2 AND account.number = $3)
  ${selectWanted}`;

/** By the composed form of its number. */
const findSpelled = `
  WITH wanted AS (
    SELECT account.id, 0 AS place FROM account JOIN supplier ON supplier.id = account.supplier
      JOIN platform ON platform.id = supplier.platform
    WHERE platform.identity = $1 AND supplier.code = $2 AND (account.number = $3 OR account.id =
      (SELECT account FROM spelling WHERE spelling.supplier = supplier.id AND composed = $3))
    ORDER BY account.number = $3 DESC LIMIT 1)
  ${selectWanted}`;

export interface JournalParts {
  readonly location: string;
  readonly writer: Link;
  readonly reader: Link;
  /** The marks on this machine. */
  readonly marks: MarkPlace;
  /** SQL for the clock of leases, in ms since the epoch. */
  readonly clock: string;
}

/** A journal in a PostgreSQL database. Reads have a connection of their own, beside the transactions of writes. */
export class PostgresJournal implements Journal {
  readonly location: string;
  readonly #writer: Link;
  readonly #reader: Link;
  readonly #queue: WriteQueue;
  readonly #clock: string;
  readonly groups: RunGroups;
  readonly upgrades: UpgradeRecords;
  readonly readBack: ReadBackRecords;
  readonly #queries: Queries;
  readonly #marking: PostgresMarking;
  readonly #fixes: PostgresFixes;
  readonly #runs: PostgresRuns;
  readonly #readings: PostgresReadings;
  readonly #rows: PostgresRows;
  readonly #numbers: PostgresNumbers;
  readonly #history: PostgresHistory;
  readonly #overview: PostgresOverview;

  constructor({ location, writer, reader, marks, clock }: JournalParts) {
    this.location = location;
    this.#writer = writer;
    this.#reader = reader;
    this.#clock = clock;
    this.#queue = new WriteQueue(writer, location, (stamp) => this.#marking.committed(stamp));
    this.#queries = new Queries(this.#queue, reader);
    this.upgrades = new PostgresUpgradeRecords(this.#queries);
    this.readBack = new PostgresReadBackRecords(this.#queries);
    this.#marking = new PostgresMarking(this.#queries, marks, this.#queue.session);
    this.#fixes = new PostgresFixes(this.#queries);
    this.#runs = new PostgresRuns(this.#queries);
    this.#readings = new PostgresReadings(this.#queries);
    this.#rows = new PostgresRows(this.#queries);
    this.#numbers = new PostgresNumbers(this.#queries);
    this.#history = new PostgresHistory(this.#queries);
    this.#overview = new PostgresOverview(this.#queries);
    this.groups = new PostgresRunGroups(this.#queue, reader, clock);
  }

  takeMark(at: number): Promise<MarkFinding> {
    return this.#marking.take(at);
  }

  compareMark(): Promise<MarkFinding> {
    return this.#marking.find();
  }

  whereabouts(): Promise<Whereabouts> {
    return Promise.resolve({});
  }

  async takeLease(
    lease: {
      readonly platform: string;
      readonly supplier: string;
      readonly owner: LeaseOwner;
      readonly group?: number | undefined;
    },
    now: number,
    expiresAt: number,
    isDead: (owner: LeaseOwner) => boolean,
  ): Promise<LeaseTaken | LeaseHeld> {
    const taken = await this.#queries.write(async ({ connection, names }) => {
      const id = await names.addSupplier(connection, lease.platform, lease.supplier);
      const order = { ...lease, supplier: id, session: this.#queue.session, forMs: expiresAt - now };
      const holdsOthers = [...this.#queue.fence.keys()].some((held) => held !== id);
      if (!holdsOthers && lease.group === undefined)
        await connection.change('UPDATE writer SET fenced = 0 WHERE session = $1', [this.#queue.session]);
      return { id, lease: await takeSupplier(connection, order, this.#clock, isDead) };
    });
    if (!taken.lease.held)
      this.#queue.fence.set(taken.id, { code: lease.supplier, epoch: taken.lease.epoch });
    return taken.lease;
  }

  renewLease(
    platform: string,
    supplier: string,
    epoch: number,
    now: number,
    expiresAt: number,
  ): Promise<boolean> {
    return this.#queries.write(async ({ connection, names }) => {
      const id = await names.findSupplier(connection, platform, supplier);
      if (id === undefined) return false;
      const changed = await connection.change(
        `UPDATE lease SET expires_at = ${this.#clock} + $1 WHERE supplier = $2 AND epoch = $3`,
        [expiresAt - now, id, epoch],
      );
      return changed === 1;
    });
  }

  async releaseLease(platform: string, supplier: string, epoch: number): Promise<void> {
    const id = await this.#queries.write(async ({ connection, names }) => {
      const found = await names.findSupplier(connection, platform, supplier);
      // The epoch also grows on release, so that a released lease cannot be renewed.
      if (found !== undefined)
        await connection.change(
          'UPDATE lease SET epoch = epoch + 1, expires_at = 0 WHERE supplier = $1 AND epoch = $2 AND run_group IS NULL',
          [found, epoch],
        );
      return found;
    });
    const { fence } = this.#queue;
    if (id !== undefined && fence.get(id)?.epoch === epoch) fence.delete(id);
  }

  async find(platform: string, key: AccountKey): Promise<AccountEntry | undefined> {
    const wanted = [platform, key.supplier, key.account];
    const found = entriesOf(await this.#queries.rows<JoinedRow>(findAccount, wanted))[0];
    if (found !== undefined || isComposed(key.account)) return found;
    wanted[2] = key.account.normalize('NFC');
    return entriesOf(await this.#queries.rows<JoinedRow>(findSpelled, wanted))[0];
  }

  open(platform: string, key: AccountKey, from?: string): Promise<AccountEntry> {
    return this.#queue.write(
      {
        needs: {
          keys: [{ platform, key }],
          sources: from === undefined ? [] : [{ platform, place: from }],
        },
        apply: (unit) => unit.open(platform, key, from),
      },
      true,
    );
  }

  enter(
    platform: string,
    from: string,
    keys: readonly AccountKey[],
  ): Promise<readonly Pick<AccountEntry, 'id' | 'state'>[]> {
    const entered = keys.map((key) =>
      this.#queue.write(
        {
          needs: { keys: [{ platform, key }], sources: [{ platform, place: from }] },
          apply: (unit) => unit.open(platform, key, from),
        },
        true,
      ),
    );
    return Promise.all(entered).then((entries) => entries.map(({ id, state }) => ({ id, state })));
  }

  intend(part: PartRef, intent: Intent): Promise<void> {
    return this.#about(part.accountId, (unit) => unit.intend(part, intent));
  }

  settle(part: PartRef, settlement: Settlement): Promise<void> {
    return this.#about(part.accountId, (unit) => unit.settle(part, settlement));
  }

  recordSent(part: PartRef, intent: Intent, settlement: Settlement): Promise<void> {
    return this.#about(part.accountId, (unit) => {
      unit.intend(part, intent);
      unit.settle(part, settlement);
    });
  }

  change(accountId: number, change: AccountChange): Promise<void> {
    const sources = change.dataFrom === undefined ? [] : [change.dataFrom];
    return this.#about(accountId, (unit) => unit.change(accountId, change), sources);
  }

  setProblems(accountId: number, problems: readonly RecordedProblem[]): Promise<void> {
    return this.#about(accountId, (unit) => unit.setProblems(accountId, problems));
  }

  setPartCells(accountId: number, cells: readonly PartCell[]): Promise<void> {
    return this.#about(accountId, (unit) => unit.setPartCells(accountId, cells));
  }

  #about(accountId: number, apply: (unit: Unit) => void, sources: Needs['sources'] = []): Promise<void> {
    const needs = { ids: [accountId], sources };
    return this.#queue.write(
      {
        needs,
        apply: (unit) => {
          apply(unit);
          return () => undefined;
        },
      },
      true,
    );
  }

  supersede(accountId: number, hash: string, fix: Cell | undefined): Promise<void> {
    return this.#fixes.supersede(accountId, hash, fix);
  }

  superseded(accountId: number, hash: string): Promise<Superseded | undefined> {
    return this.#fixes.superseded(accountId, hash);
  }

  noteSupersededTold(accountId: number, hash: string): Promise<void> {
    return this.#fixes.noteSupersededTold(accountId, hash);
  }

  markRestored(at: number, by?: Actor): Promise<void> {
    return this.#queries.write(async ({ connection }) => {
      await connection.change('INSERT INTO restore (at) VALUES ($1)', [at]);
      await addIntervention(connection, { command: 'restore', at, by });
    });
  }

  markDoubted(at: number): Promise<void> {
    return this.markRestored(at);
  }

  async *accounts(
    platform: string,
    supplier: string,
    states: readonly AccountState[] = allStates,
  ): AsyncGenerator<AccountEntry> {
    const wanted = states.map((state) => accountStates.of[state]);
    for (let after: string | undefined; ;) {
      const rows = await this.#queries.rows<JoinedRow>(
        `WITH wanted AS (
          SELECT account.id, row_number() OVER (ORDER BY account.number) AS place FROM account
          WHERE account.supplier = (SELECT supplier.id FROM supplier JOIN platform ON platform.id = supplier.platform
              WHERE identity = $1 AND supplier.code = $2)
            AND ($3::text IS NULL OR account.number > $3) AND account.state = ANY($4)
          ORDER BY account.number LIMIT ${accountPage})
        ${selectWanted}`,
        [platform, supplier, after ?? null, wanted],
      );
      const page = entriesOf(rows);
      yield* page;
      after = page.at(-1)?.key.account;
      if (page.length < accountPage) return;
    }
  }

  platforms(): Promise<{ readonly platform: string; readonly label: string }[]> {
    return this.#overview.platforms();
  }

  startRun(start: RunStart): Promise<number> {
    return this.#runs.startRun(start);
  }

  notePace(run: number, pace: NotedPace): Promise<void> {
    return this.#runs.notePace(run, storedPace(pace));
  }

  recordedUntil(run: number, codes: readonly string[]): Promise<number | undefined> {
    return this.#runs.recordedUntil(run, codes);
  }

  finishRun(run: number, end: RunEnd): Promise<void> {
    return this.#runs.finishRun(run, end);
  }

  recordFinished(finished: Finished): Promise<void> {
    return this.#runs.recordFinished(finished);
  }

  finishedRuns(platform: string): Promise<readonly FinishedRun[]> {
    return this.#runs.finishedRuns(platform);
  }

  sameBootSince(run: number, boot: Boot | undefined, grainMs: number): Promise<number> {
    return this.#runs.sameBootSince(run, boot, grainMs);
  }

  runs(limit = Infinity): AsyncGenerator<RunEntry> {
    return this.#runs.runs(limit);
  }

  beginReading(platform: string, from: string, accounts?: number): Promise<void> {
    return this.#readings.beginReading(platform, from, accounts);
  }

  endReading(platform: string, from: string): Promise<void> {
    return this.#readings.endReading(platform, from);
  }

  countFrom(platform: string, from: readonly string[]): Promise<number> {
    return this.#readings.countFrom(platform, from);
  }

  accountsFrom(platform: string, from: string): AsyncGenerator<BookEntry> {
    return this.#readings.accountsFrom(platform, from);
  }

  recognise(platform: string, from: string, accounts: readonly RowsAsked[]): Promise<readonly RowsFound[]> {
    return this.#rows.recognise(platform, from, accounts);
  }

  noteRows(notes: readonly RowsNote[]): Promise<void> {
    return this.#rows.noteRows(notes);
  }

  accountsChangedIn(platform: string, supplier: string, run: number): AsyncGenerator<AccountEntry> {
    return this.#rows.accountsChangedIn(platform, supplier, run);
  }

  markAbsent(accountIds: readonly number[]): Promise<void> {
    return this.#readings.markAbsent(accountIds);
  }

  holders(platform: string, krakenAccountNumber: string): Promise<readonly AccountEntry[]> {
    return this.#numbers.holders(platform, krakenAccountNumber);
  }

  sharedNumbers(platform: string): AsyncGenerator<SharedNumber> {
    return this.#numbers.sharedNumbers(platform);
  }

  attempts(accountId: number): AsyncGenerator<PartEntry> {
    return this.#history.attempts(accountId);
  }

  problems(accountId: number): AsyncGenerator<RecordedProblem> {
    return this.#history.problems(accountId);
  }

  partCells(accountId: number): AsyncGenerator<PartCell> {
    return this.#history.partCells(accountId);
  }

  interventions(): AsyncGenerator<InterventionEntry> {
    return this.#history.interventions();
  }

  interventionsOn(accountId: number): AsyncGenerator<Intervention> {
    return this.#history.interventionsOn(accountId);
  }

  overview(platform?: string): Promise<SupplierOverview[]> {
    return this.#overview.overview(platform);
  }

  lastTroubles(platform: string, supplier: string): Promise<readonly Trouble[]> {
    return this.#overview.lastTroubles(platform, supplier);
  }

  async close(): Promise<void> {
    try {
      await this.#queue.close();
    } finally {
      await this.#writer.close();
      await this.#reader.close();
      this.#marking.close();
    }
  }
}
