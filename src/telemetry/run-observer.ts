import type { RunCounts } from '../domain/account-state.ts';
import type { Clock } from '../domain/clock.ts';
import { endedWell, type BreakReason, type StopReason } from '../domain/stop-reason.ts';
import type { ExitCode } from '../domain/exit-codes.ts';
import type { RunEvent } from '../pipeline/run/run-events.ts';

/** A run that has ended, as its observers need it. */
export interface EndedRun {
  readonly kind: 'ended';
  readonly exit: number;
  readonly accounts: RunCounts;
  readonly requests: number;
  readonly retries: number;
  readonly durationMs: number;
  /** Whether the same command, run again, would have work. */
  readonly workLeft: boolean;
  /** Sentences for people; default: none. */
  readonly errors?: readonly string[] | undefined;
  /** Why it stopped early. */
  readonly stopped?: StopReason | undefined;
}

/** A run that could not start, or that an error ended. */
export interface BrokenRun {
  readonly kind: 'not-begun' | 'broke-off';
  readonly exit: number;
  /** `hours` if it was outside its allowed hours. */
  readonly reason: StopReason | BreakReason;
  /** One sentence for people; names settings and files. */
  readonly detail: string;
}

/** What `migrate morning` says after a run. */
export interface NightTold {
  /** The run that it is about; null if there is none. */
  readonly run: number | null;
  readonly good: boolean;
  /** A machine code. */
  readonly reason: string;
  readonly lost: number;
  readonly doubled: number;
  readonly uncertain: number;
  /** Whether the night was good, why not, and whether it can wait: two sentences or three. */
  readonly headline: string;
  /** The exit code of `morning`. */
  readonly exit: ExitCode;
  /** The one command that comes next. */
  readonly next: string;
  /** All of it for people, a sentence a line. */
  readonly text: string;
}

export type ObservedEnd = (EndedRun | BrokenRun) & {
  /** Absent if the journal could not be read, or not in time. */
  readonly night?: NightTold | undefined;
};

/** The machine code of why a run stopped early; undefined if it did not. */
export function reasonOf(end: ObservedEnd): StopReason | BreakReason | undefined {
  return end.kind === 'ended' ? end.stopped : end.reason;
}

/**
 * Whether a run, and with it its night, went as they should: a run may end as it was told to, and its night is not good.
 * Undefined if there is no verdict on a night of this run, or another run of it goes on.
 */
export function goodness(end: ObservedEnd, run: number | undefined): boolean | undefined {
  if (!endedWell(end.exit, reasonOf(end))) return false;
  const { night } = end;
  if (night === undefined || run === undefined || night.run !== run || night.reason === 'running')
    return undefined;
  return night.good;
}

/** An observer of a run. It can neither delay nor end the run. */
export interface RunObserver {
  /** For messages, such as `the log run.log`. */
  readonly name: string;
  hear(event: RunEvent): void;
  /**
   * Called once, after the last event, even for a run that never started. Resolves when everything is sent.
   * `givenUp` is aborted when nobody waits any longer: drop work under way then.
   */
  end(end: ObservedEnd, givenUp: AbortSignal): Promise<void>;
}

/** How long the end of a run waits for all observers together, in ms. */
const togetherMs = 10_000;
/** The same after an interrupt. */
const hurriedMs = 1_000;

interface EndOptions {
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
  end: ObservedEnd,
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
  const recorded = end.kind === 'ended' ? ' The run itself is recorded.' : '';
  warn(`Dropped at the end of the run, because it took too long: ${names}.${recorded}`);
}
