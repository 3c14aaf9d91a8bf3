import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from './loopback.ts';

export interface TunnelProxy {
  readonly url: string;
  /** What tunnels were asked for: the target, and the user that asked. */
  readonly asked: { readonly target: string; readonly authorization: string | undefined }[];
  /** Closes every tunnel. */
  cut(): void;
}

/** A proxy whose every tunnel leads to one port of this machine, whatever was asked for; or which answers `status`. */
export async function tunnelProxy(port: number, status = 200): Promise<TunnelProxy> {
  const asked: TunnelProxy['asked'] = [];
  const sockets = new Set<Socket>();
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  const server = createServer();
  server.on('connect', (request, socket: Socket) => {
    asked.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    sockets.add(socket.on('error', () => undefined));
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    sockets.add(target.on('error', () => socket.destroy()));
  });
  onTestFinished(cut);
  return { url: `http://127.0.0.1:${await listen(server)}`, asked, cut };
}
