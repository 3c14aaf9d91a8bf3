import { closeSync, fdatasync, openSync } from 'node:fs';

/** Syncs the write-ahead log of a database to the disk. */
export interface WalSync {
  /** Resolves when everything that is in the log at the time of the call is on the disk. */
  sync(): Promise<void>;
  close(): void;
}

/**
 * `PRAGMA synchronous = FULL` adds one sync after each commit to NORMAL, which syncs the log before a checkpoint.
 * Done here, the sync blocks no thread: the answers of other accounts are processed in the meantime, and
 * their records share the next commit. The log is one file for as long as the database is open.
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
