import type { RunCounts } from '../domain/account-state.ts';
import type { BreakReason, StopReason } from '../domain/stop-reason.ts';
import type { RunEvent } from '../pipeline/run-events.ts';

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
  /** Why it stopped early. */
  readonly stopped?: StopReason;
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

export type RunEnd = EndedRun | BrokenRun;

/** The machine code of why a run stopped early; undefined if it did not. */
export function reasonOf(end: RunEnd): StopReason | BreakReason | undefined {
  return end.kind === 'ended' ? end.stopped : end.reason;
}

/** An observer of a run. It can neither delay nor end the run. */
export interface RunObserver {
  /** For messages, such as `the log run.log`. */
  readonly name: string;
  hear(event: RunEvent): void;
  /**
   * Called once, after the last event; also for a run that never started. Resolves when everything is sent. `givenUp`
   * is aborted when nobody waits any longer: work under way must be dropped then.
   */
  end(end: RunEnd, givenUp: AbortSignal): Promise<void>;
}
