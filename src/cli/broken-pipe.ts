import { exitCodes } from '../domain/exit-codes.ts';

/** What a process ends with that SIGPIPE ends: 128 and the signal's number. */
const endedByPipe = 141;

/**
 * Sees to a standard output that cannot be written any more: its reader has gone (`| head -1`), or the disk is full.
 * What stops in good order on an interrupt is interrupted, and the reason told; everything else ends at once.
 */
export function watchBrokenPipe(): void {
  let isLost = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isLost) return;
    isLost = true;
    const isClosed = error.code === 'EPIPE';
    if (!isClosed)
      process.stderr.write(`error: standard output cannot be written (${error.code ?? error.name}).\n`);
    else if (process.listenerCount('SIGINT') > 0)
      process.stderr.write(
        'warning: the reader of the output closed the pipe. This has the effect of an interrupt.\n',
      );
    if (!process.emit('SIGINT', 'SIGINT')) process.exit(isClosed ? endedByPipe : exitCodes.usage);
  });
  // Nobody is left to be told.
  process.stderr.on('error', () => undefined);
}
