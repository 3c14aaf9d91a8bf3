import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Between a client and a server: cuts connections, and swallows the answer to a commit, or everything. */
export class FaultyNetwork {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** How many answers to COMMIT will be lost, each with its connection. */
  commitsToLose = 0;
  /** How many requests to COMMIT will not arrive. */
  commitsToStop = 0;
  /** Whether it swallows everything, and closes nothing. */
  isSilent = false;
  /** Called with each request that holds this text, before it is passed on. */
  #on: { readonly text: string; readonly hear: () => void } | undefined;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async before(port: number): Promise<FaultyNetwork> {
    const server = createServer();
    const network = new FaultyNetwork(server);
    server.on('connection', (client) => network.#carry(client, port));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return network;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Cuts the connection at the next request that holds this text, which does not arrive. */
  cutAt(text: string): Promise<void> {
    return new Promise((resolve) => (this.#on = { text, hear: resolve }));
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, 'close');
  }

  #carry(client: Socket, port: number): void {
    const server = connect(port, '127.0.0.1');
    const both = [client, server];
    let isAnswerLost = false;
    const end = (): void => both.forEach((socket) => socket.destroy());
    for (const socket of both) {
      this.#sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    client.on('data', (data) => {
      if (this.isSilent) return;
      if (this.#on !== undefined && data.includes(this.#on.text)) {
        this.#on.hear();
        this.#on = undefined;
        end();
        return;
      }
      if (data.includes('COMMIT') && this.commitsToStop > 0) {
        this.commitsToStop -= 1;
        end();
        return;
      }
      if (data.includes('COMMIT') && this.commitsToLose > 0) {
        this.commitsToLose -= 1;
        isAnswerLost = true;
      }
      server.write(data);
    });
    server.on('data', (data) => {
      if (this.isSilent) return;
      if (isAnswerLost) end();
      else client.write(data);
    });
  }
}
