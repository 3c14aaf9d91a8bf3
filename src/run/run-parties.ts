import type { Reporter } from '../host/environment.ts';
import type { RunEvent } from '../pipeline/run/run-events.ts';
import type { StopControl } from '../pipeline/run/stop-control.ts';
import type { RunWatch } from './watch-run.ts';

/** The callbacks of a run. */
export interface RunParties {
  readonly reporter: Reporter;
  /** Called with every event, and every problem of the export. */
  readonly hear: (event: RunEvent) => void;
  /** Called when the export is read and nothing was sent; throws CannotStart to cancel. */
  readonly approve?: (accounts: number) => Promise<void>;
  /** Asks a person whether to rehearse in a journal of a real platform; absent: nobody can be asked, and the run is refused. */
  readonly approveRehearsal?: ((question: string) => Promise<boolean>) | undefined;
  /** Called when the work is over, before the wait for notifications and other outputs. */
  readonly workIsOver?: () => void;
}

/** The observers of a run, and its stop control. */
export interface WatchedParties extends RunParties {
  readonly watch: RunWatch;
  readonly stop: StopControl;
}
