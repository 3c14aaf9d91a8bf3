import type { RunCounts } from '../domain/account-state.ts';
import type { RunEvent } from '../pipeline/run-events.ts';

/** A run that has ended, as those who watch it need it. */
export interface EndedRun {
  readonly run: number;
  readonly exit: number;
  readonly accounts: RunCounts;
  readonly requests: number;
  readonly retries: number;
  readonly durationMs: number;
  /** Why it ended early: a machine code, such as `interrupt`. */
  readonly stopped?: string;
}

/** Somebody who watches a run. None of them can hold it up or end it. */
export interface RunObserver {
  hear(event: RunEvent): void;
  /** Told once, after the last event; `undefined` where the run could not go on to its end. Resolves when all is out. */
  end(ended: EndedRun | undefined): Promise<void>;
}

/** One observer for many. */
export function observers(all: readonly RunObserver[]): RunObserver {
  return {
    hear: (event) => {
      for (const observer of all) observer.hear(event);
    },
    end: async (ended) => {
      await Promise.all(all.map((observer) => observer.end(ended)));
    },
  };
}
