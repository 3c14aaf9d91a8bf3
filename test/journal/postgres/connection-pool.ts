import pg from 'pg';

/** Connections to one database that are used again: making one costs more than most of what is done with it. */
export class ConnectionPool {
  #idle: pg.Client[] = [];
  readonly #all = new Set<pg.Client>();
  readonly #host: string;

  /** `host`: where the server is, or the directory of its Unix socket, which is the quickest way to it. */
  constructor(host: string) {
    this.#host = host;
  }

  /** A connection as it is after it was made, but for the statements that the server has prepared. */
  readonly connect = async (config: pg.ClientConfig): Promise<pg.Client> => {
    const client = this.#idle.pop() ?? (await this.#make(config));
    client.end = async () => {
      client.removeAllListeners('error');
      client.removeAllListeners('end');
      const forget = (): void => {
        this.#all.delete(client);
        this.#idle = this.#idle.filter((other) => other !== client);
      };
      client.on('error', forget);
      client.on('end', forget);
      await client.query('ROLLBACK; RESET ALL');
      if (this.#all.has(client)) this.#idle.push(client);
    };
    return client;
  };

  async #make(config: pg.ClientConfig): Promise<pg.Client> {
    const client = new pg.Client({ ...config, host: this.#host, ssl: false });
    await client.connect();
    this.#all.add(client);
    return client;
  }

  /** The server has ended the idle connections. */
  forgetIdle(): void {
    for (const client of this.#idle) this.#all.delete(client);
    this.#idle = [];
  }

  async close(): Promise<void> {
    this.#idle = [];
    await Promise.all(
      [...this.#all].map(
        (client) =>
          new Promise<void>((resolve) => {
            pg.Client.prototype.end.call(client, () => resolve());
          }),
      ),
    );
  }
}
