import { isComposed, type AccountKey } from '../../domain/account-key.ts';
import { accountStates as allStates, type AccountState } from '../../domain/account-state.ts';
import type { Actor } from '../../domain/actor.ts';
import { storedOrNulls, type Cell } from '../../domain/cell.ts';
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
  Unanswered,
} from '../journal.ts';
import type { ItemRecords } from '../item-records.ts';
import type { ReadBackRecords } from '../read-back-records.ts';
import type { RunGroups } from '../run-groups.ts';
import type { UpgradeRecords } from '../safety/upgrade-records.ts';
import { after } from './answer.ts';
import { accountStates } from './codes.ts';
import type { AccountWrites, WriteCondition, Driver, Needs } from './driver.ts';
import {
  interventionEntryOf,
  interventionOf,
  type InterventionRow,
  partCellOf,
  problemOf,
  supersededOf,
} from './history-rows.ts';
import { itemRecordsOf } from './items.ts';
import { Misuse } from './misuse.ts';
import { storedPace, type NotedPace } from './noted-pace.ts';
import { paged, pageSizes } from './pages.ts';
import { readBackRecordsOf } from './read-back.ts';
import { findRows, rowsNoteRow } from './row-print.ts';
import { entryOf, partEntryOf } from './rows.ts';
import { storedFacts } from './run-facts.ts';
import { finishedRunOf, runEntryOf, storedEnd } from './run-row.ts';
import { overviewOf } from './tally.ts';
import { upgradeRecordsOf } from './upgrades.ts';

/** The most runs that are examined for the boot of the machine: an older time may be taken for another clock's. */
const runsOfOneBoot = 1_000;

/** A journal over the statements of an engine. */
export class DrivenJournal implements Journal {
  readonly location: string;
  readonly groups?: RunGroups;
  readonly upgrades: UpgradeRecords;
  readonly readBack: ReadBackRecords;
  readonly items: ItemRecords;
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
    this.location = driver.location;
    if (driver.groups !== undefined) this.groups = driver.groups;
    this.upgrades = upgradeRecordsOf(driver);
    this.readBack = readBackRecordsOf(driver);
    this.items = itemRecordsOf(driver);
  }

  takeMark(at: number): Promise<MarkFinding> {
    return this.#driver.takeMark(at);
  }

  compareMark(): Promise<MarkFinding> {
    return this.#driver.compareMark();
  }

  whereabouts(at: number): Promise<Whereabouts> {
    return this.#driver.whereabouts(at);
  }

  startRun(start: RunStart): Promise<number> {
    return this.#driver.write('placed', ({ runs }) => runs.start(start, storedFacts(start.facts)));
  }

  notePace(run: number, pace: NotedPace): Promise<void> {
    return this.#driver.write('none', ({ runs }) => runs.notePace(run, storedPace(pace)));
  }

  recordedUntil(run: number, codes: readonly string[]): Promise<number | undefined> {
    return this.#driver.read(({ runs }) => runs.recordedUntil(run, codes));
  }

  finishRun(run: number, end: RunEnd): Promise<void> {
    return this.#driver.write('none', ({ runs }) =>
      after(runs.end(run, storedEnd(end)), (wasUnderWay) => {
        if (!wasUnderWay) throw new Misuse(`Run ${run} is not under way, so it cannot be finished.`);
      }),
    );
  }

  recordFinished(finished: Finished): Promise<void> {
    return this.#driver.write('fenced', ({ runs }) => runs.recordFinished(finished));
  }

  finishedRuns(platform: string): Promise<readonly FinishedRun[]> {
    return this.#driver.read(({ runs }) => after(runs.finished(platform), (rows) => rows.map(finishedRunOf)));
  }

  async sameBootSince(run: number, boot: Boot | undefined, grainMs: number): Promise<number> {
    const first = Math.max(1, run - runsOfOneBoot);
    const other = await this.#driver.read(({ runs }) => runs.lastOfOtherBoot(first, run, boot, grainMs));
    return other === undefined ? first : other + 1;
  }

  async *runs(limit = Infinity): AsyncGenerator<RunEntry> {
    let left = limit;
    for (let before: number | undefined; left > 0;) {
      const rows = await this.#driver.read(({ runs }) => runs.page(before));
      yield* rows.slice(0, left).map(runEntryOf);
      left -= rows.length;
      before = rows.at(-1)?.id;
      if (rows.length < pageSizes.history) return;
    }
  }

  platforms(): Promise<{ readonly platform: string; readonly label: string }[]> {
    return this.#driver.read(({ runs }) => runs.platforms());
  }

  takeLease(...order: Parameters<Journal['takeLease']>): ReturnType<Journal['takeLease']> {
    return this.#driver.takeLease(...order);
  }

  renewLease(...order: Parameters<Journal['renewLease']>): Promise<boolean> {
    return this.#driver.renewLease(...order);
  }

  releaseLease(platform: string, supplier: string, epoch: number): Promise<void> {
    return this.#driver.releaseLease(platform, supplier, epoch);
  }

  find(platform: string, key: AccountKey): Promise<AccountEntry | undefined> {
    return this.#driver.read(({ accounts }) =>
      after(accounts.find(platform, key), (found) => {
        if (found !== undefined) return entryOf(found);
        if (isComposed(key.account)) return undefined;
        const composed = { ...key, account: key.account.normalize('NFC') };
        return after(accounts.findSpelled(platform, composed), (spelled) => spelled && entryOf(spelled));
      }),
    );
  }

  async open(platform: string, key: AccountKey, from?: string): Promise<AccountEntry> {
    const known = this.#driver.findAtOnce(platform, key);
    if (known !== undefined) {
      const isIn = from === undefined || (known.row.from_place === from && known.row.absent === 0);
      if (isIn) return entryOf(known);
    }
    const needs = {
      keys: [{ platform, key }],
      sources: from === undefined ? [] : [{ platform, place: from }],
    };
    return this.#driver.writeAccounts('fencedAndPlaced', needs, (accounts) =>
      accounts.open(platform, key, from),
    );
  }

  enter(
    platform: string,
    from: string,
    keys: readonly AccountKey[],
  ): Promise<readonly Pick<AccountEntry, 'id' | 'state'>[]> {
    return this.#driver.enter(platform, from, keys);
  }

  beginReading(platform: string, from: string, accounts?: number): Promise<void> {
    return this.#driver.write('fenced', ({ readings }) => readings.begin(platform, from, accounts));
  }

  endReading(platform: string, from: string): Promise<void> {
    return this.#driver.write('fenced', ({ readings }) => readings.end(platform, from));
  }

  markAbsent(accountIds: readonly number[]): Promise<void> {
    return this.#driver.write('fenced', ({ readings }) => readings.markAbsent(accountIds));
  }

  unanswered(platform: string, supplier: string): Promise<Unanswered> {
    return this.#driver.read(({ accounts }) => accounts.unanswered(platform, supplier));
  }

  countFrom(platform: string, from: readonly string[]): Promise<number> {
    return this.#driver.read(({ accounts }) => accounts.countFrom(platform, from));
  }

  accountsFrom(platform: string, from: string): AsyncGenerator<BookEntry> {
    return paged<BookEntry>(pageSizes.book, async (last) => {
      const rows = await this.#driver.read(({ accounts }) =>
        accounts.pageFrom(platform, from, last?.id ?? 0),
      );
      return rows.map(({ id, supplier, number, state, absent }) => ({
        ...{ id, key: { supplier, account: number }, state: accountStates.name(state) },
        isAbsent: absent === 1,
      }));
    });
  }

  async recognise(
    platform: string,
    from: string,
    asked: readonly RowsAsked[],
  ): Promise<readonly RowsFound[]> {
    const numbers = asked.map(({ account }) => account);
    return findRows(
      asked,
      await this.#driver.readNow(({ accounts }) => accounts.rowsOf(platform, from, numbers)),
    );
  }

  noteRows(notes: readonly RowsNote[]): Promise<void> {
    return this.#driver.write('fenced', ({ readings }) => readings.noteRows(notes.map(rowsNoteRow)));
  }

  accountsChangedIn(platform: string, supplier: string, run: number): AsyncGenerator<AccountEntry> {
    return paged<AccountEntry>(pageSizes.accounts, async (last) => {
      const rows = await this.#driver.read(({ accounts }) =>
        accounts.pageChanged(platform, supplier, run, last?.key.account),
      );
      return rows.map(entryOf);
    });
  }

  accounts(
    platform: string,
    supplier: string,
    states: readonly AccountState[] = allStates,
  ): AsyncGenerator<AccountEntry> {
    const wanted = states.map((state) => accountStates.of[state]);
    return paged<AccountEntry>(pageSizes.accounts, async (last) => {
      const rows = await this.#driver.read(({ accounts }) =>
        accounts.page(platform, supplier, last?.key.account, wanted),
      );
      return rows.map(entryOf);
    });
  }

  intend(part: PartRef, intent: Intent): Promise<void> {
    return this.#about(part.accountId, 'fencedAndPlaced', (accounts) => accounts.intend(part, intent));
  }

  settle(part: PartRef, settlement: Settlement): Promise<void> {
    return this.#about(part.accountId, 'fenced', (accounts) => accounts.settle(part, settlement));
  }

  recordSent(part: PartRef, intent: Intent, settlement: Settlement): Promise<void> {
    return this.#about(part.accountId, 'fencedAndTold', (accounts) =>
      accounts.recordSent(part, intent, settlement),
    );
  }

  change(accountId: number, change: AccountChange): Promise<void> {
    const sources = change.dataFrom === undefined ? [] : [change.dataFrom];
    return this.#about(accountId, 'fenced', (accounts) => accounts.change(accountId, change), sources);
  }

  setProblems(accountId: number, problems: readonly RecordedProblem[]): Promise<void> {
    return this.#about(accountId, 'fenced', (accounts) => accounts.setProblems(accountId, problems));
  }

  setPartCells(accountId: number, cells: readonly PartCell[]): Promise<void> {
    return this.#about(accountId, 'fenced', (accounts) => accounts.setPartCells(accountId, cells));
  }

  #about(
    accountId: number,
    condition: WriteCondition,
    work: (accounts: AccountWrites) => void,
    sources: Needs['sources'] = [],
  ): Promise<void> {
    return this.#driver.writeAccounts(condition, { ids: [accountId], sources }, (accounts) => {
      work(accounts);
      return () => undefined;
    });
  }

  supersede(accountId: number, hash: string, fix: Cell | undefined): Promise<void> {
    return this.#driver.write('fenced', ({ fixes }) => fixes.supersede(accountId, hash, storedOrNulls(fix)));
  }

  superseded(accountId: number, hash: string): Promise<Superseded | undefined> {
    return this.#driver.read(({ history }) =>
      after(history.superseded(accountId, hash), (row) => row && supersededOf(row)),
    );
  }

  noteSupersededTold(accountId: number, hash: string): Promise<void> {
    return this.#driver.write('fenced', ({ fixes }) => fixes.tell(accountId, hash));
  }

  markRestored(at: number, by?: Actor): Promise<void> {
    return this.#driver.write('none', (writes) => writes.markRestored(at, by));
  }

  markDoubted(at: number): Promise<void> {
    return this.#driver.write('none', (writes) => writes.markDoubted(at));
  }

  async holders(platform: string, krakenAccountNumber: string): Promise<readonly AccountEntry[]> {
    return (await this.#driver.holders(platform, krakenAccountNumber)).map(entryOf);
  }

  async *sharedNumbers(platform: string): AsyncGenerator<SharedNumber> {
    const numbers = paged<string>(pageSizes.accounts, async (last = '') =>
      this.#driver.read(({ accounts }) => accounts.pageShared(platform, last)),
    );
    for await (const krakenAccountNumber of numbers) {
      const holders = await this.holders(platform, krakenAccountNumber);
      yield { krakenAccountNumber, accounts: holders.map(({ key }) => key) };
    }
  }

  async *attempts(accountId: number): AsyncGenerator<PartEntry> {
    yield* (await this.#driver.read(({ history }) => history.attempts(accountId))).map(partEntryOf);
  }

  async *problems(accountId: number): AsyncGenerator<RecordedProblem> {
    yield* (await this.#driver.read(({ history }) => history.problems(accountId))).map(problemOf);
  }

  async *partCells(accountId: number): AsyncGenerator<PartCell> {
    yield* (await this.#driver.read(({ history }) => history.partCells(accountId))).map(partCellOf);
  }

  async *interventions(): AsyncGenerator<InterventionEntry> {
    for await (const row of paged<InterventionRow>(pageSizes.history, async (last) =>
      this.#driver.read(({ history }) => history.pageInterventions(last?.id)),
    ))
      yield interventionEntryOf(row);
  }

  async *interventionsOn(accountId: number): AsyncGenerator<Intervention> {
    yield* (await this.#driver.read(({ history }) => history.interventionsOn(accountId))).map(interventionOf);
  }

  overview(platform?: string): Promise<SupplierOverview[]> {
    return this.#driver.read(({ accounts }) => after(accounts.counts(platform), overviewOf));
  }

  async lastTroubles(platform: string, supplier: string): Promise<readonly Trouble[]> {
    const rows = await this.#driver.read(({ accounts }) => accounts.lastTroubles(platform, supplier));
    return rows.map(({ number, state, code }) => ({
      account: number,
      state: accountStates.name(state),
      code,
    }));
  }

  close(): Promise<void> {
    return this.#driver.close();
  }
}
