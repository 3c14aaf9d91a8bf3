import { closeSync, fdatasync, openSync } from 'node:fs';

/** Has the disk keep what was committed to a database's write-ahead log. */
export interface WalSync {
  /** Resolves when everything that is in the log at the time of the call is on the disk. */
  sync(): Promise<void>;
  close(): void;
}

/**
 * What `PRAGMA synchronous = FULL` adds to NORMAL, which syncs the log before what is in it goes to the database, is one
 * sync after each commit. Done here it holds up no thread: the answers of other accounts are taken meanwhile, and what
 * they have to record shares the next commit. The log is one file for as long as the database is open.
 */
export function walSyncOf(file: string): WalSync {
  const log = openSync(`${file}-wal`, 'r+');
  let isOpen = true;
  return {
    sync: () =>
      new Promise((resolve, reject) => {
        fdatasync(log, (error) => (error === null ? resolve() : reject(error)));
      }),
    close: () => {
      if (isOpen) closeSync(log);
      isOpen = false;
    },
  };
}
