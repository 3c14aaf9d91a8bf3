import { constants, platform } from 'node:os';

/** How long leftover resources may keep a process whose command has ended, in ms. */
const leftOverMs = 1_000;
/** How long a process may take to end in good order after a second interrupt, in ms. */
const hurriedMs = 5_000;

/** How long a reader that accepts nothing of a run's output may keep its process, in ms. */
const stalledMs = 10_000;

/**
 * Ensures that the process ends soon: a leftover connection, child or thread does not keep it. A slow reader still
 * gets all of the output. A reader that accepts nothing keeps a command that only shows something, as a pager does,
 * but not a run, because the next run may wait for its end.
 */
export function leaveSoon({ isRun }: { readonly isRun: boolean }): void {
  let unread = unreadOutput();
  let since = performance.now();
  const look = (): void => {
    const left = unreadOutput();
    const now = performance.now();
    if (left !== unread) since = now;
    unread = left;
    const isStalled = isRun && now - since >= stalledMs;
    if (left > 0 && !isStalled) leave();
    else if (isHeldByFile()) endNow('SIGKILL');
    else process.exit();
  };
  const leave = (): void => void setTimeout(look, leftOverMs).unref();
  leave();
}

/** Approximately, in characters. */
function unreadOutput(): number {
  return process.stdout.writableLength + process.stderr.writableLength;
}

/** Ends the process with a signal after a while, whatever it is doing. */
export function leaveBy(signal: NodeJS.Signals): void {
  setTimeout(() => endNow(signal), hurriedMs).unref();
}

/**
 * Ends the process with a signal, as if it had no handler. It exits with 128 and the signal's number where a signal would not do: as the
 * first process of a container, and on Windows, where a process that is killed has the code of a bug (1).
 */
export function endNow(signal: NodeJS.Signals, system: string = platform()): void {
  process.removeAllListeners(signal);
  const isKilled = system !== 'win32' || signal === 'SIGKILL' || isHeldByFile();
  if (process.pid === 1 || !isKilled) process.exit(128 + constants.signals[signal]);
  process.kill(process.pid, system === 'win32' ? 'SIGKILL' : signal);
}

/** At exit, Node waits for pending file operations, which never end on a file system that is gone. */
function isHeldByFile(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
}
