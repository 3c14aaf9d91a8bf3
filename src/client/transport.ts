import { httpExchange, type HttpExchange, type WireRequest } from './http-exchange.ts';
import { FreshConnections } from './fresh-connections.ts';
import { openDispatcher, type DispatcherOptions } from './open-dispatcher.ts';

/** Carries requests to one platform, and their answers. */
export interface Transport {
  /** Sends one request, once, as `exchange` does; `fresh`: over a separate connection. */
  exchange(request: WireRequest, fresh: boolean): Promise<HttpExchange>;
  /** Ends all requests under way. */
  close(): Promise<void>;
}

/** The network. */
export function openTransport(options: DispatcherOptions): Transport {
  const dispatcher = openDispatcher(options);
  const freshConnections = new FreshConnections(options);
  return {
    exchange: (request, fresh) =>
      fresh ? freshConnections.exchange(request) : httpExchange(dispatcher, options.origin, request),
    close: async () => {
      await Promise.all([dispatcher.destroy(), freshConnections.close()]);
    },
  };
}
