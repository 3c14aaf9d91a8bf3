import type { Clock } from '../../domain/clock.ts';
import { DatabaseRefused } from '../../domain/database-refused.ts';
import type { JournalStore } from '../../journal/store.ts';

/** For so long, a stop waits for a journal that does not answer, in ms. */
const graceMs = 5_000;

/**
 * The same journal for a run that may be stopped: a server that keeps silent, or waits for a lock, does not keep the run. What it
 * is asked before it is open is given up soon after the stop; an open journal gives up by itself. Throws DatabaseRefused.
 */
export function stoppableStore(
  store: JournalStore,
  stop: AbortSignal,
  clock: Pick<Clock, 'sleep'>,
): JournalStore {
  const within = async <T>(asked: Promise<T>): Promise<T> => {
    const answered = new AbortController();
    try {
      return await Promise.race([asked, givenUp(store.location, stop, clock, answered.signal)]);
    } finally {
      answered.abort();
    }
  };
  return {
    ...store,
    awaited: (awaiting) => within(store.awaited(awaiting)),
    exists: () => within(store.exists()),
    isGone: () => within(store.isGone()),
    upgrade: (options) => within(store.upgrade(options)),
    heldSupplier: (wanted, moment) => within(store.heldSupplier(wanted, moment)),
    open: (options) => within(store.open({ stop, ...options })),
  };
}

/** Rejects once a stop has waited for long enough; never, if the answer comes first. */
function givenUp(
  journal: string,
  stop: AbortSignal,
  clock: Pick<Clock, 'sleep'>,
  answered: AbortSignal,
): Promise<never> {
  return new Promise((_resolve, reject) => {
    const wait = (): void =>
      void clock.sleep(graceMs, answered).then(
        () =>
          reject(
            new DatabaseRefused(
              'interrupted',
              `Interrupted while it waited for the journal ${journal}, which did not answer within ${graceMs / 1000} s: nothing was sent. Run the same command again.`,
            ),
          ),
        () => undefined,
      );
    if (stop.aborted) wait();
    else stop.addEventListener('abort', wait, { once: true, signal: answered });
  });
}
