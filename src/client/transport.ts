import { httpExchange, type HttpExchange, type ExchangeTarget, type WireRequest } from './http-exchange.ts';
import { openConnection, openDispatcher, type DispatcherOptions } from './open-dispatcher.ts';

/** Carries requests to one platform, and their answers. */
export interface Transport {
  /** Sends one request, once, as `exchange` does; `fresh`: over a separate connection. */
  exchange(request: WireRequest, fresh: boolean): Promise<HttpExchange>;
  /** Ends all requests under way. */
  close(): Promise<void>;
}

/** How a platform is reached. */
export type TransportOptions = DispatcherOptions & ExchangeTarget;

/** The network. */
export function openTransport(options: TransportOptions): Transport {
  const dispatcher = openDispatcher(options);
  const freshConnections = new FreshConnections(options);
  return {
    exchange: (request, fresh) =>
      fresh ? freshConnections.exchange(request) : httpExchange(dispatcher, options, request),
    close: async () => {
      await Promise.all([dispatcher.destroy(), freshConnections.close()]);
    },
  };
}

/**
 * Created once: for a request that asks for its connection to be closed, undici creates another error with a stack
 * each time.
 */
const done = new Error('The request has ended.');

/**
 * Connections for one request each, opened for it and closed after it. A used connection may still contain an answer
 * to an earlier request, which would be taken as the answer to a request without identity.
 */
class FreshConnections {
  readonly #options: TransportOptions;
  readonly #underWay = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** Sends one request, once, as `exchange` does; `not-sent` after `close` was called. */
  async exchange(request: WireRequest): Promise<HttpExchange> {
    if (this.#isClosed) return { kind: 'not-sent', cause: 'closed' };
    const exchanged = this.#exchange(request);
    this.#underWay.add(exchanged);
    try {
      return await exchanged;
    } finally {
      this.#underWay.delete(exchanged);
    }
  }

  /** Resolves when all requests under way have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#underWay);
  }

  async #exchange(request: WireRequest): Promise<HttpExchange> {
    const connection = openConnection(this.#options);
    try {
      return await httpExchange(connection, this.#options, request);
    } finally {
      await connection.destroy(done);
    }
  }
}
