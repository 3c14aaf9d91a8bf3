import { buildConnector, Client, EnvHttpProxyAgent, errors, Pool, type Dispatcher } from 'undici';
import { passOverContinue } from './pass-over-continue.ts';

/** The proxies of the environment. */
export interface Proxies {
  /** Address of the proxy, `http:` or `https:`, with its user and password if it needs them. */
  readonly proxy: string;
  /** Hosts that are reached without it, in the format of NO_PROXY. */
  readonly noProxy?: string | undefined;
}

/** In milliseconds; accurate to about a second. */
export interface ConnectionTimeouts {
  /** Until a connection is open. */
  readonly connect: number;
  /** Until the answer begins; restarts with each interim answer. */
  readonly headers: number;
  /** Between two pieces of the answer's body. */
  readonly body: number;
}

export interface DispatcherOptions {
  /** Scheme, host and port that requests go to. */
  readonly origin: string;
  /** The most connections; more requests than that wait for one. */
  readonly connections: number;
  readonly timeouts: ConnectionTimeouts;
  readonly proxies?: Proxies | undefined;
}

/**
 * Kept-alive connections with one request at a time on each: directly to the origin, or through a tunnel of a proxy,
 * which sees only the host's name. A tunnel that the proxy refuses counts as a failed connection.
 */
export function openDispatcher(options: DispatcherOptions): Dispatcher {
  return dispatcherOf(options, (origin, pool) => new Pool(origin, pool));
}

/** One such connection, for one request. */
export function openConnection(options: Omit<DispatcherOptions, 'connections'>): Dispatcher {
  // Creating a pool takes as long as creating the connection.
  return dispatcherOf({ ...options, connections: 1 }, (origin, client) => new Client(origin, client));
}

function dispatcherOf(
  { origin, connections, timeouts, proxies }: DispatcherOptions,
  open: (origin: string | URL, options: Pool.Options) => Dispatcher,
): Dispatcher {
  const timeout = timeouts.connect;
  const options = {
    connections,
    pipelining: 1,
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.body,
  };
  const connect = buildConnector({ timeout });
  const factory = (at: string | URL, given: object): Dispatcher => open(at, tolerant(given));
  if (proxies === undefined) return factory(origin, { ...options, connect });
  const { proxy, noProxy = '' } = proxies;
  return new EnvHttpProxyAgent({
    ...options,
    connect,
    factory,
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy,
    proxyTls: { timeout },
    requestTls: { timeout },
    clientFactory: (address, tunnel) => tunnelPool(address, { ...tunnel, headersTimeout: timeout }),
  });
}

/** Connections are made by `connect`, which may go through a tunnel. */
function tolerant({ connect, ...options }: Pool.Options): Pool.Options {
  if (typeof connect !== 'function') throw new Error('connections are made without a connector');
  return { ...options, connect: passOverContinue(connect) };
}

/**
 * The connections on which tunnels are requested. Failures here are failures to reach the proxy, or of the proxy, and
 * say nothing about the platform. Their own code also keeps undici from requesting tunnels without end if the proxy
 * hangs up: undici takes that error for one of an open connection.
 */
function tunnelPool(address: URL, options: object): Dispatcher {
  const pool = new Pool(address, options);
  const connect = pool.connect.bind(pool) as (asked: Dispatcher.ConnectOptions) => Promise<unknown>;
  return Object.assign(pool, {
    connect: (asked: Dispatcher.ConnectOptions) =>
      connect(asked).catch((error: unknown) => {
        const isOurs =
          error instanceof errors.ClientDestroyedError || error instanceof errors.ClientClosedError;
        throw isOurs ? error : Object.assign(new Error('no proxy'), { code: 'PROXY_UNREACHABLE' });
      }),
  });
}
