/** A value of a column, alike in all engines. */
export type RecordValue = string | number | null;
export type RecordRow = readonly RecordValue[];

/** A table of a journal's records. What only matters while a run is going on is in no such table. */
export interface RecordTable {
  readonly name: string;
  /** The columns of its key, by which it is ordered. */
  readonly key: readonly string[];
  readonly others: readonly string[];
}

const outcome = ['took', 'outcome', 'status', 'code', 'words'];
const sent = ['state', 'hash', 'attempt', 'run', 'sent_at'];
const cell = ['file', 'line', 'column'];

/** In an order in which each row comes after those that it refers to. */
export const recordTables: readonly RecordTable[] = [
  { name: 'platform', key: ['id'], others: ['identity', 'label'] },
  { name: 'supplier', key: ['id'], others: ['platform', 'code'] },
  { name: 'actor', key: ['id'], others: ['user', 'host', 'version'] },
  {
    name: 'run',
    key: ['id'],
    others: [
      ...['platform', 'supplier', 'dry_run', 'export', 'started_at', 'named', 'boot', 'boot_at', 'actor'],
      ...['facts', 'pace', 'ended_at', 'exit', 'reason', 'accounts', 'requests', 'retries'],
    ],
  },
  { name: 'lease', key: ['supplier'], others: ['epoch'] },
  { name: 'source', key: ['id'], others: ['platform', 'place'] },
  {
    name: 'account',
    key: ['id'],
    others: [
      ...['supplier', 'number', 'state', 'steps', 'code', 'kraken_account_number', 'staged_hash'],
      ...['plan_hash', 'restore', 'source', 'absent', 'data', 'row_print', 'changed'],
    ],
  },
  { name: 'part', key: ['account', 'step', 'part'], others: [...sent, ...outcome, 'money', 'prints'] },
  { name: 'attempt', key: ['id'], others: ['account', 'step', 'part', ...sent, ...outcome] },
  { name: 'problem', key: ['account', 'position'], others: ['step', 'code', 'path', ...cell, 'warning'] },
  { name: 'part_cell', key: ['account', 'position'], others: ['step', 'part', ...cell] },
  { name: 'superseded', key: ['account', 'hash'], others: [...cell, 'told'] },
  { name: 'tally', key: ['supplier', 'step', 'state'], others: ['accounts'] },
  { name: 'reading', key: ['supplier', 'source'], others: ['whole', 'accounts'] },
  { name: 'restore', key: ['id'], others: ['at'] },
  {
    name: 'finished',
    key: ['supplier'],
    others: ['epoch', 'fingerprint', 'content', 'run', 'suppliers', 'restore'],
  },
  { name: 'trouble', key: ['id'], others: ['account'] },
  { name: 'intervention', key: ['id'], others: ['command', 'at', 'actor', 'accounts'] },
  {
    name: 'upgrade',
    key: ['id'],
    others: ['at', 'actor', 'from_schema', 'to_schema', 'from_version', 'backup', 'accounts'],
  },
  { name: 'conclusion', key: ['id'], others: ['rules'] },
  { name: 'spelling', key: ['supplier', 'composed'], others: ['account'] },
  { name: 'intervened', key: ['account', 'intervention'], others: [] },
  { name: 'read_back_pass', key: ['id'], others: ['supplier', 'selection', 'began_at', 'ended_at'] },
  { name: 'read_back', key: ['account'], others: ['pass', 'at', 'differences', 'hidden', 'points'] },
  {
    name: 'item',
    key: ['platform', 'step', 'item'],
    others: ['state', 'hash', 'attempt', 'lost', 'run', 'restore', 'sent_at', ...outcome],
  },
];

/** Reads a journal's records. Every method throws DatabaseRefused. */
export interface RecordReader {
  /** The journal's name, for messages. */
  readonly location: string;
  /** The rows of a table, in the order of its key, each with its columns in the table's order: those after a key. */
  page(table: RecordTable, after: RecordRow | undefined, limit: number): Promise<readonly RecordRow[]>;
  close(): Promise<void>;
}

/** A journal that is moved away. */
export interface RecordSource extends RecordReader {
  /** Identifies what it holds: changes with every commit. */
  stamp(): Promise<string>;
  /** The number of rows of a table. */
  count(table: RecordTable): Promise<number>;
  /** Where it was moved to; undefined if it was not. */
  movedTo(): Promise<string | undefined>;
  /**
   * Records that it was moved, so that nobody uses it again, if its stamp is still this one; false if it is not. Does
   * not change the stamp.
   */
  markMoved(target: string, stamp: string): Promise<boolean>;
}

/**
 * The place of a journal that is filled with another's records. It is not a journal until it is published.
 */
export interface RecordTarget extends RecordReader {
  /** The stamp of the journal whose records it has; undefined if it has none yet. */
  begunFrom(): Promise<string | undefined>;
  /** Removes its contents, and starts over with the records of a journal with this stamp. */
  begin(stamp: string): Promise<void>;
  /** The key of the last row of a table. */
  lastKey(table: RecordTable): Promise<RecordRow | undefined>;
  /** Adds rows that come after those that are there, in one transaction. */
  add(table: RecordTable, rows: readonly RecordRow[]): Promise<void>;
  /** Makes it a journal that can be opened. */
  publish(): Promise<void>;
}
