import type { RunCounts } from '../domain/account-state.ts';
import type { BreakReason, StopReason } from '../domain/stop-reason.ts';
import type { RunEvent } from '../pipeline/run-events.ts';

/** A run that came to its end, as those who watch it need it. */
export interface EndedRun {
  readonly kind: 'ended';
  readonly exit: number;
  readonly accounts: RunCounts;
  readonly requests: number;
  readonly retries: number;
  readonly durationMs: number;
  /** Whether the same command, run again, would find accounts to drive. */
  readonly workLeft: boolean;
  /** Why it ended early. */
  readonly stopped?: StopReason;
}

/** A run that could not begin, or that an error ended. */
export interface BrokenRun {
  readonly kind: 'not-begun' | 'broke-off';
  readonly exit: number;
  /** `hours` where it came outside of its hours. */
  readonly reason: StopReason | BreakReason;
  /** For people, in one sentence; names settings and files. */
  readonly detail: string;
}

export type RunEnd = EndedRun | BrokenRun;

/** The machine code of why a run did not come to its end; undefined where it did. */
export function reasonOf(end: RunEnd): StopReason | BreakReason | undefined {
  return end.kind === 'ended' ? end.stopped : end.reason;
}

/** Somebody who watches a run. None of them can hold it up or end it. */
export interface RunObserver {
  /** For messages, such as `the log run.log`. */
  readonly name: string;
  hear(event: RunEvent): void;
  /**
   * Told once, after the last event; also of a run that never began. Resolves when all is out. `givenUp` is aborted
   * when nobody waits for that any longer: what is under way is to be let go of then.
   */
  end(end: RunEnd, givenUp: AbortSignal): Promise<void>;
}
