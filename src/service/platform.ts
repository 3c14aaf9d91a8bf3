import type { Clock, Random } from '../domain/clock.ts';
import type { OperatorConfig } from './operator.ts';

/** One answered request, for the request log: no body, no account, no key. */
export interface RequestLogEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  /** The endpoint's name in the contract's table, or `token`; '' where no endpoint was met. */
  readonly endpoint: string;
  /** HTTP status; 0 where the connection was closed without an answer. */
  readonly status: number;
  readonly durationMs: number;
}

export interface PlatformOptions {
  /** Where the platform keeps its state, or `:memory:`. */
  readonly stateFile: string;
  readonly operator: OperatorConfig;
  readonly clock: Clock;
  readonly random: Random;
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  readonly log: (entry: RequestLogEntry) => void;
}

export interface RunningPlatform {
  /** Base address without a trailing slash: `http://127.0.0.1:4321`. */
  readonly url: string;
  /** API key for the token mutation; kept in the state, the same after a restart. */
  readonly apiKey: string;
  /** Id kept in the state; every answer carries it as `x-platform-id`. */
  readonly platformId: string;
  /** Stops taking connections, ends the open ones and closes the state. */
  close(): Promise<void>;
}

/**
 * Starts the embedded platform: an implementation of the whole interface with its state in SQLite.
 * Rejects with a DatabaseRefused where the state file cannot be used, or the socket's error where it cannot listen.
 */
export function startPlatform(_options: PlatformOptions): Promise<RunningPlatform> {
  return Promise.reject(new Error('not built yet'));
}
