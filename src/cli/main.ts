import { hostShortage } from '../domain/host-shortage.ts';
import { endNow, leaveSoon } from './leave.ts';
import { guardEnd } from './last-guard.ts';
import { refuseStart } from './refuse-start.ts';
import { run } from './run-program.ts';
import { systemShell } from './shell.ts';
import { exitCodeOf, exitCodes } from '../domain/exit-codes.ts';

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
    if (!isClosed) {
      output.isLost = true;
      const why = hostShortage(error) ?? `It cannot be written (${error.code ?? error.name}).`;
      process.stderr.write(`error: standard output cannot be written. ${why}\n`);
    }
    const heard = process.listenerCount('SIGINT') - (process.pid === 1 ? 1 : 0);
    if (isClosed && heard > 0)
      process.stderr.write(
        'warning: the reader of the output closed the pipe. This is treated as an interrupt.\n',
      );
    if (heard === 0 || !process.emit('SIGINT', 'SIGINT'))
      process.exit(isClosed ? endedByPipe : exitCodes.usage);
  });
  // Nobody is left to read a message.
  process.stderr.on('error', () => undefined);
}

/** A signal that would open a debugger, to whoever is on this machine. */
function watchDebugger(): void {
  process.on('SIGUSR1', () => {
    if (process.listenerCount('SIGUSR1') === 1) endNow('SIGTERM');
  });
}

/**
 * The first process of a container is spared by signals that it does not hear: a stop would wait until the container is killed. A
 * command that stops in good order hears them itself.
 */
function hearAsFirst(): void {
  if (process.pid !== 1) return;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) endNow(signal);
    });
}

/** Standard output was lost, not closed. */
const output = { isLost: false };
refuseStart();
watchDebugger();
hearAsFirst();
watchBrokenPipe();
const args = process.argv.slice(2);
const ended = guardEnd(args);
const exit = await run(systemShell(), args);
process.exitCode = output.isLost ? exitCodeOf([exit, exitCodes.usage]) : exit;
ended();
leaveSoon({ isRun: args[0] === 'run' });
