import { partitionOf, partitions } from '../../domain/account-key.ts';
import { isJsonObject, parseJson } from '../../domain/json.ts';
import { LeaseLost, type LeaseOwner } from '../journal.ts';
import type { GroupStop, Joined, JoinOrder, RunGroups, RunnerSeen, Turn, TurnReport } from '../run-groups.ts';
import type { Connection } from './connection.ts';
import type { Link } from './link.ts';
import { grantedTo, mostWorking, nothing, shareOut, type PartitionRow, type RunnerRow } from './share-out.ts';
import type { WriteQueue } from './write-queue.ts';

/** The number of an advisory lock: two runs that begin at once make one group. */
const joinLock = 7_235_421;

/** A group is joined while a lease of it expired less than this ago, in ms: the server may just have been restarted. */
const recentMs = 60_000;

export function ownerOfRunner({ host, pid, process_start: processStart }: RunnerRow): LeaseOwner {
  return { host, pid, processStart };
}

/** Groups of runs in a PostgreSQL journal (docs/decisions/several-runners.md). */
export class PostgresRunGroups implements RunGroups {
  readonly #queue: WriteQueue;
  readonly #reader: Link;
  readonly #clock: string;
  #held: ReadonlySet<number> = new Set();

  /** `clock`: SQL for the clock of leases, in ms since the epoch. */
  constructor(queue: WriteQueue, reader: Link, clock: string) {
    this.#queue = queue;
    this.#reader = reader;
    this.#clock = clock;
  }

  async join(order: JoinOrder, isDead: (owner: LeaseOwner) => boolean): Promise<Joined> {
    const joined = await this.#queue.write({
      run: async ({ connection }) => {
        await connection.query(`SELECT pg_advisory_xact_lock(${joinLock})`);
        const group = (await this.#living(connection, order, isDead)) ?? (await begin(connection, order));
        const { host, pid, processStart } = order.owner;
        const [row] = await connection.query<{ id: number }>(
          `INSERT INTO runner (run_group, session, run, host, pid, process_start, since, expires_at, budget, granted)
          VALUES ($1, $2, $3, $4, $5, $6, ${this.#clock}, ${this.#clock} + $7, $8, $9) RETURNING id`,
          [
            ...[group.id, this.#queue.session, order.run, host, pid, processStart, order.leaseMs],
            ...[JSON.stringify(order.budget), JSON.stringify(nothing)],
          ],
        );
        return { group: group.id, runner: row?.id ?? 0, place: group.place, fixes: textsIn(group.fixes) };
      },
    });
    this.#held = new Set();
    this.#queue.holds = (account) => this.#held.has(partitionOf(account));
    return joined;
  }

  async #living(
    connection: Connection,
    { platform, book }: JoinOrder,
    isDead: (owner: LeaseOwner) => boolean,
  ): Promise<GroupRow | undefined> {
    const rows = await connection.query<GroupRow & RunnerRow & { group_id: number }>(
      `SELECT runner.*, run_group.id AS group_id, place, fixes FROM run_group
        JOIN platform ON platform.id = run_group.platform JOIN runner ON runner.run_group = run_group.id
      WHERE platform.identity = $1 AND book = $2 AND expires_at > ${this.#clock} - ${recentMs}
      ORDER BY run_group.id DESC`,
      [platform, book],
    );
    const row = rows.find((runner) => !isDead(ownerOfRunner(runner)));
    return row && { id: row.group_id, place: row.place, fixes: row.fixes };
  }

  async turn(joined: Joined, report: TurnReport, isDead: (owner: LeaseOwner) => boolean): Promise<Turn> {
    const turn = await this.#queue.write(
      { run: ({ connection }) => this.#turn(connection, joined, report, isDead) },
      true,
    );
    this.#held = new Set(turn.held);
    return turn;
  }

  async #turn(
    connection: Connection,
    { group, runner }: Joined,
    report: TurnReport,
    isDead: (owner: LeaseOwner) => boolean,
  ): Promise<Turn> {
    const [row] = await connection.query<{ stopped: string | null; now: number }>(
      `SELECT stopped, ${this.#clock} AS now FROM run_group WHERE id = $1 FOR UPDATE`,
      [group],
    );
    const stopped = stopIn(row?.stopped ?? null) ?? report.stopped;
    if (report.stopped !== undefined && stopped === report.stopped)
      await connection.change('UPDATE run_group SET stopped = $1 WHERE id = $2', [
        JSON.stringify(stopped),
        group,
      ]);
    if (report.given.length > 0)
      await connection.change(
        `UPDATE partition SET runner = NULL, epoch = epoch + 1
        WHERE run_group = $1 AND runner = $2 AND number = ANY($3)`,
        [group, runner, report.given],
      );
    if (report.passed.length > 0)
      await connection.change(
        `UPDATE partition SET result = passed.result FROM unnest($3::int[], $4::text[]) AS passed(number, result)
        WHERE run_group = $1 AND runner = $2 AND partition.number = passed.number`,
        [
          ...[group, runner],
          report.passed.map(({ number }) => number),
          report.passed.map(({ result }) => result),
        ],
      );
    const living = await this.#settleDead(connection, { group, runner, now: row?.now ?? 0 }, report, isDead);
    const own = living.find(({ id }) => id === runner);
    if (own === undefined) throw new LeaseLost('');
    const granted = grantedTo(own, living, report.uses);
    const [renewed] = await connection.query<{ expires_at: number }>(
      `UPDATE runner SET expires_at = ${this.#clock} + $1, granted = $2, heard = $3 WHERE id = $4 RETURNING expires_at`,
      [report.leaseMs, JSON.stringify(granted.kept), report.heard, runner],
    );
    const rows = await connection.query<PartitionRow>(
      'SELECT number, runner, result IS NOT NULL AS is_done FROM partition WHERE run_group = $1 ORDER BY number',
      [group],
    );
    const working = living.slice(0, mostWorking(living));
    const shared = shareOut(runner, working, rows, new Set(report.given));
    if (shared.taken.length > 0)
      await connection.change(
        'UPDATE partition SET runner = $1, epoch = epoch + 1 WHERE run_group = $2 AND number = ANY($3)',
        [runner, group, shared.taken],
      );
    return {
      held: shared.held,
      surplus: shared.surplus,
      share: shared.share,
      isDone: rows.every(({ is_done: isDone }) => isDone),
      granted: granted.allowed,
      runners: living.map((one) => ({
        ...seenOf(one, shared.counts.get(one.id) ?? 0),
        ...(one.id === runner && renewed !== undefined ? { expiresAt: renewed.expires_at } : {}),
      })),
      stopped,
    };
  }

  /** Takes over the runners that are gone; returns the others. */
  async #settleDead(
    connection: Connection,
    { group, runner, now }: { readonly group: number; readonly runner: number; readonly now: number },
    { silent }: TurnReport,
    isDead: (owner: LeaseOwner) => boolean,
  ): Promise<RunnerRow[]> {
    const rows = await connection.query<RunnerRow>(
      'SELECT * FROM runner WHERE run_group = $1 AND expires_at > 0 ORDER BY id',
      [group],
    );
    const living: RunnerRow[] = [];
    for (const row of rows) {
      const isGone =
        row.id !== runner &&
        (isDead(ownerOfRunner(row)) || (silent.includes(row.id) && row.expires_at <= now));
      if (isGone) await fence(connection, row, group);
      else living.push(row);
    }
    return living;
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

async function begin(connection: Connection, { platform, book, place, fixes }: JoinOrder): Promise<GroupRow> {
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
  connection: Connection,
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
