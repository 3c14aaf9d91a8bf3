import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from '../host/cannot-start.ts';

/** Before anything is sent, work can be given up at once. `during`: for the message, as in `while the export was read`. */
export async function untilStopped<T>(
  stop: AbortSignal | undefined,
  read: (signal: AbortSignal) => Promise<T>,
  during = 'the export was read',
): Promise<T> {
  const reading = new AbortController();
  const giveUp = (): void =>
    reading.abort(
      new CannotStart(
        exitCodes.stoppedEarly,
        `Interrupted while ${during}: nothing was sent. Run the same command again.`,
      ),
    );
  stop?.addEventListener('abort', giveUp);
  if (stop?.aborted === true) giveUp();
  try {
    return await read(reading.signal);
  } finally {
    stop?.removeEventListener('abort', giveUp);
  }
}
