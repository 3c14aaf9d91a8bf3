import { buildConnector, Client, EnvHttpProxyAgent, errors, Pool, type Dispatcher } from 'undici';
import { passOverContinue } from './pass-over-continue.ts';

/** The proxies of the environment. */
export interface Proxies {
  /** Address of the proxy, `http:` or `https:`, with its user and password where it wants them. */
  readonly proxy: string;
  /** Hosts that are reached without it, as NO_PROXY lists them. */
  readonly noProxy?: string;
}

/** In milliseconds; kept to within about a second. */
export interface ConnectionTimeouts {
  /** Until a connection stands. */
  readonly connect: number;
  /** Until the answer begins; each interim answer makes it begin anew. */
  readonly headers: number;
  /** Between two pieces of the answer's body. */
  readonly body: number;
}

export interface DispatcherOptions {
  /** Scheme, host and port that requests go to. */
  readonly origin: string;
  /** How many connections there may be; more requests than that wait for one. */
  readonly connections: number;
  readonly timeouts: ConnectionTimeouts;
  readonly proxies?: Proxies;
}

/**
 * Kept-alive connections with one request at a time on each: straight to the origin, or through a tunnel of a proxy's,
 * which sees the name of the host and nothing else. A tunnel that the proxy refuses is a connection that does not stand.
 */
export function openDispatcher(options: DispatcherOptions): Dispatcher {
  return dispatcherOf(options, (origin, pool) => new Pool(origin, pool));
}

/** One such connection, for one request. */
export function openConnection(options: Omit<DispatcherOptions, 'connections'>): Dispatcher {
  // A pool takes as long to make as the connection itself.
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
 * The connections that tunnels are asked for on. What fails here fails on the way to the proxy, or by it, and says
 * nothing of the platform. Its own code also keeps undici from asking for another tunnel without end where the proxy
 * hangs up: it takes that error for one of a connection that stood before.
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
