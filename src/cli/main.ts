import { leaveSoon } from './leave.ts';
import { run } from './run-program.ts';
import { systemShell } from './shell.ts';
import { exitCodes } from '../domain/exit-codes.ts';

/** The exit code of a process that SIGPIPE ends: 128 and the signal's number. */
const endedByPipe = 141;

/**
 * Handles a standard output that can no longer be written: its reader has closed it (`| head -1`), or the disk is
 * full. A command that stops in good order on an interrupt is interrupted, with a message; every other command ends
 * at once.
 */
function watchBrokenPipe(): void {
  let isLost = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isLost) return;
    isLost = true;
    const isClosed = error.code === 'EPIPE';
    if (!isClosed)
      process.stderr.write(`error: standard output cannot be written (${error.code ?? error.name}).\n`);
    else if (process.listenerCount('SIGINT') > 0)
      process.stderr.write(
        'warning: the reader of the output closed the pipe. This is treated as an interrupt.\n',
      );
    if (!process.emit('SIGINT', 'SIGINT')) process.exit(isClosed ? endedByPipe : exitCodes.usage);
  });
  // Nobody is left to read a message.
  process.stderr.on('error', () => undefined);
}

watchBrokenPipe();
const args = process.argv.slice(2);
process.exitCode = await run(systemShell(), args);
leaveSoon({ isRun: args[0] === 'run' });
