import { DatabaseRefused } from '../../domain/database-refused.ts';
import {
  recordTables,
  type RecordReader,
  type RecordRow,
  type RecordSource,
  type RecordTable,
  type RecordTarget,
} from './records.ts';

/** Rows of one transaction. */
const atOnce = 1_000;

export interface MoveProgress {
  /** Called after each batch of rows. */
  readonly copied: (table: string, rows: number) => void;
  /** The same, when they are compared. */
  readonly compared: (table: string, rows: number) => void;
}

export interface Moved {
  /** Rows in all tables. */
  readonly rows: number;
  readonly accounts: number;
  /** Whether an interrupted move was continued. */
  readonly isContinued: boolean;
}

/**
 * Copies every record of a journal to another place, compares both row for row, marks the first as moved, and makes the
 * second a journal. An interruption at any moment leaves exactly one of them usable, and the next call continues. Call it
 * while no run holds either. Throws DatabaseRefused if the journal changes during the move, or a row differs.
 */
export async function moveJournal(
  source: RecordSource,
  target: RecordTarget,
  { copied, compared }: MoveProgress,
): Promise<Moved> {
  const stamp = await source.stamp();
  const isContinued = (await target.begunFrom()) === stamp;
  if (!isContinued) await target.begin(stamp);
  for (const table of recordTables) {
    let after = await target.lastKey(table);
    for (;;) {
      const rows = await source.page(table, after, atOnce);
      if (rows.length === 0) break;
      await target.add(table, rows);
      after = keyOf(table, rows);
      copied(table.name, rows.length);
      await turn();
    }
  }
  let total = 0;
  let accounts = 0;
  for (const table of recordTables) {
    const count = await compare(source, target, table, compared);
    total += count;
    if (table.name === 'account') accounts = count;
  }
  if (!(await source.markMoved(target.location, stamp)))
    throw new DatabaseRefused(
      'locked',
      `The journal ${source.location} was changed while it was moved, so nothing was moved. End all runs, and run the command again.`,
    );
  await target.publish();
  return { rows: total, accounts, isContinued };
}

/** Lets progress be drawn and interrupts be heard: one of the engines never waits. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The number of rows, if both have the same. */
async function compare(
  source: RecordReader,
  target: RecordReader,
  table: RecordTable,
  compared: MoveProgress['compared'],
): Promise<number> {
  let count = 0;
  let after: RecordRow | undefined;
  for (;;) {
    const [there, here] = await Promise.all([
      source.page(table, after, atOnce),
      target.page(table, after, atOnce),
    ]);
    if (JSON.stringify(there) !== JSON.stringify(here))
      throw new DatabaseRefused(
        'damaged',
        `The copy of ${source.location} in ${target.location} differs in the table ${table.name}. ` +
          'Nothing was moved. Check the journal with migrate journal check, and the disks.',
      );
    if (there.length === 0) return count;
    count += there.length;
    compared(table.name, there.length);
    after = keyOf(table, there);
    await turn();
  }
}

function keyOf({ key }: RecordTable, rows: readonly RecordRow[]): RecordRow | undefined {
  return rows.at(-1)?.slice(0, key.length);
}
