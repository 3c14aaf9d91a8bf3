import type { Config } from '../config/load-config.ts';
import type { RunEvent } from '../pipeline/run/run-events.ts';
import { asCannotStart, CannotStart } from '../host/cannot-start.ts';
import { configurationInForce } from '../run/session/configuration.ts';
import type { Environment } from '../host/environment.ts';
import { machine } from '../host/machine.ts';
import type { Reporter } from '../host/environment.ts';
import type { MigrationEvent } from './events.ts';
import { ofOptions } from './of-options.ts';
import type { ExportOptions, MigrationOptions } from './options.ts';

/** The context of one call. */
export interface Call {
  readonly environment: Environment;
  readonly config: Config;
  readonly reporter: Reporter;
  readonly hear: (event: RunEvent) => void;
}

/** Runs the work of a call, and reports everything that happens as events. */
export async function onCall<T>(
  options: ExportOptions & Pick<MigrationOptions, 'signal' | 'abortSignal'>,
  work: (call: Call) => Promise<T>,
  lastEvent?: (result: T) => MigrationEvent,
): Promise<T> {
  const { settings, configFile, profile, env = {} } = options;
  const listener = new Listener(options.onEvent);
  const signal = AbortSignal.any([
    listener.failed,
    ...(options.signal === undefined ? [] : [options.signal]),
  ]);
  const own = machine();
  const environment: Environment = {
    ...own,
    cwd: options.cwd ?? own.cwd,
    env,
    onInterrupt: interrupts(signal, options.abortSignal),
  };
  try {
    const config = await configurationInForce({
      cwd: environment.cwd,
      env: { ...env },
      flags: { config: configFile, profile },
      search: false,
      settings: settings && { ...settings },
    });
    const result = await work({
      environment,
      config,
      reporter: listener,
      hear: (event) => listener.hear(event),
    });
    if (lastEvent !== undefined) listener.tell(lastEvent(result));
    return result;
  } catch (error) {
    const refused = asCannotStart(error);
    throw refused === undefined
      ? error
      : new CannotStart(
          refused.exit,
          refused.lines.map((line) => ofOptions(line)),
          refused.problems,
          refused.code,
        );
  } finally {
    listener.failed.throwIfAborted();
  }
}

/** Passes events to a caller's function until it throws. */
class Listener implements Reporter {
  readonly #onEvent: (event: MigrationEvent) => void;
  readonly #failed = new AbortController();
  #done = 0;
  #total = 0;
  #of = '';
  #isReached = false;

  constructor(onEvent: (event: MigrationEvent) => void = () => undefined) {
    this.#onEvent = onEvent;
  }

  /** Aborted with the exception of the caller's function. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  readonly progress = {
    begin: (total: number, of: string): void => {
      this.#total = total;
      this.#of = of;
      this.#done = 0;
      this.#isReached = false;
      this.#tellProgress();
    },
    advance: (by: unknown): void => {
      if (this.#isReached) return;
      this.#done += typeof by === 'number' ? by : 1;
      this.#tellProgress();
    },
    note: (): void => undefined,
    reach: (done: number): void => {
      this.#isReached = true;
      this.#done = Math.max(this.#done, done);
      this.#tellProgress();
    },
  };

  readonly info = (text: string): void =>
    this.tell({ type: 'message', level: 'info', text: ofOptions(text) });
  readonly detail = (text: string): void =>
    this.tell({ type: 'message', level: 'detail', text: ofOptions(text) });
  readonly warn = (text: string): void =>
    this.tell({ type: 'message', level: 'warning', text: ofOptions(text) });

  hear(event: RunEvent): void {
    this.tell(event);
    if (event.type === 'book') this.progress.reach(event.passed);
    if (event.type === 'unchanged') this.progress.advance(event.accounts);
    if (event.type === 'account' && (event.driven || event.state !== 'pending')) this.progress.advance(1);
  }

  tell(event: MigrationEvent): void {
    if (this.failed.aborted) return;
    try {
      this.#onEvent(event);
    } catch (error) {
      this.#failed.abort(error);
    }
  }

  #tellProgress(): void {
    this.tell({ type: 'progress', of: this.#of, done: this.#done, total: this.#total });
  }
}

/** A signal as an interrupt: the first lets requests in flight finish, the second does not. */
export function interrupts(signal: AbortSignal, abortSignal?: AbortSignal): Environment['onInterrupt'] {
  return (interrupt) => {
    const ended = new AbortController();
    const when = (given: AbortSignal, act: () => void): void => {
      if (given.aborted) act();
      else given.addEventListener('abort', act, { signal: ended.signal });
    };
    when(signal, interrupt);
    if (abortSignal !== undefined)
      when(abortSignal, () => {
        interrupt();
        interrupt();
      });
    return () => ended.abort();
  };
}
