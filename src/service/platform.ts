import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Clock, Random } from '../domain/clock.ts';
import { createKeeper } from './auth/keeper.ts';
import { platformTime, type Desk } from './desk.ts';
import { createPlatformServer, defaultHttpLimits } from './http/server.ts';
import type { OperatorConfig } from './operator.ts';
import { createPayloadCheck } from './payload-check.ts';
import { respond } from './respond.ts';
import { openStore } from './store/open-store.ts';
import { createTurn } from './turn.ts';

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
export async function startPlatform(options: PlatformOptions): Promise<RunningPlatform> {
  const { clock, operator } = options;
  const store = openStore(options.stateFile);
  const closing = new AbortController();
  const desk: Desk = {
    store,
    clock,
    operator: () => operator,
    inProgress: new Map(),
    vendorFailures: new Set(),
    closing: closing.signal,
  };
  const keeper = createKeeper({
    secret: () => store.tokenSecret,
    apiKey: store.apiKey,
    operator: () => operator,
    now: () => platformTime(desk),
  });
  const responder = { desk, keeper, turn: createTurn(store.db), check: createPayloadCheck(desk) };
  const server = createPlatformServer({
    limits: defaultHttpLimits,
    platformId: store.platformId,
    dialect: () => operator.dialect,
    admits: keeper.admits,
    respond: (place, bytes) => respond(place, bytes, responder),
    now: () => clock.now(),
    answered: (request, place, status, startedAt) =>
      options.log({
        at: startedAt,
        method: request.method ?? '',
        endpoint: place?.name ?? '',
        status,
        durationMs: clock.now() - startedAt,
      }),
  });

  try {
    server.listen(options.port, options.host);
    await once(server, 'listening');
  } catch (error) {
    store.db.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host}:${port}`,
    apiKey: store.apiKey,
    platformId: store.platformId,
    close: async () => {
      closing.abort();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      store.db.close();
    },
  };
}
