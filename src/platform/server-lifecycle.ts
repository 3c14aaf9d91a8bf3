import { once, setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import type { Clock } from '../domain/clock.ts';

/** A server that can go away and come back on the same port. */
export interface ServerLifecycle {
  /** Aborted when the server goes away. */
  readonly closing: () => AbortSignal;
  /** The port in use. Rejects with the socket's error. */
  readonly begin: () => Promise<number>;
  readonly restart: (downMs: number) => void;
  /** Listens again after this many milliseconds; open connections stay. */
  readonly refuseConnections: (forMs: number) => void;
  readonly end: () => Promise<void>;
}

/** `forget` drops what a process would lose when it ends. */
export function createLifecycle(
  makeServer: () => Server,
  host: string,
  port: number,
  clock: Clock,
  forget: () => void,
): ServerLifecycle {
  let server = makeServer();
  let used = port;
  let current = unboundedController();
  const ended = new AbortController();

  const begin = async (): Promise<number> => {
    server.listen(used, host);
    await once(server, 'listening');
    used = (server.address() as AddressInfo).port;
    return used;
  };
  const goAway = async (): Promise<void> => {
    current.abort(new Error('The platform went away.'));
    if (!server.listening) {
      // While it refuses connections, those that are open are left.
      server.closeAllConnections();
      return;
    }
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const refuse = async (forMs: number): Promise<void> => {
    const [its, { signal }] = [server, current];
    // That of an HTTP server would close idle connections too.
    NetServer.prototype.close.call(its);
    await clock.sleep(forMs, AbortSignal.any([signal, ended.signal]));
    if (!signal.aborted && its === server) await begin();
  };
  const comeBack = async (downMs: number): Promise<void> => {
    await goAway();
    await clock.sleep(downMs, ended.signal);
    forget();
    current = unboundedController();
    server = makeServer();
    await begin();
  };
  let change: Promise<unknown> = Promise.resolve();
  return {
    closing: () => current.signal,
    begin,
    restart: (downMs) => {
      // Its failure ends the wait: the platform was closed in the meantime.
      if (!current.signal.aborted) change = comeBack(downMs).catch(() => undefined);
    },
    refuseConnections: (forMs) => {
      if (server.listening) change = refuse(forMs).catch(() => undefined);
    },
    end: async () => {
      ended.abort(new Error('The platform is closed.'));
      await change;
      await goAway();
    },
  };
}

/** Every request that waits listens to it. */
function unboundedController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
