import { closeSync, openSync, readSync } from 'node:fs';
import { DatabaseRefused } from '../../domain/database-refused.ts';
import { readStamp, type Stamp } from '../safety/stamp.ts';

/** Lengths of the headers of a log and of each frame in it (https://www.sqlite.org/fileformat2.html#walformat), in bytes. */
const logHeader = 32;
const frameHeader = 24;

/**
 * Refuses a journal beside a log that a newer state of it left behind, as a killed run does: SQLite would take the log's
 * pages for its own, and make one journal of two. The first commit in a log follows what the file holds. Reads both files
 * by itself, so nothing in this process may have the journal open: closing a file ends the locks that SQLite has on it.
 */
export function refuseForeignLog(file: string): void {
  const first = firstStampIn(`${file}-wal`);
  if (first === undefined) return;
  const held = stampOnPage(file, first.page, first.pageSize);
  // The log made the stamp itself where the file has none: an earlier version wrote the file.
  if (held === undefined ? first.stamp.commits <= 1 : follows(first.stamp, held)) return;
  throw new DatabaseRefused(
    'damaged',
    `The journal ${file} is older than its log ${file}-wal: a copy was put beside the log of a newer journal. ` +
      `Put the newer journal back; or, to continue with the copy, delete ${file}-wal and ${file}-shm: it then counts as restored from a backup.`,
  );
}

function follows(stamp: Stamp, held: Stamp): boolean {
  // A restore gives the journal another identity in one of its commits.
  const isNext = held.commits === stamp.commits - 1;
  return isNext || (held.commits >= stamp.commits && held.identity === stamp.identity);
}

interface StampInLog {
  readonly stamp: Stamp;
  readonly page: number;
  readonly pageSize: number;
}

/** The stamp of the first commit in a log; undefined if it has none, or there is no log. */
function firstStampIn(log: string): StampInLog | undefined {
  return reading(log, (handle) => {
    const header = bytesAt(handle, 0, logHeader);
    if (header === undefined) return undefined;
    const pageSize = header.readUInt32BE(8);
    const salts = header.subarray(16, 24);
    const length = frameHeader + pageSize;
    for (let at = logHeader; ; at += length) {
      const frame = bytesAt(handle, at, length);
      // What follows is left from an earlier use of the file.
      if (frame?.subarray(8, 16).equals(salts) !== true) return undefined;
      const stamp = readStamp(frame.toString('latin1', frameHeader));
      if (stamp !== undefined) return { stamp, page: frame.readUInt32BE(0), pageSize };
    }
  });
}

function stampOnPage(file: string, page: number, pageSize: number): Stamp | undefined {
  return reading(file, (handle) => {
    const bytes = bytesAt(handle, (page - 1) * pageSize, pageSize);
    return bytes === undefined ? undefined : readStamp(bytes.toString('latin1'));
  });
}

/** Undefined if the file ends earlier. */
function bytesAt(handle: number, at: number, length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length);
  return readSync(handle, bytes, 0, length, at) === length ? bytes : undefined;
}

/** Undefined if there is no such file. */
function reading<T>(path: string, read: (handle: number) => T | undefined): T | undefined {
  let handle: number;
  try {
    handle = openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return read(handle);
  } finally {
    closeSync(handle);
  }
}
