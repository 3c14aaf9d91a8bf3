/** How long what is left over may keep a process whose command has ended, in ms. */
const leftOverMs = 1_000;
/** How long a process may take to end in good order after a second interrupt, in ms. */
const hurriedMs = 5_000;

/** Sees to it that the process ends soon: a connection, a child or a thread that is left over does not keep it. */
export function leaveSoon(): void {
  setTimeout(() => {
    // A slow reader still gets all of it.
    if (process.stdout.writableLength + process.stderr.writableLength > 0) leaveSoon();
    else if (isHeldByFile()) endNow('SIGKILL');
    else process.exit();
  }, leftOverMs).unref();
}

/** Ends the process by a signal after a while, whatever it does then. */
export function leaveBy(signal: NodeJS.Signals): void {
  setTimeout(() => endNow(signal), hurriedMs).unref();
}

/** Ends the process by a signal, as if nobody had listened to it. */
export function endNow(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Node waits in its exit for what the system does with files, which on a file system that is gone has no end. */
function isHeldByFile(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
}
