import crypto from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

/** What goes wrong with one request. */
export type Fault =
  /** The answer breaks off after so many bytes of its body. */
  | { readonly cutAfter: number }
  /** Another answer, as S3 gives it. */
  | { readonly status: number; readonly code?: string; readonly headers?: Record<string, string> }
  /** Headers that the answer has as well. */
  | { readonly headers: Record<string, string> };

/** A request that arrived. */
export interface StoreRequest {
  readonly method: string;
  /** Bucket and key, or the bucket alone. */
  readonly path: string;
  readonly host: string;
  readonly range: string | undefined;
  readonly ifMatch: string | undefined;
}

/** OpenSSL 3 has no DES, by which the server makes its marks in long lists. Triple DES with one key is the same. */
for (const name of ['createCipheriv', 'createDecipheriv'] as const) {
  const make = crypto[name].bind(crypto) as (cipher: string, key: Buffer, iv: Buffer) => unknown;
  const instead = (cipher: string, key: Buffer, iv: Buffer): unknown =>
    cipher === 'des' ? make('des-ede3-cbc', Buffer.concat([key, key, key]), iv) : make(cipher, key, iv);
  Object.assign(crypto, { [name]: instead });
}

/**
 * s3rver, a server that speaks as S3 does, behind a proxy that adds what it lacks (`If-Match`), counts its requests and spoils
 * them. It has the bucket `night`. `close` it in `afterAll`.
 */
export class S3Store {
  readonly requests: StoreRequest[] = [];
  /** Whether it knows `If-Match`. */
  knowsConditions = true;
  /** Asked for each request; may also act before it is answered. */
  fault: (request: StoreRequest) => Fault | undefined | Promise<Fault | undefined> = () => undefined;
  readonly #server: S3rver;
  readonly #proxy: Server;
  readonly #directory: string;
  readonly #upstream: number;

  private constructor(server: S3rver, directory: string, upstream: number) {
    this.#server = server;
    this.#directory = directory;
    this.#upstream = upstream;
    this.#proxy = createServer((asked, answer) => {
      this.#answer(asked, answer).catch(() => answer.destroy());
    });
  }

  static async start(): Promise<S3Store> {
    const directory = mkdtempSync(join(tmpdir(), 's3-'));
    const server = new S3rver({
      ...{ port: 0, address: '127.0.0.1', silent: true, directory },
      configureBuckets: [{ name: 'night' }],
    });
    const { port } = await server.run();
    const store = new S3Store(server, directory, port);
    store.#proxy.listen(0, '127.0.0.1');
    await once(store.#proxy, 'listening');
    return store;
  }

  get port(): number {
    return (this.#proxy.address() as AddressInfo).port;
  }

  /** What the SDK finds in its environment. */
  get env(): Record<string, string> {
    return {
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${this.port}`,
      AWS_REGION: 'eu-west-2',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_CONFIG_FILE: '/nonexistent',
      AWS_EC2_METADATA_DISABLED: 'true',
    };
  }

  /** Puts objects into the bucket, by their keys. */
  async put(objects: Readonly<Record<string, string | Buffer>>, headers = {}): Promise<void> {
    const putOne = async ([key, bytes]: [string, string | Buffer]): Promise<void> => {
      const answer = await fetch(this.#address(`/night/${key}`), {
        ...{ method: 'PUT', headers, body: new Uint8Array(Buffer.from(bytes)) },
      });
      if (!answer.ok) throw new Error(`${key} was not put: ${answer.status}`);
    };
    await Promise.all(Object.entries(objects).map(putOne));
  }

  /** Forgets requests and faults. */
  reset(): void {
    this.requests.length = 0;
    this.knowsConditions = true;
    this.fault = () => undefined;
  }

  async close(): Promise<void> {
    this.#proxy.closeAllConnections();
    this.#proxy.close();
    await this.#server.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #address(path: string): string {
    return `http://127.0.0.1:${this.#upstream}${encodeURI(path)}`;
  }

  async #answer(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { pathname } = new URL(asked.url ?? '', 'http://store');
    const told: StoreRequest = {
      method: asked.method ?? '',
      path: decodeURIComponent(pathname).slice(1),
      host: asked.headers.host ?? '',
      range: asked.headers.range,
      ifMatch: asked.headers['if-match'],
    };
    this.requests.push(told);
    const fault = await this.fault(told);
    if (fault !== undefined && 'status' in fault) {
      refuse(asked, answer, fault);
      return;
    }
    const { ifMatch } = told;
    if (this.knowsConditions && ifMatch !== undefined && ifMatch !== (await this.#tagOf(pathname))) {
      refuse(asked, answer, { status: 412, code: 'PreconditionFailed' });
      return;
    }
    const upstream = request(
      { ...{ host: '127.0.0.1', port: this.#upstream, path: asked.url, method: asked.method }, headers: asked.headers }, // prettier-ignore
      (given) => {
        const more = fault !== undefined && 'headers' in fault ? fault.headers : {};
        answer.writeHead(given.statusCode ?? 500, { ...given.headers, ...more });
        if (fault === undefined || !('cutAfter' in fault)) {
          given.pipe(answer);
          return;
        }
        let left = fault.cutAfter;
        given.on('data', (block: Buffer) => {
          if (left === 0) return;
          const part = block.subarray(0, left);
          left -= part.length;
          answer.write(part, () => {
            if (left === 0) answer.destroy();
          });
        });
        if (left === 0) answer.destroy();
      },
    );
    upstream.on('error', () => answer.destroy());
    asked.pipe(upstream);
  }

  async #tagOf(path: string): Promise<string | null> {
    const answer = await fetch(`http://127.0.0.1:${this.#upstream}${path}`, { method: 'HEAD' });
    return answer.headers.get('etag');
  }
}

function refuse(
  asked: IncomingMessage,
  answer: ServerResponse,
  { status, code = '', headers = {} }: Extract<Fault, { status: number }>,
): void {
  answer.writeHead(status, { 'content-type': 'application/xml', ...headers });
  answer.end(
    asked.method === 'HEAD' ? '' : `<?xml version="1.0"?><Error><Code>${code}</Code><Message>So said.</Message></Error>`, // prettier-ignore
  );
}
