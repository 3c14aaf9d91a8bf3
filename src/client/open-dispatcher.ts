import type { Socket } from 'node:net';
import { definedFields } from '../domain/defined-fields.ts';
import { buildConnector, Client, EnvHttpProxyAgent, errors, Pool, type Dispatcher } from 'undici';

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

/** What TLS uses in place of its defaults; all in PEM. */
export interface TlsFiles {
  /** The certificate by which the server knows this client, with its chain; and its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The authorities that are trusted to sign the server's certificate. */
  readonly ca?: string | undefined;
}

export interface DispatcherOptions {
  /** Scheme, host and port that requests go to. */
  readonly origin: string;
  /** The most connections; more requests than that wait for one. */
  readonly connections: number;
  readonly timeouts: ConnectionTimeouts;
  readonly proxies?: Proxies | undefined;
  readonly tls?: TlsFiles | undefined;
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
  { origin, connections, timeouts, proxies, tls = {} }: DispatcherOptions,
  open: (origin: string | URL, options: Pool.Options) => Dispatcher,
): Dispatcher {
  const timeout = timeouts.connect;
  const options = {
    connections,
    pipelining: 1,
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.body,
  };
  const connect = buildConnector({ timeout, ...definedFields(tls) });
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
    requestTls: { timeout, ...definedFields(tls) },
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

const [carriageReturn, lineFeed, zero, one, two] = [0x0d, 0x0a, 0x30, 0x31, 0x32] as const;
/** Position of the three digits of the status in a status line (`HTTP/1.1 100 Continue`). */
const [hundreds, tens, units] = [9, 10, 11];

/**
 * Connections that ignore an unrequested 100 Continue, as RFC 9110 (15.2) requires. undici ignores every interim
 * answer except this one, for which it destroys the connection and with it the real answer: so it is given a 102
 * instead.
 */
function passOverContinue(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...connected) => {
      const [error, socket] = connected;
      if (error === null) {
        rename(socket);
        keepAlert(socket);
      }
      callback(...connected);
    });
}

/**
 * An alert of TLS, such as that the server wants a certificate of its clients, comes with the end of the connection. undici would
 * tell of the end alone.
 */
function keepAlert(socket: Socket): void {
  let alert: Error | undefined;
  socket.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (/^ERR_SSL_.*ALERT/.test(error.code ?? '')) alert ??= error;
  });
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error) => destroy(error && (alert ?? error));
}

function rename(socket: Socket): void {
  const heads = new InterimHeads();
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  socket.write = (...args: unknown[]): boolean => {
    heads.expect();
    return write(...args);
  };
  socket.read = (size?: number): Buffer | null => {
    const chunk = read(size);
    if (chunk !== null) heads.pass(chunk);
    return chunk;
  };
}

/** Finds the heads of interim answers (1xx) between a request and its answer, wherever they are cut into chunks. */
class InterimHeads {
  #isExpected = false;
  /** Bytes of the current head so far, and how much of its empty last line was seen. */
  #at = 0;
  #ended = 0;
  #is10 = false;

  /** A request is written. */
  expect(): void {
    this.#isExpected = true;
    this.#at = 0;
    this.#ended = 0;
  }

  /** Changes each 100 in the chunk into 102. */
  pass(chunk: Buffer): void {
    for (let index = 0; this.#isExpected && index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (this.#at === 0 && (byte === carriageReturn || byte === lineFeed)) continue;
      if (this.#at === hundreds && byte !== one) this.#isExpected = false;
      if (this.#at === tens) this.#is10 = byte === zero;
      if (this.#at === units && this.#is10 && byte === zero) chunk[index] = two;
      this.#at += 1;
      const wanted = this.#ended % 2 === 0 ? carriageReturn : lineFeed;
      if (byte === wanted) this.#ended += 1;
      else this.#ended = byte === carriageReturn ? 1 : 0;
      if (this.#ended === 4) [this.#at, this.#ended] = [0, 0];
    }
  }
}
