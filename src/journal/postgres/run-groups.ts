import { partitionOf, partitions } from '../../domain/account-key.ts';
import { isJsonObject, parseJson } from '../../domain/json.ts';
import { LeaseLost, type IsDead, type LeaseOwner } from '../journal.ts';
import type { GroupStop, Joined, JoinOrder, RunGroups, RunnerSeen, Turn, TurnReport } from '../run-groups.ts';
import { statement, type JournalConnection, type Statement } from './connection.ts';
import { judged } from './judged.ts';
import type { Link } from './link.ts';
import { grantedTo, mostWorking, nothing, shareOut, type PartitionRow, type RunnerRow } from './share-out.ts';
import type { WriteQueue } from './write-queue.ts';

/** The number of an advisory lock: two runs that begin at once make one group. */
const joinLock = 7_235_421;

/** A group is joined while a lease of it expired less than this ago, in ms: the server may just have been restarted. */
const recentMs = 60_000;

const givePartitions = statement(
  'give_partitions',
  `UPDATE partition SET runner = NULL, epoch = epoch + 1
  WHERE run_group = $1 AND runner = $2 AND number = ANY($3)`,
);
const passPartitions = statement(
  'pass_partitions',
  `UPDATE partition SET result = ($4::text[])[array_position($3::smallint[], number)]
  WHERE run_group = $1 AND runner = $2 AND number = ANY($3)`,
);
const takePartitions = statement(
  'take_partitions',
  'UPDATE partition SET runner = $2, epoch = epoch + 1 WHERE run_group = $1 AND number = ANY($3)',
);
const findRunners = statement(
  'find_runners',
  `SELECT id, session, run, host, pid, process_start, since, expires_at, budget, granted, heard
  FROM runner WHERE run_group = $1 AND expires_at > 0 ORDER BY id`,
);
const findPartitions = statement(
  'find_partitions',
  `SELECT runner, result IS NOT NULL AS is_done, string_agg(number::text, ',') AS numbers,
    coalesce(sum((result::jsonb ->> 'accounts')::bigint), 0)::float8 AS accounts
  FROM partition WHERE run_group = $1 GROUP BY 1, 2`,
);

/** One row for all partitions that are alike. */
interface PartitionsRow {
  readonly runner: number | null;
  readonly is_done: boolean;
  readonly numbers: string;
  readonly accounts: number;
}

function partitionsIn(rows: readonly PartitionsRow[]): PartitionRow[] {
  const all = rows.flatMap(({ runner, is_done, numbers }) =>
    numbers.split(',').map((number) => ({ number: Number(number), runner, is_done })),
  );
  return all.sort((a, b) => a.number - b.number);
}

export function ownerOfRunner({ host, pid, process_start: processStart }: RunnerRow): LeaseOwner {
  return { host, pid, processStart };
}

/** Groups of runs in a PostgreSQL journal (docs/decisions/several-runners.md). */
export class PostgresRunGroups implements RunGroups {
  readonly #queue: WriteQueue;
  readonly #reader: Link;
  readonly #clock: string;
  readonly #lockGroup: Statement;
  readonly #renew: Statement;
  #held: ReadonlySet<number> = new Set();
  /** The others of the group at the last turn: whether they are gone is asked before the next one takes the lock. */
  #others: readonly RunnerRow[] = [];

  /** `clock`: SQL for the clock of leases, in ms since the epoch. */
  constructor(queue: WriteQueue, reader: Link, clock: string) {
    this.#queue = queue;
    this.#reader = reader;
    this.#clock = clock;
    this.#lockGroup = statement(
      'lock_group',
      `SELECT stopped, ${clock} AS now FROM run_group WHERE id = $1 FOR UPDATE`,
    );
    this.#renew = statement(
      'renew_runner',
      `UPDATE runner SET expires_at = ${clock} + $1, granted = $2, heard = $3 WHERE id = $4 RETURNING expires_at`,
    );
  }

  async join(order: JoinOrder, isDead: IsDead): Promise<Joined> {
    const found = await this.#reader.use((connection) => this.#recent(connection, order));
    const isGone = await judged(found.map(ownerOfRunner), isDead);
    const joined = await this.#queue.write({
      run: async ({ connection }) => {
        await connection.query(`SELECT pg_advisory_xact_lock(${joinLock})`);
        const group = (await this.#living(connection, order, isGone)) ?? (await begin(connection, order));
        const { host, pid, processStart } = order.owner;
        const [row] = await connection.query<{ id: number }>(
          `INSERT INTO runner (run_group, session, run, host, pid, process_start, since, expires_at, budget, granted)
          VALUES ($1, $2, $3, $4, $5, $6, ${this.#clock}, ${this.#clock} + $7, $8, $9) RETURNING id`,
          [
            ...[group.id, this.#queue.session, order.run, host, pid, processStart, order.leaseMs],
            ...[JSON.stringify(order.budget), JSON.stringify({ ...nothing, isIdle: true })],
          ],
        );
        const runners = await connection.run<RunnerRow>(findRunners, [group.id]);
        this.#others = runners.filter(({ id }) => id !== row?.id);
        return { group: group.id, runner: row?.id ?? 0, place: group.place, fixes: textsIn(group.fixes) };
      },
    });
    this.#held = new Set();
    this.#queue.holds = (account) => this.#held.has(partitionOf(account));
    return joined;
  }

  async #living(
    connection: JournalConnection,
    order: JoinOrder,
    isGone: (owner: LeaseOwner) => boolean,
  ): Promise<GroupRow | undefined> {
    const rows = await this.#recent(connection, order);
    const row = rows.find((runner) => !isGone(ownerOfRunner(runner)));
    return row && { id: row.group_id, place: row.place, fixes: row.fixes };
  }

  /** The runners of the book's groups whose leases have not ended, or only just. */
  #recent(
    connection: JournalConnection,
    { platform, book }: JoinOrder,
  ): Promise<(GroupRow & RunnerRow & { readonly group_id: number })[]> {
    return connection.query<GroupRow & RunnerRow & { group_id: number }>(
      `SELECT runner.*, run_group.id AS group_id, place, fixes FROM run_group
        JOIN platform ON platform.id = run_group.platform JOIN runner ON runner.run_group = run_group.id
      WHERE platform.identity = $1 AND book = $2 AND expires_at > ${this.#clock} - ${recentMs}
      ORDER BY run_group.id DESC`,
      [platform, book],
    );
  }

  async turn(joined: Joined, report: TurnReport, isDead: IsDead): Promise<Turn> {
    const isGone = await judged(this.#others.map(ownerOfRunner), isDead);
    const turn = await this.#queue.write(
      { run: ({ connection }) => this.#turn(connection, joined, report, isGone) },
      true,
    );
    this.#held = new Set(turn.held);
    return turn;
  }

  async #turn(
    connection: JournalConnection,
    { group, runner }: Joined,
    report: TurnReport,
    isGone: (owner: LeaseOwner) => boolean,
  ): Promise<Turn> {
    const parameters = [group, runner];
    const { given, passed } = report;
    const [[row], , , runners, before] = await connection.together(() =>
      Promise.all([
        connection.run<{ stopped: string | null; now: number }>(this.#lockGroup, [group]),
        given.length > 0 && connection.run(givePartitions, [...parameters, given]),
        passed.length > 0 &&
          connection.run(passPartitions, [
            ...parameters,
            passed.map(({ number }) => number),
            passed.map(({ result }) => result),
          ]),
        connection.run<RunnerRow>(findRunners, [group]),
        connection.run<PartitionsRow>(findPartitions, [group]),
      ]),
    );
    const stopped = stopIn(row?.stopped ?? null) ?? report.stopped;
    if (report.stopped !== undefined && stopped === report.stopped)
      await connection.change('UPDATE run_group SET stopped = $1 WHERE id = $2', [
        JSON.stringify(stopped),
        group,
      ]);
    const gone = runners.filter(
      (one) =>
        one.id !== runner &&
        (isGone(ownerOfRunner(one)) || (report.silent.includes(one.id) && one.expires_at <= (row?.now ?? 0))),
    );
    await this.#queue.seeOthers(
      connection,
      runners.map(({ session }) => session),
    );
    for (const one of gone) await fence(connection, one, group);
    const found = gone.length === 0 ? before : await connection.run<PartitionsRow>(findPartitions, [group]);
    const rows = partitionsIn(found);
    const living = runners.filter((one) => !gone.includes(one));
    this.#others = living.filter(({ id }) => id !== runner);
    const own = living.find(({ id }) => id === runner);
    if (own === undefined) throw new LeaseLost('');
    const granted = grantedTo(own, living, report);
    const working = living.slice(0, mostWorking(living));
    const shared = shareOut(runner, working, rows, new Set(report.given));
    const [[renewed]] = await connection.together(() =>
      Promise.all([
        connection.run<{ expires_at: number }>(this.#renew, [
          report.leaseMs,
          JSON.stringify({ ...granted.kept, isIdle: report.isIdle }),
          ...[report.heard, runner],
        ]),
        shared.taken.length > 0 && connection.run(takePartitions, [...parameters, shared.taken]),
      ]),
    );
    return {
      held: shared.held,
      surplus: shared.surplus,
      share: shared.share,
      isDone: rows.every(({ is_done: isDone }) => isDone),
      passedAccounts: found.reduce((sum, { accounts }) => sum + accounts, 0),
      granted: granted.allowed,
      runners: living.map((one) => ({
        ...seenOf(one, shared.counts.get(one.id) ?? 0),
        ...(one.id === runner && renewed !== undefined ? { expiresAt: renewed.expires_at } : {}),
      })),
      stopped,
    };
  }

  reopen({ group }: Joined, numbers: readonly number[]): Promise<void> {
    return this.#queue.write(
      {
        run: async ({ connection }) => {
          await connection.query('SELECT FROM run_group WHERE id = $1 FOR UPDATE', [group]);
          // While all are passed, nobody holds one.
          await connection.change(
            `UPDATE partition SET result = NULL, runner = NULL, epoch = epoch + 1
            WHERE run_group = $1 AND number = ANY($2)
              AND NOT EXISTS (SELECT FROM partition WHERE run_group = $1 AND result IS NULL)`,
            [group, numbers],
          );
        },
      },
      true,
    );
  }

  async results({ group }: Joined): Promise<readonly string[]> {
    await this.#queue.settled();
    const rows = await this.#reader.use((connection) =>
      connection.query<{ result: string }>(
        'SELECT result FROM partition WHERE run_group = $1 AND result IS NOT NULL ORDER BY number',
        [group],
      ),
    );
    return rows.map(({ result }) => result);
  }

  async living(): Promise<readonly RunnerSeen[]> {
    await this.#queue.settled();
    const rows = await this.#reader.use((connection) =>
      connection.query<RunnerRow & { partitions: number }>(
        `SELECT runner.*, (SELECT count(*) FROM partition
          WHERE partition.run_group = runner.run_group AND partition.runner = runner.id AND result IS NULL) AS partitions
        FROM runner WHERE expires_at > ${this.#clock} ORDER BY run`,
      ),
    );
    return rows.map((row) => seenOf(row, row.partitions));
  }

  async runsWith(run: number): Promise<readonly number[]> {
    await this.#queue.settled();
    const rows = await this.#reader.use((connection) =>
      connection.query<{ run: number }>(
        `SELECT run FROM runner WHERE run_group IN (SELECT run_group FROM runner WHERE run = $1) ORDER BY run`,
        [run],
      ),
    );
    return rows.map((row) => row.run);
  }

  async leave({ group, runner }: Joined): Promise<void> {
    await this.#queue.write({
      run: async ({ connection }) => {
        await connection.query('SELECT FROM run_group WHERE id = $1 FOR UPDATE', [group]);
        await connection.change(
          'UPDATE partition SET runner = NULL, epoch = epoch + 1 WHERE run_group = $1 AND runner = $2 AND result IS NULL',
          [group, runner],
        );
        await connection.change('UPDATE runner SET expires_at = 0 WHERE id = $1', [runner]);
        // The epoch also grows on release, so that what was recorded as finished under it is known to hold.
        await connection.change(
          `UPDATE lease SET epoch = epoch + 1, expires_at = 0 WHERE run_group = $1 AND expires_at > 0
            AND NOT EXISTS (SELECT FROM runner WHERE run_group = $1 AND expires_at > ${this.#clock})`,
          [group],
        );
      },
    });
    this.#held = new Set();
    this.#queue.holds = undefined;
  }
}

interface GroupRow {
  readonly id: number;
  readonly place: string;
  readonly fixes: string;
}

async function begin(
  connection: JournalConnection,
  { platform, book, place, fixes }: JoinOrder,
): Promise<GroupRow> {
  const [row] = await connection.query<GroupRow>(
    `INSERT INTO run_group (platform, book, place, fixes)
    SELECT id, $2, $3, $4 FROM platform WHERE identity = $1 RETURNING id, place, fixes`,
    [platform, book, place, JSON.stringify(fixes)],
  );
  if (row === undefined) throw new Error('The journal has no platform for a group of runs.');
  await connection.change('INSERT INTO partition (run_group, number) SELECT $1, generate_series(0, $2)', [
    row.id,
    partitions - 1,
  ]);
  return row;
}

/**
 * Ends what a runner may do: waits for a transaction of it that is under way, and every later one is refused. Its partitions are free.
 */
export async function fence(
  connection: JournalConnection,
  { id, session }: Pick<RunnerRow, 'id' | 'session'>,
  group: number,
): Promise<void> {
  await connection.change('UPDATE writer SET fenced = 1 WHERE session = $1', [session]);
  await connection.change('UPDATE runner SET expires_at = 0 WHERE id = $1', [id]);
  await connection.change(
    'UPDATE partition SET runner = NULL, epoch = epoch + 1 WHERE run_group = $1 AND runner = $2 AND result IS NULL',
    [group, id],
  );
}

function stopIn(text: string | null): GroupStop | undefined {
  const value = text === null ? undefined : parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const { reason, detail } = value;
  return typeof reason === 'string' && typeof detail === 'string' ? { reason, detail } : undefined;
}

function textsIn(text: string): readonly string[] {
  const value = parseJson(text);
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function seenOf(row: RunnerRow, partitionCount: number): RunnerSeen {
  return {
    runner: row.id,
    run: row.run,
    owner: ownerOfRunner(row),
    since: row.since,
    expiresAt: row.expires_at,
    heard: row.heard ?? '',
    partitions: partitionCount,
  };
}
