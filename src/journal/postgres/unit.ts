import { changedAccount, isSameSource } from '../core/account-change.ts';
import type { AccountKey } from '../../domain/account-key.ts';
import { accountStates, steps } from '../core/codes.ts';
import {
  LeaseLost,
  type AccountChange,
  type AccountEntry,
  type AccountIntervention,
  type Intent,
  type PartCell,
  type PartRef,
  type RecordedProblem,
  type Settlement,
} from '../journal.ts';
import type { AccountWrites, Needs } from '../core/driver.ts';
import { partCellRows, problemRows } from '../core/history-rows.ts';
import { Misuse } from '../core/misuse.ts';
import { Tally } from '../core/tally.ts';
import type { JournalConnection } from './connection.ts';
import { noteIntervention, type Noting } from './interventions.ts';
import { keyOf, type Held, type KnownAccounts } from './known-accounts.ts';
import type { Names } from './names.ts';
import { entryOf, pendingRow, type JournalAccountRow, type PartRow, type Restore } from '../core/rows.ts';
import { entriesIn, type JoinedRow } from './rows.ts';
import { inOrder, partKey, sentPart, settledPart } from './parts.ts';
import { rowsParameter } from './texts.ts';
import {
  addAttempts,
  addReadings,
  addTally,
  addTroubles,
  deletePartCells,
  deleteProblems,
  forgetTroubles,
  insertAccounts,
  insertPartCells,
  insertProblems,
  load,
  putParts,
  updateAccounts,
} from './unit-statements.ts';

const failing: ReadonlySet<number> = new Set([
  accountStates.of.rejected,
  accountStates.of.failed,
  accountStates.of.uncertain,
]);

/** The writes of one batch about accounts: loads what they need, applies them in memory, and stores what changed. */
export class Unit implements AccountWrites {
  readonly #connection: JournalConnection;
  readonly #names: Names;
  readonly #known: KnownAccounts;
  #latest: Restore | undefined;
  readonly #noting: Noting;
  readonly #sizes: ReadonlyMap<number, number>;
  #writer = 0;
  readonly #needs: readonly Needs[];
  #isLoaded = false;
  readonly #holds: ((account: string) => boolean) | undefined;
  readonly #byId = new Map<number, Held>();
  readonly #byKey = new Map<string, Held>();
  readonly #tally = new Tally();
  readonly #changedParts = new Map<PartRow, Held>();
  readonly #attempts: { account: number; row: PartRow }[] = [];
  readonly #problems = new Map<number, readonly RecordedProblem[]>();
  readonly #partCells = new Map<number, readonly PartCell[]>();
  readonly #troubles: number[] = [];
  readonly #interventions: { account: number; intervention: AccountIntervention }[] = [];
  readonly #readings = new Map<string, { supplier: number; source: number; accounts: number | null }>();

  constructor(
    connection: JournalConnection,
    needs: readonly Needs[],
    context: {
      readonly names: Names;
      readonly known: KnownAccounts;
      readonly noting: Noting;
      readonly sizes: ReadonlyMap<number, number>;
      /** Whether an account, by its number, may be written; undefined: any. */
      readonly holds: ((account: string) => boolean) | undefined;
    },
  ) {
    this.#connection = connection;
    this.#needs = needs;
    this.#names = context.names;
    this.#known = context.known;
    this.#noting = context.noting;
    this.#sizes = context.sizes;
    this.#holds = context.holds;
  }

  /** Loads what the writes need, together with the beginning of the transaction, if that needs no further name. */
  async loadIfKnown(): Promise<void> {
    const isKnown = this.#needs.every(
      ({ keys = [], sources = [] }) =>
        keys.every(({ platform, key }) => this.#names.hasSupplier(platform, key.supplier)) &&
        sources.every(({ platform, place }) => this.#names.hasSource(platform, place)),
    );
    if (isKnown) await this.#load();
  }

  /** Loads what the writes need, if that was not done before. `writer`: the number of the writer. */
  async join({
    latest,
    writer,
  }: {
    readonly latest: Restore | undefined;
    readonly writer: number;
  }): Promise<void> {
    this.#latest = latest;
    this.#writer = writer;
    if (this.#isLoaded) return;
    for (const need of this.#needs) {
      for (const { platform, place } of need.sources ?? [])
        await this.#names.addSource(this.#connection, platform, place);
      for (const { platform, key } of need.keys ?? [])
        await this.#names.addSupplier(this.#connection, platform, key.supplier);
    }
    await this.#load();
  }

  async #load(): Promise<void> {
    this.#isLoaded = true;
    const ids = new Set<number>();
    const keys = new Map<string, { supplier: number; number: string }>();
    for (const need of this.#needs) {
      for (const id of need.ids ?? []) if (!this.#take(this.#known.byId(id))) ids.add(id);
      for (const { platform, key } of need.keys ?? []) {
        const supplier = this.#names.supplier(platform, key.supplier);
        if (!this.#take(this.#known.byKey(supplier, key.account)))
          keys.set(keyOf(supplier, key.account), { supplier, number: key.account });
      }
    }
    if (ids.size === 0 && keys.size === 0) return;
    const rows = await this.#connection.run<JoinedRow>(load, [[...ids], rowsParameter([...keys.values()])]);
    for (const { row, parts } of entriesIn(rows))
      this.#take({
        row: { ...row },
        parts: new Map(parts.map((part) => [partKey(part.step, part.part), part])),
        isNew: false,
        isChanged: false,
        forgetsRows: false,
      });
  }

  #take(held: Held | undefined): boolean {
    if (held === undefined) return false;
    this.#byId.set(held.row.id, held);
    this.#byKey.set(keyOf(held.row.supplier, held.row.number), held);
    return true;
  }

  /** The accounts, as they are once the batch is stored. */
  get accounts(): Iterable<Held> {
    return this.#byKey.values();
  }

  /** Opens an account; the entry is complete once the batch is stored. */
  open(platform: string, key: AccountKey, from: string | undefined): () => AccountEntry {
    this.#mayWrite(key.supplier, key.account);
    const supplier = this.#names.supplier(platform, key.supplier);
    const source = from === undefined ? null : this.#names.source(platform, from);
    const known = this.#byKey.get(keyOf(supplier, key.account));
    if (known === undefined) return this.#add(supplier, key, source, from);
    const { row } = known;
    if (source !== null && !isSameSource(row, source)) {
      this.#noteReading(supplier, source);
      Object.assign(row, { source, from_place: from, absent: 0 });
      known.isChanged = true;
    }
    return this.#entry(known);
  }

  #add(
    supplier: number,
    key: AccountKey,
    source: number | null,
    from: string | undefined,
  ): () => AccountEntry {
    if (source !== null) this.#noteReading(supplier, source);
    this.#tally.opened(supplier, 'pending');
    const held: Held = {
      row: pendingRow({ id: 0, supplier, key, source, from }),
      parts: new Map(),
      isNew: true,
      isChanged: false,
      forgetsRows: false,
    };
    this.#byKey.set(keyOf(supplier, key.account), held);
    return this.#entry(held);
  }

  /** The entry as it is now, with the id that it gets when it is stored. */
  #entry(held: Held): () => AccountEntry {
    const parts = [...held.parts.values()].sort(inOrder);
    const entry = entryOf({ row: held.row, parts, latest: this.#latest });
    return () => ({ ...entry, id: held.row.id });
  }

  #noteReading(supplier: number, source: number): void {
    const name = `${supplier} ${source}`;
    if (this.#names.readings.has(name)) return;
    this.#readings.set(name, { supplier, source, accounts: this.#sizes.get(source) ?? null });
  }

  change(accountId: number, change: AccountChange): void {
    const held = this.#byId.get(accountId);
    if (held !== undefined) this.#mayWrite(held.row.supplier_code, held.row.number);
    const context = {
      restore: this.#latest?.id ?? 0,
      source: (platform: string, place: string) => this.#names.source(platform, place),
    };
    const changed = changedAccount(accountId, held?.row, change, context, this.#tally);
    // A missing account was refused.
    if (held === undefined) return;
    held.row = { ...held.row, ...changed, data_place: change.dataFrom?.place ?? held.row.data_place };
    held.isChanged = true;
    if (change.keepsRows !== true) held.forgetsRows = true;
    if (change.state !== undefined && failing.has(changed.state)) this.#troubles.push(accountId);
    if (change.intervention !== undefined)
      this.#interventions.push({ account: accountId, intervention: change.intervention });
  }

  intend({ accountId, step, part }: PartRef, intent: Intent): void {
    const held = this.#held(accountId);
    const code = steps.of[step];
    const before = held.parts.get(partKey(code, part));
    if (before !== undefined) this.#archive(accountId, before);
    this.#put(held, sentPart(before, { step: code, part }, intent));
  }

  recordSent(part: PartRef, intent: Intent, settlement: Settlement): void {
    this.intend(part, intent);
    this.settle(part, settlement);
  }

  settle({ accountId, step, part }: PartRef, settlement: Settlement): void {
    const held = this.#held(accountId);
    const before = held.parts.get(partKey(steps.of[step], part));
    if (before === undefined)
      throw new Misuse(`Part ${part} of ${step} of account ${accountId} was settled but never intended.`);
    if (before.took !== null) this.#archive(accountId, before);
    this.#put(held, settledPart(before, settlement));
  }

  setProblems(accountId: number, problems: readonly RecordedProblem[]): void {
    this.#held(accountId);
    this.#problems.set(accountId, problems);
  }

  setPartCells(accountId: number, cells: readonly PartCell[]): void {
    this.#held(accountId);
    this.#partCells.set(accountId, cells);
  }

  #held(accountId: number): Held {
    const held = this.#byId.get(accountId);
    if (held === undefined) throw new Misuse(`There is no account ${accountId} in the journal.`);
    this.#mayWrite(held.row.supplier_code, held.row.number);
    return held;
  }

  /** Throws LeaseLost if another runner has the account. */
  #mayWrite(supplier: string, account: string): void {
    if (this.#holds?.(account) === false) throw new LeaseLost(supplier);
  }

  #archive(account: number, row: PartRow): void {
    this.#attempts.push({ account, row });
  }

  #put(held: Held, row: PartRow): void {
    const key = partKey(row.step, row.part);
    const before = held.parts.get(key);
    if (before !== undefined) this.#changedParts.delete(before);
    held.parts.set(key, row);
    this.#changedParts.set(row, held);
  }

  /** Whether there is anything to store. */
  get hasChanges(): boolean {
    const { size } = this.#changedParts;
    if (size + this.#problems.size + this.#partCells.size > 0) return true;
    for (const { isNew } of this.#byKey.values()) if (isNew) return true;
    for (const { isChanged } of this.#byId.values()) if (isChanged) return true;
    return false;
  }

  /** Records the commands that the changes belong to. */
  async noteInterventions(): Promise<void> {
    for (const { account, intervention } of this.#interventions)
      await noteIntervention(this.#connection, this.#noting, account, intervention);
  }

  /** Stores what changed. Its statements have left when it returns. */
  async store(): Promise<void> {
    const connection = this.#connection;
    const added = [...this.#byKey.values()].filter(({ isNew }) => isNew);
    const changed = [...this.#byId.values()].filter(({ isChanged }) => isChanged);
    const counted = this.#tally.take();
    const storing: Promise<unknown>[] = [];
    if (added.length > 0)
      storing.push(
        connection
          .run<{ id: number; supplier: number; number: string }>(insertAccounts, [
            rowsParameter(added.map(({ row }) => storedColumns(row))),
          ])
          .then((rows) => {
            for (const { id, supplier, number } of rows) {
              const held = this.#byKey.get(keyOf(supplier, number));
              if (held !== undefined) held.row.id = id;
            }
          }),
      );
    if (changed.length > 0)
      storing.push(
        connection.run(updateAccounts, [
          rowsParameter(
            changed.map(({ row, forgetsRows }) => ({
              id: row.id,
              ...storedColumns(row),
              forgets: Number(forgetsRows),
            })),
          ),
        ]),
      );
    if (this.#attempts.length > 0)
      storing.push(
        connection.run(addAttempts, [
          rowsParameter(this.#attempts.map(({ account, row }, place) => ({ place, account, ...row }))),
        ]),
      );
    if (this.#changedParts.size > 0)
      storing.push(
        connection.run(putParts, [
          rowsParameter([...this.#changedParts].map(([row, held]) => ({ account: held.row.id, ...row }))),
        ]),
      );
    storing.push(...this.#storeDetails());
    if (counted.length > 0) storing.push(connection.run(addTally, [rowsParameter(counted), this.#writer]));
    await Promise.all(storing);
  }

  #storeDetails(): Promise<unknown>[] {
    const connection = this.#connection;
    const storing: Promise<unknown>[] = [];
    if (this.#problems.size > 0) {
      const rows = [...this.#problems].flatMap(([account, problems]) => problemRows(account, problems));
      storing.push(
        connection.run(deleteProblems, [[...this.#problems.keys()]]),
        ...(rows.length > 0 ? [connection.run(insertProblems, [rowsParameter(rows)])] : []),
      );
    }
    if (this.#partCells.size > 0) {
      const rows = [...this.#partCells].flatMap(([account, cells]) => partCellRows(account, cells));
      storing.push(
        connection.run(deletePartCells, [[...this.#partCells.keys()]]),
        ...(rows.length > 0 ? [connection.run(insertPartCells, [rowsParameter(rows)])] : []),
      );
    }
    if (this.#troubles.length > 0)
      storing.push(connection.run(addTroubles, [this.#troubles]), connection.run(forgetTroubles));
    if (this.#readings.size > 0) {
      storing.push(connection.run(addReadings, [rowsParameter([...this.#readings.values()])]));
      for (const name of this.#readings.keys()) this.#names.readings.add(name);
    }
    return storing;
  }
}

function storedColumns(row: JournalAccountRow): object {
  const { supplier, number, state, steps: packed, code, kraken_account_number, staged_hash, plan_hash } = row;
  const { restore, source, absent, data } = row;
  return {
    ...{ supplier, number, state, steps: packed, code, kraken_account_number, staged_hash, plan_hash },
    ...{ restore, source, absent, data },
  };
}
