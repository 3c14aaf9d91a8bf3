import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { request } from 'undici';
import { project } from '../cli/tool.ts';

/** One request, and what Prism said of it. */
export interface Judged {
  /** Method and path, with the names of the account and its supplier as `*`. */
  readonly endpoint: string;
  readonly status: number;
  /** What Prism found wrong with the request, in its words. */
  readonly violations: string;
  /** The request. */
  readonly path: string;
  readonly body: string;
}

/**
 * The endpoints where Prism accepts the requests that it judged also with a number as the import supplier. There should be none:
 * Prism checks nothing, and does not say so, of a request whose schema it cannot use.
 */
export async function acceptedSpoilt({ prism, judged }: Mock): Promise<string[]> {
  const accepted: string[] = [];
  for (const { endpoint, path, body } of new Map(judged.map((one) => [one.endpoint, one])).values()) {
    const spoilt = body.replace(/("import_supplier(?:_code)?":)"[^"]*"/, (_, name: string) => `${name}7`);
    if (spoilt === body) continue;
    const { statusCode, body: said } = await request(new URL(path, prism), {
      method: 'POST',
      headers: { authorization: 'Token t', 'content-type': 'application/json' },
      body: spoilt,
    });
    await said.dump();
    // 422, or 400 where the contract has such an answer.
    if (statusCode < 400) accepted.push(endpoint);
  }
  return accepted;
}

/** A mock server of a contract, with a record of what it was asked. */
export interface Mock {
  readonly url: string;
  /** Prism without the proxy. */
  readonly prism: string;
  readonly judged: readonly Judged[];
  stop(): Promise<void>;
}

/** Who answers a request that Prism has judged; Prism itself where there is no other. */
export interface Answers {
  /** A platform whose answers are given instead of Prism's, which come from examples. */
  readonly platform?: string;
}

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly violations: string;
  readonly body: Buffer;
}

/**
 * Starts Prism, a public mock server, with this OpenAPI document, behind a proxy that records each request and gives the
 * token, which no published contract describes.
 */
export async function startPrism(file: string, { platform }: Answers = {}): Promise<Mock> {
  const prism = spawn(process.execPath, [project('test/prism/serve-prism.js'), file], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [address] = (await once(createInterface({ input: prism.stdout! }), 'line')) as [string];
  const judged: Judged[] = [];
  const proxy = createServer((asked, answer) => {
    const relay = async (): Promise<void> => {
      const body = Buffer.concat(await asked.toArray());
      if (asked.url === '/v1/graphql/' && platform === undefined) {
        write(answer, token);
        return;
      }
      const verdict = await ask(address, asked, body);
      // Whether anything answers is asked before the first request, and few contracts describe the token.
      const isBeside = asked.method === 'HEAD' || (asked.url === '/v1/graphql/' && verdict.status === 404);
      if (!isBeside)
        judged.push({
          endpoint: `${asked.method ?? ''} ${nameless(asked.url ?? '')}`,
          status: verdict.status,
          violations: verdict.violations,
          path: asked.url ?? '',
          body: body.toString(),
        });
      write(answer, platform === undefined ? verdict : await ask(platform, asked, body));
    };
    // As the platform: without an answer.
    void relay().catch(() => answer.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    prism: address,
    judged,
    async stop() {
      const ended = once(prism, 'exit');
      prism.disconnect();
      await ended;
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

/** The path without the query, and without the names in it. */
function nameless(path: string): string {
  return path.replace(/\?.*/, '').replace(/((?:-status|-processes)\/).*/, '$1*');
}

async function ask(origin: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Reply> {
  const reply = await request(new URL(url ?? '', origin), {
    method: (method ?? 'GET') as 'GET',
    headers: Object.fromEntries(
      ['content-type', 'authorization', 'accept'].flatMap((name) => {
        const value = headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    ),
    body: body.length === 0 ? null : body,
  });
  const given = Buffer.from(await reply.body.arrayBuffer());
  const violations = reply.headers['sl-violations'];
  return {
    status: reply.statusCode,
    type: String(reply.headers['content-type'] ?? ''),
    violations: typeof violations === 'string' ? violations : reply.statusCode >= 400 ? given.toString() : '',
    body: given,
  };
}

function write(answer: ServerResponse, { status, type, body }: Reply): void {
  answer.writeHead(status, type === '' ? {} : { 'content-type': type }).end(body);
}

const token: Reply = {
  status: 200,
  type: 'application/json',
  violations: '',
  body: Buffer.from(
    JSON.stringify({
      data: {
        obtainKrakenToken: {
          token: 'a-token',
          refreshToken: 'r',
          refreshExpiresIn: 4e9,
          payload: { exp: 4e9 },
        },
      },
    }),
  ),
};
