import { storedPace, type NotedPace } from '../core/noted-pace.ts';
import type { AccountKey } from '../../domain/account-key.ts';
import type { Cell } from '../../domain/cell.ts';
import type { AccountState } from '../../domain/account-state.ts';
import type { Actor } from '../../domain/actor.ts';
import type { Sqlite } from '../../sqlite/open-database.ts';
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
import { partEntryOf } from '../core/rows.ts';
import { accountsOf, isIn, type AccountPage } from './accounts.ts';
import { actorsOf } from './actors.ts';
import { CommitQueue, type Condition } from './commit-queue.ts';
import { finishedOf } from './finished.ts';
import { interventionsOf } from './interventions.ts';
import { leasesOf } from './leases.ts';
import { marking, type Marking } from './marking.ts';
import type { ReadBackRecords } from '../read-back-records.ts';
import { readBackRecordsOf } from './read-back-records.ts';
import { upgradeRecordsOf } from './upgrade-records.ts';
import type { UpgradeRecords } from '../safety/upgrade-records.ts';
import type { WalSync } from './wal-sync.ts';
import { numbersOf } from './numbers.ts';
import type { Mark } from '../safety/mark-file.ts';
import { overwritten, type Overwriting } from './overwriting.ts';
import type { Place } from './place.ts';
import { partsOf } from './parts.ts';
import { partCellsOf, problemsOf } from './problems.ts';
import { readingsOf } from './readings.ts';
import { restoreMarksOf } from './restore-marks.ts';
import { runsOf } from './runs.ts';
import { sourcesOf } from './sources.ts';
import { emptyLog, saveAside } from './save-aside.ts';
import { stampsOf, type Stamps } from './stamps.ts';
import { supersededOf } from './superseded.ts';
import { suppliersOf } from './suppliers.ts';
import { countersOf } from './counters.ts';
import { recentFailuresOf } from './recent-failures.ts';

/** The features of a journal in a file that one in memory lacks. */
export interface JournalSurroundings {
  /** Syncs the disk after each commit, if that is required and the connection does not do it. */
  readonly log?: WalSync | undefined;
  readonly place?: Place | undefined;
  readonly mark?: Mark | undefined;
  readonly overwriting?: Overwriting | undefined;
  /** Called when the journal is closed. */
  readonly closed?: () => void;
}

/**
 * A journal in one SQLite file. Streams read page by page, by key: a connection that iterates over a query refuses
 * writes, and a second connection that iterates for long would keep the write-ahead log from being emptied.
 */
export class SqliteJournal implements Journal {
  readonly location: string;
  readonly upgrades: UpgradeRecords;
  readonly readBack: ReadBackRecords;
  readonly #db: Sqlite;
  readonly #queue: CommitQueue;
  readonly #tally;
  readonly #readings;
  readonly #parts;
  readonly #restores;
  readonly #interventions;
  readonly #accounts;
  readonly #numbers;
  readonly #problems;
  readonly #partCells;
  readonly #superseded;
  readonly #runs;
  readonly #finished;
  readonly #leases;
  readonly #troubles;

  readonly #log: WalSync | undefined;
  readonly #place: Place | undefined;
  readonly #closed: () => void;
  readonly #stamps: Stamps;
  readonly #marking: Marking;
  readonly #held: Condition;
  readonly #placed: Condition;
  readonly #told: Condition;
  readonly #heldAndPlaced: Condition;
  readonly #heldAndTold: Condition;

  constructor(db: Sqlite, file: string, { log, place, mark, overwriting, closed }: JournalSurroundings = {}) {
    this.location = file;
    this.#db = db;
    this.#log = log;
    this.#place = place;
    this.#closed = () => {
      overwriting?.close();
      closed?.();
    };
    this.#stamps = stampsOf(db);
    const suppliers = suppliersOf(db);
    const sources = sourcesOf(db);
    this.#readings = readingsOf(db, sources);
    const actors = actorsOf(db);
    this.#interventions = interventionsOf(db, actors);
    this.#restores = restoreMarksOf(db, this.#interventions);
    const tally = countersOf(db, this.#readings, this.#restores);
    const parts = partsOf(db);
    this.#tally = tally;
    this.#parts = parts;
    this.#troubles = recentFailuresOf(db, suppliers);
    this.#accounts = accountsOf(db, {
      suppliers,
      sources,
      readings: this.#readings,
      parts,
      tally: tally.changes,
      restores: this.#restores,
      troubles: this.#troubles,
      interventions: this.#interventions,
    });
    this.#numbers = numbersOf(db);
    this.#problems = problemsOf(db);
    this.#partCells = partCellsOf(db);
    this.#superseded = supersededOf(db);
    this.#runs = runsOf(db, suppliers, actors);
    this.#finished = finishedOf(db, suppliers, this.#restores);
    this.#leases = leasesOf(db, suppliers);
    this.#marking = marking(this.#stamps, this.#restores, mark);
    const leased = (): void => this.#leases.check();
    const isInPlace = (): void => place?.check();
    this.#held = { before: leased };
    this.#placed = { before: isInPlace, durable: isInPlace };
    this.#told = { durable: isInPlace };
    this.#heldAndTold = { before: leased, durable: isInPlace };
    this.#heldAndPlaced = {
      before: () => {
        isInPlace();
        leased();
      },
      durable: isInPlace,
    };
    const around = {
      before: () => {
        // So that a request that will not leave is not recorded as sent; the check after the commit is the one that
        // counts.
        this.#place?.glance();
        this.#stamps.begin();
        this.#leases.look();
      },
      after: () => {
        tally.write();
        this.#marking.committed(this.#stamps.count());
      },
      durable: () => {
        this.#place?.look();
        if (this.#place?.isLost !== true && overwriting?.look() === true) {
          this.#marking.accuse();
          throw overwritten(file);
        }
        // The mark at the journal's place now belongs to another journal, or goes back with this one.
        if (this.#place?.isLost !== true) this.#marking.durable();
      },
    };
    this.#queue = new CommitQueue(db, file, around, log);
    this.upgrades = upgradeRecordsOf(db, actors, this.#queue);
    this.readBack = readBackRecordsOf(db, this.#queue);
  }

  /** A write about an account, which a lost lease rejects. */
  #fenced<T>(work: () => T): Promise<T> {
    return this.#queue.write(work, this.#held);
  }

  /** A write that precedes a request: the request must not be sent if nobody would find the record. */
  #inPlace<T>(work: () => T): Promise<T> {
    return this.#queue.write(work, this.#placed);
  }

  /** A write that is made wherever the records are, and reports if that is not their place. */
  #toldInPlace<T>(work: () => T): Promise<T> {
    return this.#queue.write(work, this.#told);
  }

  /** Like `inPlace`, for a write about an account. */
  #fencedInPlace<T>(work: () => T): Promise<T> {
    return this.#queue.write(work, this.#heldAndPlaced);
  }

  async takeMark(at: number): Promise<MarkFinding> {
    const finding = await this.#inPlace(() => this.#marking.take(at));
    this.#marking.put();
    return finding;
  }

  compareMark(): Promise<MarkFinding> {
    return this.#queue.read(() => this.#marking.compare());
  }

  async whereabouts(at: number): Promise<Whereabouts> {
    await this.#queue.read(() => undefined);
    const movedTo = this.#place?.movedTo();
    if (movedTo !== undefined && emptyLog(this.#db)) return { movedTo };
    const savedAs = saveAside(this.#db, this.location, at);
    if (savedAs === undefined) return {};
    // A leftover log would be taken for the saved file's, once that is in the journal's place.
    emptyLog(this.#db);
    return { savedAs };
  }

  startRun(start: RunStart): Promise<number> {
    return this.#inPlace(() => this.#runs.start(start));
  }

  notePace(run: number, pace: NotedPace): Promise<void> {
    return this.#queue.write(() => this.#runs.notePace(run, storedPace(pace)));
  }

  recordedUntil(run: number, codes: readonly string[]): Promise<number | undefined> {
    return this.#queue.read(() => this.#runs.recordedUntil(run, codes));
  }

  finishRun(run: number, end: RunEnd): Promise<void> {
    return this.#queue.write(() => this.#runs.finish(run, end));
  }

  recordFinished(finished: Finished): Promise<void> {
    return this.#fenced(() => this.#finished.record(finished));
  }

  finishedRuns(platform: string): Promise<readonly FinishedRun[]> {
    return this.#queue.read(() => this.#finished.all(platform));
  }

  sameBootSince(run: number, boot: Boot | undefined, grainMs: number): Promise<number> {
    return this.#queue.read(() => this.#runs.sameBootSince(run, boot, grainMs));
  }

  async *runs(limit = Infinity): AsyncGenerator<RunEntry> {
    let left = limit;
    let next: number | undefined = Number.MAX_SAFE_INTEGER;
    while (next !== undefined && left > 0) {
      const before: number = next;
      const page = await this.#queue.read(() => this.#runs.page(before));
      yield* page.runs.slice(0, left);
      left -= page.runs.length;
      next = page.next;
    }
  }

  takeLease(
    lease: { readonly platform: string; readonly supplier: string; readonly owner: LeaseOwner },
    now: number,
    expiresAt: number,
    isDead: (owner: LeaseOwner) => boolean,
  ): Promise<LeaseTaken | LeaseHeld> {
    return this.#inPlace(() => this.#leases.take(lease, now, expiresAt, isDead));
  }

  renewLease(
    platform: string,
    supplier: string,
    epoch: number,
    _now: number,
    expiresAt: number,
  ): Promise<boolean> {
    return this.#toldInPlace(() => this.#leases.renew(platform, supplier, epoch, expiresAt));
  }

  releaseLease(platform: string, supplier: string, epoch: number): Promise<void> {
    return this.#toldInPlace(() => this.#leases.release(platform, supplier, epoch));
  }

  find(platform: string, key: AccountKey): Promise<AccountEntry | undefined> {
    return this.#queue.read(() => this.#accounts.findSpelled(platform, key));
  }

  async open(platform: string, key: AccountKey, from?: string): Promise<AccountEntry> {
    if (this.#queue.idle) {
      const known = this.#queue.readNow(() => this.#accounts.find(platform, key));
      if (known !== undefined && isIn(known, from)) return known;
    }
    return this.#fencedInPlace(() => this.#accounts.findOrAdd(platform, key, from));
  }

  enter(
    platform: string,
    from: string,
    keys: readonly AccountKey[],
  ): Promise<readonly Pick<AccountEntry, 'id' | 'state'>[]> {
    return this.#fenced(() => this.#accounts.enter(platform, from, keys));
  }

  beginReading(platform: string, from: string, accounts?: number): Promise<void> {
    return this.#fenced(() => this.#readings.begin(platform, from, accounts));
  }

  endReading(platform: string, from: string): Promise<void> {
    return this.#fenced(() => this.#readings.end(platform, from));
  }

  countFrom(platform: string, from: readonly string[]): Promise<number> {
    return this.#queue.read(() => this.#accounts.countFrom(platform, from));
  }

  async *accountsFrom(platform: string, from: string): AsyncGenerator<BookEntry> {
    let next: number | undefined = 0;
    while (next !== undefined) {
      const after: number = next;
      const page = await this.#queue.read(() => this.#accounts.pageFrom(platform, from, after));
      yield* page.accounts;
      next = page.next;
    }
  }

  async recognise(
    platform: string,
    from: string,
    accounts: readonly RowsAsked[],
  ): Promise<readonly RowsFound[]> {
    return Promise.resolve(this.#queue.readNow(() => this.#accounts.recognise(platform, from, accounts)));
  }

  noteRows(notes: readonly RowsNote[]): Promise<void> {
    return this.#fenced(() => this.#accounts.noteRows(notes));
  }

  accountsChangedIn(platform: string, supplier: string, run: number): AsyncGenerator<AccountEntry> {
    return this.#pages((from) => this.#accounts.pageChanged(platform, supplier, run, from));
  }

  markAbsent(accountIds: readonly number[]): Promise<void> {
    return this.#fenced(() => this.#accounts.markAbsent(accountIds));
  }

  intend(part: PartRef, intent: Intent): Promise<void> {
    return this.#fencedInPlace(() => this.#parts.intend(part, intent));
  }

  settle(part: PartRef, settlement: Settlement): Promise<void> {
    return this.#fenced(() => this.#parts.settle(part, settlement));
  }

  recordSent(part: PartRef, intent: Intent, settlement: Settlement): Promise<void> {
    return this.#queue.write(() => this.#parts.recordSent(part, intent, settlement), this.#heldAndTold);
  }

  change(accountId: number, change: AccountChange): Promise<void> {
    return this.#fenced(() => this.#accounts.change(accountId, change));
  }

  setProblems(accountId: number, problems: readonly RecordedProblem[]): Promise<void> {
    return this.#fenced(() => this.#problems.replace(accountId, problems));
  }

  setPartCells(accountId: number, cells: readonly PartCell[]): Promise<void> {
    return this.#fenced(() => this.#partCells.replace(accountId, cells));
  }

  supersede(accountId: number, hash: string, fix: Cell | undefined): Promise<void> {
    return this.#fenced(() => this.#superseded.put(accountId, hash, fix));
  }

  superseded(accountId: number, hash: string): Promise<Superseded | undefined> {
    return this.#queue.read(() => this.#superseded.find(accountId, hash));
  }

  noteSupersededTold(accountId: number, hash: string): Promise<void> {
    return this.#fenced(() => this.#superseded.tell(accountId, hash));
  }

  markRestored(at: number, by?: Actor): Promise<void> {
    return this.#queue.write(() => {
      this.#restores.add(at, by);
      this.#stamps.renew();
    });
  }

  markDoubted(at: number): Promise<void> {
    return this.#queue.write(() => this.#restores.add(at));
  }

  holders(platform: string, krakenAccountNumber: string): Promise<readonly AccountEntry[]> {
    return this.#queue.readTogether(() => this.#accounts.holders(platform, krakenAccountNumber));
  }

  async *sharedNumbers(platform: string): AsyncGenerator<SharedNumber> {
    for (let after = '', isLast = false; !isLast;) {
      const from = after;
      const page = await this.#queue.read(() => this.#numbers.sharedPage(platform, from));
      for (const krakenAccountNumber of page.numbers) {
        after = krakenAccountNumber;
        const holders = await this.holders(platform, krakenAccountNumber);
        yield { krakenAccountNumber, accounts: holders.map(({ key }) => key) };
      }
      isLast = page.isLast;
    }
  }

  async *attempts(accountId: number): AsyncGenerator<PartEntry> {
    yield* await this.#queue.read(() => this.#parts.attempts(accountId).map(partEntryOf));
  }

  async *problems(accountId: number): AsyncGenerator<RecordedProblem> {
    yield* await this.#queue.read(() => this.#problems.of(accountId));
  }

  async *partCells(accountId: number): AsyncGenerator<PartCell> {
    yield* await this.#queue.read(() => this.#partCells.of(accountId));
  }

  async *interventions(): AsyncGenerator<InterventionEntry> {
    let next: number | undefined = Number.MAX_SAFE_INTEGER;
    while (next !== undefined) {
      const before: number = next;
      const page = await this.#queue.read(() => this.#interventions.page(before));
      yield* page.interventions;
      next = page.next;
    }
  }

  async *interventionsOn(accountId: number): AsyncGenerator<Intervention> {
    yield* await this.#queue.read(() => this.#interventions.on(accountId));
  }

  overview(platform?: string): Promise<SupplierOverview[]> {
    return this.#queue.read(() => this.#tally.overview(platform));
  }

  lastTroubles(platform: string, supplier: string): Promise<readonly Trouble[]> {
    return this.#queue.read(() => this.#troubles.last(platform, supplier));
  }

  accounts(
    platform: string,
    supplier: string,
    states?: readonly AccountState[],
  ): AsyncGenerator<AccountEntry> {
    return this.#pages((from) => this.#accounts.page(platform, supplier, from, states));
  }

  async *#pages(pageFrom: (from: string) => AccountPage): AsyncGenerator<AccountEntry> {
    let next: string | undefined = '';
    while (next !== undefined) {
      const from: string = next;
      const page = await this.#queue.read(() => pageFrom(from));
      yield* page.accounts;
      next = page.next;
    }
  }

  platforms(): Promise<{ readonly platform: string; readonly label: string }[]> {
    return this.#queue.read(() => this.#runs.platforms());
  }

  async close(): Promise<void> {
    try {
      await this.#queue.read(() => undefined);
    } finally {
      this.#log?.close();
      this.#db.close();
      this.#closed();
      this.#marking.close();
    }
  }
}
