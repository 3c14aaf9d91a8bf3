import type { Clock } from '../domain/clock.ts';

/** For so long, the end of a run asks the journal, in ms. */
const usuallyMs = 10_000;
/** The same for a run that somebody stopped. */
const stoppedMs = 1_000;

/** What `ask` gives, if the journal answers in time: the end of a run does not wait for a silent server. */
export async function inTime<T>(
  clock: Pick<Clock, 'sleep'>,
  isStopped: boolean,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  const answered = new AbortController();
  const late = clock.sleep(isStopped ? stoppedMs : usuallyMs, answered.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([ask(), late]);
  } finally {
    answered.abort();
  }
}
