import { httpExchange, type HttpExchange, type WireRequest } from './http-exchange.ts';
import { openConnection, type DispatcherOptions } from './open-dispatcher.ts';

/** Made once. Where a request asks for its connection to be closed, undici makes another each time, with its stack. */
const done = new Error('The request has ended.');

/**
 * Connections for one request each, opened for it and closed after it. A connection that was used before may still
 * hold an answer to an earlier request; the answer to a request that carries no identity would be taken from there.
 */
export class FreshConnections {
  readonly #options: DispatcherOptions;
  readonly #underWay = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** Sends one request, once, as `exchange` does; `not-sent` once `close` was called. */
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

  /** Resolves when all that is under way has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#underWay);
  }

  async #exchange(request: WireRequest): Promise<HttpExchange> {
    const connection = openConnection(this.#options);
    try {
      return await httpExchange(connection, this.#options.origin, request);
    } finally {
      await connection.destroy(done);
    }
  }
}
