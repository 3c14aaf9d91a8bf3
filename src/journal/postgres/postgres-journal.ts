import type { AccountKey } from '../../domain/account-key.ts';
import { accountStates as allStates, type AccountState } from '../../domain/account-state.ts';
import { changedAfterImport } from '../../domain/shared-codes.ts';
import type { Actor } from '../../domain/actor.ts';
import { restoredCell, storedCell, type Cell } from '../../domain/cell.ts';
import { accountStates, steps } from '../codes.ts';
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
  PartlyRead,
  PartRef,
  RecordedProblem,
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
import type { Mark } from '../mark-file.ts';
import type { RunGroups } from '../run-groups.ts';
import { Misuse } from '../misuse.ts';
import { countsOf, runEntryOf, type RunRow } from '../run-row.ts';
import type { Stamp } from '../stamp.ts';
import { readingOf, type ReadFrom } from '../reading-of.ts';
import { overviewOf, type Apart, type TallyRow } from '../tally.ts';
import { statement, type Connection } from './connection.ts';
import { addIntervention } from './interventions.ts';
import type { Link } from './link.ts';
import { takeSupplier } from './leases.ts';
import { numberOfActor } from './names.ts';
import { PostgresRunGroups } from './run-groups.ts';
import { entriesOf, partEntryOf, selectWanted, type JoinedRow, type PartRow } from './rows.ts';
import type { Unit } from './unit.ts';
import { foldTally, WriteQueue, type Transaction } from './write-queue.ts';

const accountPage = 200;
const bookPage = 5_000;
const historyPage = 100;
const mostHolders = 10;
const toldTroubles = 20;
/** The most runs that are examined for the boot of the machine. */
const runsOfOneBoot = 1000;

/** The number of an advisory lock: two runs must not get one number. */
const runLock = 7_235_420;

/** The server's clock, in ms since the epoch. */
export const serverClock = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const findAccount = `
  WITH wanted AS (
    SELECT account.id, 0 AS place FROM account JOIN supplier ON supplier.id = account.supplier
      JOIN platform ON platform.id = supplier.platform
    WHERE platform.identity = $1 AND supplier.code = $2 AND account.number = $3)
  ${selectWanted}`;
const findHolders = `
  WITH wanted AS (
    SELECT account.id, account.id AS place FROM account JOIN supplier ON supplier.id = account.supplier
      JOIN platform ON platform.id = supplier.platform
    WHERE account.kraken_account_number = $2 AND platform.identity = $1 ORDER BY account.id LIMIT ${mostHolders})
  ${selectWanted}`;
const whoHas = statement(
  'who_has',
  'SELECT DISTINCT kraken_account_number AS number FROM account WHERE kraken_account_number = ANY($1)',
);

export interface JournalParts {
  readonly location: string;
  readonly writer: Link;
  readonly reader: Link;
  /** The mark on this machine. */
  readonly mark: Mark;
  /** Makes the directory of the mark. */
  readonly makePlace: () => void;
  /** SQL for the clock of leases, in ms since the epoch. */
  readonly clock: string;
}

/** A journal in a PostgreSQL database. Reads have a connection of their own, beside the transactions of writes. */
export class PostgresJournal implements Journal {
  readonly location: string;
  readonly #writer: Link;
  readonly #reader: Link;
  readonly #queue: WriteQueue;
  readonly #mark: Mark;
  readonly #clock: string;
  readonly #makePlace: () => void;
  readonly groups: RunGroups;
  #isMarked = false;
  #asked: {
    readonly number: string;
    readonly answer: (isThere: boolean) => void;
    readonly fail: (error: unknown) => void;
  }[] = [];

  constructor({ location, writer, reader, mark, makePlace, clock }: JournalParts) {
    this.#makePlace = makePlace;
    this.location = location;
    this.#writer = writer;
    this.#reader = reader;
    this.#mark = mark;
    this.#clock = clock;
    this.#queue = new WriteQueue(writer, location, (stamp) => {
      if (this.#isMarked) this.#mark.advance(stamp);
    });
    this.groups = new PostgresRunGroups(this.#queue, reader, clock);
  }

  #run<T>(run: (transaction: Transaction) => Promise<T>, isFenced = false): Promise<T> {
    return this.#queue.write({ run }, isFenced);
  }

  /** Reads after everything that was written before. */
  async #read<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    await this.#queue.settled();
    return this.#reader.use(work);
  }

  #rows<Row extends object>(
    text: string,
    values: readonly (string | number | null | readonly number[] | readonly string[])[] = [],
  ): Promise<Row[]> {
    return this.#read((connection) => connection.query<Row>(text, values));
  }

  async takeMark(at: number): Promise<MarkFinding> {
    const { finding, stamp } = await this.#run(async ({ connection, stamp: own }) => {
      const marked = this.#mark.read();
      const found = await this.#compare(connection, marked);
      if (found === 'went-back' || found === 'replaced') {
        await connection.change('INSERT INTO restore (at) VALUES ($1)', [at]);
        await addIntervention(connection, { command: 'restore', at });
      }
      // From now on the mark names this writer. A day without a commit: it was killed.
      if (marked !== undefined)
        await connection.change('DELETE FROM writer WHERE session = $1 AND closed = 1', [marked.identity]);
      await foldTally(connection, "at < now() - interval '1 day'");
      return { finding: found, stamp: own };
    });
    this.#makePlace();
    this.#mark.put(stamp);
    this.#isMarked = true;
    return finding;
  }

  compareMark(): Promise<MarkFinding> {
    return this.#read((connection) => this.#compare(connection, this.#mark.read()));
  }

  /**
   * The mark names the last writer of this machine, and its commits. A machine that has not used this journal yet has no mark:
   * that is usual, and no sign of a copy.
   */
  async #compare(connection: Connection, marked: Stamp | undefined): Promise<MarkFinding> {
    const [any] = await connection.query<{ is_empty: boolean }>(
      'SELECT NOT EXISTS (SELECT FROM run) AND NOT EXISTS (SELECT FROM account) AS is_empty',
    );
    const isEmpty = any?.is_empty === true;
    if (marked === undefined) return isEmpty ? 'new' : 'current';
    const [writer] = await connection.query<{ commits: number }>(
      'SELECT commits FROM writer WHERE session = $1',
      [marked.identity],
    );
    if (writer !== undefined) return marked.commits <= writer.commits ? 'current' : 'went-back';
    return isEmpty ? 'began-anew' : 'replaced';
  }

  whereabouts(): Promise<Whereabouts> {
    return Promise.resolve({});
  }

  startRun(start: RunStart): Promise<number> {
    return this.#run(async ({ connection }) => {
      // Numbers without gaps: one run after another gets one.
      await connection.query(`SELECT pg_advisory_xact_lock(${runLock})`);
      const [platform] = await connection.query<{ id: number }>(
        `INSERT INTO platform (identity, label) VALUES ($1, $2)
        ON CONFLICT (identity) DO UPDATE SET label = excluded.label RETURNING id`,
        [start.platform, start.platformLabel],
      );
      const [row] = await connection.query<{ id: number }>(
        `INSERT INTO run (id, platform, supplier, dry_run, export, started_at, named, boot, boot_at, actor)
        VALUES ((SELECT coalesce(max(id), 0) + 1 FROM run), $1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id`,
        [
          ...[
            platform?.id ?? null,
            start.supplier ?? null,
            Number(start.dryRun),
            start.export,
            start.startedAt,
          ],
          ...[start.named ?? null, start.boot?.id ?? null, start.boot?.at ?? null],
          await numberOfActor(connection, start.by),
        ],
      );
      return row?.id ?? 0;
    });
  }

  notePace(run: number, words: string): Promise<void> {
    return this.#run(async ({ connection }) => {
      await connection.change('UPDATE run SET pace = $1 WHERE id = $2 AND ended_at IS NULL', [words, run]);
    });
  }

  finishRun(run: number, end: RunEnd): Promise<void> {
    return this.#run(async ({ connection }) => {
      const changed = await connection.change(
        `UPDATE run SET ended_at = $1, exit = $2, reason = $3, accounts = $4, requests = $5, retries = $6
        WHERE id = $7 AND ended_at IS NULL`,
        [
          ...[
            end.endedAt,
            end.exit,
            end.reason,
            JSON.stringify({ ...end.accounts, uncounted: end.uncounted }),
          ],
          ...[end.requests, end.retries, run],
        ],
      );
      if (changed === 0) throw new Misuse(`Run ${run} is not under way, so it cannot be finished.`);
    });
  }

  recordFinished({ run, platform, suppliers, fingerprint, content }: Finished): Promise<void> {
    return this.#run(async ({ connection, names, latest }) => {
      for (const code of suppliers)
        await connection.change(
          `INSERT INTO finished (supplier, epoch, fingerprint, content, run, suppliers, restore)
          SELECT supplier, epoch + 1, $1, $2, $3, $4, $5 FROM lease WHERE supplier = $6
          ON CONFLICT (supplier) DO UPDATE SET epoch = excluded.epoch, fingerprint = excluded.fingerprint,
            content = excluded.content, run = excluded.run, suppliers = excluded.suppliers, restore = excluded.restore`,
          [
            ...[fingerprint, content ?? null, run, suppliers.length, latest?.id ?? 0],
            await names.addSupplier(connection, platform, code),
          ],
        );
    }, true);
  }

  async finishedRuns(platform: string): Promise<readonly FinishedRun[]> {
    const rows = await this.#rows<{
      run: number;
      fingerprint: string;
      content: string | null;
      accounts: string;
      codes: string[];
    }>(
      `SELECT finished.run, finished.fingerprint, finished.content, run.accounts,
        array_agg(supplier.code ORDER BY supplier.code) AS codes
      FROM finished
      JOIN lease ON lease.supplier = finished.supplier AND lease.epoch = finished.epoch AND lease.expires_at = 0
      JOIN supplier ON supplier.id = finished.supplier
      JOIN platform ON platform.id = supplier.platform
      JOIN run ON run.id = finished.run AND run.ended_at IS NOT NULL
      WHERE platform.identity = $1 AND finished.restore = (SELECT coalesce(max(id), 0) FROM restore)
      GROUP BY finished.run, finished.fingerprint, finished.content, finished.suppliers, run.accounts
      HAVING count(*) = finished.suppliers ORDER BY finished.run DESC`,
      [platform],
    );
    return rows.map(({ run, fingerprint, content, accounts, codes }) => ({
      ...{ run, suppliers: codes, accounts: countsOf(accounts), fingerprint },
      ...(content !== null && { content }),
    }));
  }

  async sameBootSince(run: number, boot: Boot | undefined, grainMs: number): Promise<number> {
    const first = Math.max(1, run - runsOfOneBoot);
    const [other] = await this.#rows<{ id: number }>(
      `SELECT id FROM run WHERE id >= $1 AND id < $2
        AND (boot IS DISTINCT FROM $3 OR abs(boot_at - $4::bigint) > $5) ORDER BY id DESC LIMIT 1`,
      [first, run, boot?.id ?? null, boot?.at ?? null, grainMs],
    );
    return other === undefined ? first : other.id + 1;
  }

  async *runs(limit = Infinity): AsyncGenerator<RunEntry> {
    let left = limit;
    for (let before = 2 ** 31 - 1; left > 0;) {
      const rows = await this.#rows<RunRow & ActorRow>(
        `SELECT run.*, platform.identity, platform.label, login, host, version
        FROM run JOIN platform ON platform.id = run.platform LEFT JOIN actor ON actor.id = run.actor
        WHERE run.id < $1 ORDER BY run.id DESC LIMIT ${historyPage}`,
        [before],
      );
      yield* rows.slice(0, left).map((row) => ({ ...runEntryOf(row), ...byOf(row) }));
      left -= rows.length;
      before = rows.at(-1)?.id ?? 0;
      if (rows.length < historyPage) return;
    }
  }

  async takeLease(
    lease: {
      readonly platform: string;
      readonly supplier: string;
      readonly owner: LeaseOwner;
      readonly group?: number;
    },
    now: number,
    expiresAt: number,
    isDead: (owner: LeaseOwner) => boolean,
  ): Promise<LeaseTaken | LeaseHeld> {
    const taken = await this.#run(async ({ connection, names }) => {
      const id = await names.addSupplier(connection, lease.platform, lease.supplier);
      const order = { ...lease, supplier: id, session: this.#queue.session, forMs: expiresAt - now };
      if (this.#queue.fence.size === 0 && lease.group === undefined)
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
    return this.#run(async ({ connection, names }) => {
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
    const id = await this.#run(async ({ connection, names }) => {
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
    const rows = await this.#rows<JoinedRow>(findAccount, [platform, key.supplier, key.account]);
    return entriesOf(rows)[0];
  }

  open(platform: string, key: AccountKey, from?: string): Promise<AccountEntry> {
    return this.#queue.write(
      {
        needs: {
          keys: [{ platform, key }],
          ...(from === undefined ? {} : { sources: [{ platform, place: from }] }),
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

  beginReading(platform: string, from: string, accounts?: number): Promise<void> {
    return this.#run(async ({ connection, names }) => {
      const source = await names.addSource(connection, platform, from);
      if (accounts !== undefined) this.#queue.sizes.set(source, accounts);
      await connection.change(
        `UPDATE reading SET whole = 0, accounts = $1
        WHERE source = $2 AND (accounts IS DISTINCT FROM $1 OR accounts IS NULL)`,
        [accounts ?? null, source],
      );
    }, true);
  }

  endReading(platform: string, from: string): Promise<void> {
    return this.#run(async ({ connection, names }) => {
      const source = await names.addSource(connection, platform, from);
      await connection.change('UPDATE reading SET whole = 1 WHERE source = $1', [source]);
      // A later export may have all accounts of one that was never read to its end.
      await connection.change(`
        DELETE FROM reading WHERE whole = 0 AND NOT EXISTS (
          SELECT 1 FROM account WHERE account.supplier = reading.supplier AND account.source = reading.source)`);
    }, true);
  }

  async countFrom(platform: string, from: readonly string[]): Promise<number> {
    const [row] = await this.#rows<{ accounts: number }>(
      `SELECT count(*) AS accounts FROM account JOIN source ON source.id = account.source
        JOIN platform ON platform.id = source.platform
      WHERE platform.identity = $1 AND source.place = ANY($2) AND absent = 0`,
      [platform, from],
    );
    return row?.accounts ?? 0;
  }

  async *accountsFrom(platform: string, from: string): AsyncGenerator<BookEntry> {
    for (let after = 0; ;) {
      const rows = await this.#rows<{
        id: number;
        number: string;
        state: number;
        absent: number;
        supplier: string;
      }>(
        `SELECT account.id, account.number, account.state, account.absent, supplier.code AS supplier
        FROM account JOIN supplier ON supplier.id = account.supplier
        WHERE account.id > $1 AND account.source = (SELECT source.id FROM source JOIN platform
          ON platform.id = source.platform WHERE identity = $2 AND place = $3)
        ORDER BY account.id LIMIT ${bookPage}`,
        [after, platform, from],
      );
      yield* rows.map(({ id, supplier, number, state, absent }) => ({
        ...{
          id,
          key: { supplier, account: number },
          state: accountStates.name(state),
          isAbsent: absent === 1,
        },
      }));
      after = rows.at(-1)?.id ?? 0;
      if (rows.length < bookPage) return;
    }
  }

  markAbsent(accountIds: readonly number[]): Promise<void> {
    return this.#run(async ({ connection }) => {
      await connection.change('UPDATE account SET absent = 1 WHERE id = ANY($1)', [accountIds]);
    }, true);
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
    const sources = change.dataFrom === undefined ? {} : { sources: [change.dataFrom] };
    return this.#about(accountId, (unit) => unit.change(accountId, change), sources);
  }

  setProblems(accountId: number, problems: readonly RecordedProblem[]): Promise<void> {
    return this.#about(accountId, (unit) => unit.setProblems(accountId, problems));
  }

  setPartCells(accountId: number, cells: readonly PartCell[]): Promise<void> {
    return this.#about(accountId, (unit) => unit.setPartCells(accountId, cells));
  }

  #about(
    accountId: number,
    apply: (unit: Unit) => void,
    more: { readonly sources?: readonly { readonly platform: string; readonly place: string }[] } = {},
  ): Promise<void> {
    const needs = { ids: [accountId], ...more };
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
    const { file = null, line = null, column = null } = fix === undefined ? {} : storedCell(fix);
    return this.#run(async ({ connection }) => {
      await connection.change(
        `INSERT INTO superseded (account, hash, file, line, col) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (account, hash) DO UPDATE SET file = excluded.file, line = excluded.line, col = excluded.col, told = 0`,
        [accountId, hash, file, line, column],
      );
    }, true);
  }

  async superseded(accountId: number, hash: string): Promise<Superseded | undefined> {
    const [row] = await this.#rows<{
      file: string | null;
      line: number | null;
      col: string | null;
      told: number;
    }>('SELECT file, line, col, told FROM superseded WHERE account = $1 AND hash = $2', [accountId, hash]);
    if (row === undefined) return undefined;
    const { file, line, col: column, told } = row;
    return {
      isTold: told === 1,
      ...(file !== null && line !== null && column !== null && { fix: restoredCell({ file, line, column }) }),
    };
  }

  noteSupersededTold(accountId: number, hash: string): Promise<void> {
    return this.#run(async ({ connection }) => {
      await connection.change('UPDATE superseded SET told = 1 WHERE account = $1 AND hash = $2', [
        accountId,
        hash,
      ]);
    }, true);
  }

  markRestored(at: number, by?: Actor): Promise<void> {
    return this.#run(async ({ connection }) => {
      await connection.change('INSERT INTO restore (at) VALUES ($1)', [at]);
      await addIntervention(connection, { command: 'restore', at, ...(by === undefined ? {} : { by }) });
    });
  }

  async holders(platform: string, krakenAccountNumber: string): Promise<readonly AccountEntry[]> {
    if (!(await this.#isHeld(krakenAccountNumber))) return [];
    return this.#reader.use(async (connection) =>
      entriesOf(await connection.query<JoinedRow>(findHolders, [platform, krakenAccountNumber])),
    );
  }

  /** Whether an account has a number: usually none has. The questions of one turn of the event loop are asked together. */
  #isHeld(number: string): Promise<boolean> {
    return new Promise((answer, fail) => {
      if (this.#asked.push({ number, answer, fail }) === 1) setImmediate(() => void this.#askAll());
    });
  }

  async #askAll(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    try {
      const numbers = [...new Set(asked.map(({ number }) => number))];
      const rows = await this.#reader.use((connection) =>
        connection.run<{ number: string }>(whoHas, [numbers]),
      );
      const held = new Set(rows.map(({ number }) => number));
      for (const { number, answer } of asked) answer(held.has(number));
    } catch (error) {
      for (const { fail } of asked) fail(error);
    }
  }

  async *sharedNumbers(platform: string): AsyncGenerator<SharedNumber> {
    for (let after = ''; ;) {
      const rows = await this.#rows<{ number: string }>(
        `SELECT account.kraken_account_number AS number
        FROM account JOIN supplier ON supplier.id = account.supplier
        WHERE account.kraken_account_number > $1
          AND supplier.platform = (SELECT id FROM platform WHERE identity = $2)
        GROUP BY account.kraken_account_number HAVING count(*) > 1 ORDER BY 1 LIMIT ${accountPage}`,
        [after, platform],
      );
      for (const { number } of rows) {
        after = number;
        const holders = await this.holders(platform, number);
        yield { krakenAccountNumber: number, accounts: holders.map(({ key }) => key) };
      }
      if (rows.length < accountPage) return;
    }
  }

  async *attempts(accountId: number): AsyncGenerator<PartEntry> {
    const columns = 'step, part, state, hash, attempt, run, sent_at, took, outcome, status, code, words';
    const rows = await this.#rows<PartRow>(
      `SELECT ${columns}, NULL AS money, NULL AS prints FROM (
        SELECT ${columns}, archived, max(sent_at) OVER (PARTITION BY step, part ORDER BY attempt) AS latest FROM (
          SELECT ${columns}, id AS archived FROM attempt WHERE account = $1
          UNION ALL SELECT ${columns}, NULL FROM part WHERE account = $1) AS every) AS ordered
      ORDER BY latest, step, part, attempt, archived NULLS LAST`,
      [accountId],
    );
    yield* rows.map(partEntryOf);
  }

  async *problems(accountId: number): AsyncGenerator<RecordedProblem> {
    const rows = await this.#rows<{
      step: number | null;
      code: string;
      path: string;
      file: string | null;
      line: number | null;
      col: string | null;
      warning: number;
    }>(
      'SELECT step, code, path, file, line, col, warning FROM problem WHERE account = $1 ORDER BY position',
      [accountId],
    );
    yield* rows.map(({ step, code, path, file, line, col: column, warning }) => ({
      ...(step !== null && { step: steps.name(step) }),
      code,
      path,
      ...(file !== null &&
        line !== null &&
        column !== null && { cell: restoredCell({ file, line, column }) }),
      ...(warning === 1 && { isWarning: true as const }),
    }));
  }

  async *partCells(accountId: number): AsyncGenerator<PartCell> {
    const rows = await this.#rows<{ step: number; part: number; file: string; line: number; col: string }>(
      'SELECT step, part, file, line, col FROM part_cell WHERE account = $1 ORDER BY position',
      [accountId],
    );
    yield* rows.map(({ step, part, file, line, col: column }) => ({
      ...{ step: steps.name(step), part, cell: restoredCell({ file, line, column }) },
    }));
  }

  async *interventions(): AsyncGenerator<InterventionEntry> {
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const rows = await this.#rows<InterventionRow & { id: number }>(
        `SELECT intervention.id, command, at, accounts, login, host, version
        FROM intervention LEFT JOIN actor ON actor.id = intervention.actor
        WHERE intervention.id < $1 ORDER BY intervention.id DESC LIMIT ${historyPage}`,
        [before],
      );
      yield* rows.map((row) => ({
        ...interventionOf(row),
        ...(row.accounts === null ? {} : { accounts: row.accounts }),
      }));
      before = rows.at(-1)?.id ?? 0;
      if (rows.length < historyPage) return;
    }
  }

  async *interventionsOn(accountId: number): AsyncGenerator<Intervention> {
    const rows = await this.#rows<InterventionRow>(
      `SELECT command, at, accounts, login, host, version
      FROM intervention LEFT JOIN actor ON actor.id = intervention.actor
      WHERE command = 'restore' OR intervention.id IN (SELECT intervention FROM intervened WHERE account = $1)
      ORDER BY intervention.id`,
      [accountId],
    );
    yield* rows.map(interventionOf);
  }

  overview(platform?: string): Promise<SupplierOverview[]> {
    return this.#read(async (connection) => {
      const tally = await connection.query<TallyRow>(
        `SELECT supplier.id, platform.identity AS platform, platform.label, supplier.code AS supplier,
          tally.step, tally.state, sum(tally.accounts)::bigint AS accounts
        FROM supplier JOIN platform ON platform.id = supplier.platform JOIN tally ON tally.supplier = supplier.id
        WHERE platform.identity = coalesce($1, platform.identity)
        GROUP BY supplier.id, platform.id, tally.step, tally.state
        ORDER BY platform.identity, supplier.code`,
        [platform ?? null],
      );
      const absent = await connection.query<Apart & { state: number }>(
        `SELECT supplier, state, count(*) AS accounts FROM account
        WHERE absent = 1 AND kraken_account_number IS NULL AND state <> ${accountStates.of.uncertain}
        GROUP BY supplier, state`,
      );
      const staged = await connection.query<Apart>(
        `SELECT supplier, count(*) AS accounts FROM account
        WHERE state = ${accountStates.of.pending} AND staged_hash IS NOT NULL AND absent = 0 GROUP BY supplier`,
      );
      const changed = await connection.query<Apart>(
        `SELECT supplier, count(*) AS accounts FROM account
        WHERE state = ${accountStates.of.rejected} AND code = '${changedAfterImport}' GROUP BY supplier`,
      );
      const readings = await connection.query<{
        supplier: number;
        source: number;
        place: string;
        accounts: number | null;
      }>(
        `SELECT supplier, source, place, accounts FROM reading JOIN source ON source.id = reading.source
        WHERE whole = 0 ORDER BY supplier, source`,
      );
      const read =
        readings.length === 0
          ? []
          : await connection.query<ReadFrom>(
              `SELECT supplier, source, count(*) AS accounts FROM account
              WHERE absent = 0 AND source IN (SELECT source FROM reading WHERE whole = 0)
              GROUP BY supplier, source`,
            );
      const partly = new Map<number, PartlyRead[]>();
      for (const reading of readings)
        partly.set(reading.supplier, [
          ...(partly.get(reading.supplier) ?? []),
          readingOf(reading.place, reading, read),
        ]);
      const [restore] = await connection.query<{ id: number }>(
        'SELECT max(id) AS id FROM restore HAVING max(id) > 0',
      );
      const doubted =
        restore === undefined
          ? []
          : await connection.query<Apart>(
              `SELECT supplier, count(*) AS accounts FROM account
              WHERE restore < $1 AND absent = 0 AND state <> ${accountStates.of.completed} GROUP BY supplier`,
              [restore.id],
            );
      return overviewOf(tally, { absent, staged, changed, doubted, partlyRead: partly });
    });
  }

  async lastTroubles(platform: string, supplier: string): Promise<readonly Trouble[]> {
    const { rejected, failed, uncertain } = accountStates.of;
    const rows = await this.#rows<{ number: string; state: number; code: string }>(
      `SELECT account.number, account.state, account.code
      FROM trouble JOIN account ON account.id = trouble.account JOIN supplier ON supplier.id = account.supplier
        JOIN platform ON platform.id = supplier.platform
      WHERE platform.identity = $1 AND supplier.code = $2 AND account.state IN (${rejected}, ${failed}, ${uncertain})
      GROUP BY account.id ORDER BY max(trouble.id) DESC LIMIT ${toldTroubles}`,
      [platform, supplier],
    );
    return rows.map(({ number, state, code }) => ({
      account: number,
      state: accountStates.name(state),
      code,
    }));
  }

  async *accounts(
    platform: string,
    supplier: string,
    states: readonly AccountState[] = allStates,
  ): AsyncGenerator<AccountEntry> {
    const wanted = states.map((state) => accountStates.of[state]);
    for (let after: string | undefined; ;) {
      const rows = await this.#rows<JoinedRow>(
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

  async platforms(): Promise<{ readonly platform: string; readonly label: string }[]> {
    return this.#rows(`
      SELECT identity AS platform, label FROM platform JOIN run ON run.platform = platform.id
      GROUP BY platform.id ORDER BY max(run.id) DESC`);
  }

  async close(): Promise<void> {
    try {
      await this.#queue.close();
    } finally {
      await this.#writer.close();
      await this.#reader.close();
      this.#mark.close();
    }
  }
}

interface ActorRow {
  readonly login: string | null;
  readonly host: string | null;
  readonly version: string | null;
}

interface InterventionRow extends ActorRow {
  readonly command: Intervention['command'];
  readonly at: number;
  readonly accounts: number | null;
}

function byOf({ login, host, version }: ActorRow): { readonly by?: Actor } {
  return login === null || host === null || version === null ? {} : { by: { user: login, host, version } };
}

function interventionOf(row: InterventionRow): Intervention {
  return { command: row.command, at: row.at, ...byOf(row) };
}
