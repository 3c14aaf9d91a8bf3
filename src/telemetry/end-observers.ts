import type { Clock } from '../domain/clock.ts';
import type { RunEnd, RunObserver } from './run-observer.ts';

/** How long the end of a run waits for all observers together, in ms. */
const togetherMs = 10_000;
/** The same after an interrupt. */
const hurriedMs = 1_000;

export interface EndOptions {
  readonly clock: Clock;
  /** Aborted by an interrupt. */
  readonly hurry: AbortSignal;
  /** Called for observers that were dropped. */
  readonly warn: (message: string) => void;
}

/**
 * Reports the end of a run to all observers, and drops those that take too long: they do not keep the process alive.
 */
export async function endObservers(
  observers: readonly RunObserver[],
  end: RunEnd,
  { clock, hurry, warn }: EndOptions,
): Promise<void> {
  const open = new Set(observers);
  const givenUp = new AbortController();
  const settled = new AbortController();
  const tellOne = async (observer: RunObserver): Promise<void> => {
    try {
      await observer.end(end, givenUp.signal);
    } catch (error) {
      warn(`An error ended ${observer.name} (${error instanceof Error ? error.name : typeof error}).`);
    }
    open.delete(observer);
  };
  const wait = (ms: number): Promise<void> => clock.sleep(ms, settled.signal).catch(() => undefined);
  const hurried = new Promise<void>((resolve) => {
    if (hurry.aborted) resolve();
    else hurry.addEventListener('abort', () => resolve(), { signal: settled.signal });
  });
  await Promise.race([
    Promise.all(observers.map(tellOne)),
    wait(togetherMs),
    hurried.then(() => wait(hurriedMs)),
  ]);
  settled.abort();
  givenUp.abort();
  if (open.size === 0) return;
  const names = [...open].map(({ name }) => name).join(', ');
  warn(`Dropped at the end of the run, because it took too long: ${names}. The run itself is recorded.`);
}
