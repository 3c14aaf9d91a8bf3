import type { Config } from '../config/load-config.ts';
import { StopControl } from '../pipeline/run/stop-control.ts';
import { formatDuration } from '../report/format.ts';
import type { Reporter, Environment } from '../host/environment.ts';
import type { RunRequest } from './run-request.ts';
import { stoppingNow } from './stop-messages.ts';

/** Stops a run from outside: interrupts, the end of its hours, and a drain that takes too long. */
export interface RunStops {
  readonly stop: StopControl;
  /** Aborted by a second interrupt, or by one that comes when the work is over. */
  readonly hurry: AbortSignal;
  /** The work is over: only its observers are left to stop. */
  workIsOver(): void;
  /** Releases signals and timers. */
  end(): void;
}

type StoppedRequest = Pick<RunRequest, 'hours' | 'dryRun'> & { readonly config: Pick<Config, 'drainMs'> };

export function runStops(
  { clock, onInterrupt }: Pick<Environment, 'clock' | 'onInterrupt'>,
  reporter: Reporter,
  { config: { drainMs }, hours, dryRun = false }: StoppedRequest,
): RunStops {
  const stop = new StopControl((reason, detail) => {
    const message = stoppingNow(reason, detail, dryRun);
    if (message !== undefined) reporter.info(message);
  });
  const ended = new AbortController();
  const after = (ms: number, act: () => void): void => {
    clock.sleep(ms, ended.signal).then(act, () => undefined);
  };
  /** Checks the clock every minute: it may jump, or the machine may have been suspended. */
  const at = (instant: number, act: () => void): void => {
    const left = instant - clock.now();
    if (left > 0) after(Math.min(left, 60_000), () => at(instant, act));
    else act();
  };

  const { until, words = '' } = hours;
  if (until !== undefined) at(until, () => stop.stop('hours', words));
  stop.draining.addEventListener('abort', () =>
    after(drainMs, () => {
      if (stop.aborting.aborted) return;
      reporter.warn(
        `Requests are still under way ${formatDuration(drainMs)} after the stop: they are dropped, and the next run settles them.`,
      );
      stop.abort(stop.reason ?? 'interrupt');
    }),
  );
  let interrupts = 0;
  let isOver = false;
  const hurry = new AbortController();
  const ignoreInterrupts = onInterrupt(() => {
    interrupts += 1;
    if (interrupts > 1 || isOver) hurry.abort();
    if (isOver) return;
    if (interrupts === 1) stop.stop('interrupt');
    else stop.abort('interrupt');
  });
  return {
    stop,
    hurry: hurry.signal,
    workIsOver() {
      isOver = true;
      // Neither the end of the hours nor a drain matters any longer.
      ended.abort();
    },
    end() {
      ended.abort();
      ignoreInterrupts();
    },
  };
}
