import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import type { z } from 'zod';
import { readTenancyContract } from '../../src/contract/tenancy/tenancy-contract.ts';
import { withPublished, type AddedStep } from '../../src/domain/added-step.ts';
import { operatorSchema } from '../../src/platform/operator.ts';
import { startPlatform } from '../../src/platform/platform.ts';

export type Json = Record<string, unknown>;

/** One exchange on its way through. */
export interface Passing {
  readonly method: string;
  /** Path and query, as the platform gets it. */
  path: string;
  readonly headers: Record<string, string>;
  /** JSON of the request. */
  readonly body: Json;
  /** Status 0 until the platform was asked. */
  readonly answer: { status: number; body: unknown };
  /** Sends something else to the platform. */
  readonly ask: (path: string, body: Json) => Promise<Passing['answer']>;
}

/** What is done otherwise than the embedded platform does it: to its request, or to its answer. */
export interface Change {
  readonly before?: (passing: Passing) => void;
  readonly after?: (passing: Passing) => void | Promise<void>;
}

export interface ChangedPlatform {
  readonly url: string;
  readonly apiKey: string;
}

/** An embedded platform whose requests and answers are changed on their way, gone with the test. */
export async function changedPlatform(
  change: Change = {},
  operator: z.input<typeof operatorSchema> = {},
  contract?: string,
  added: readonly AddedStep[] = [],
): Promise<ChangedPlatform> {
  const platform = await startPlatform({
    stateFile: ':memory:',
    operator: operatorSchema.parse(operator),
    added,
    ...(contract === undefined ? {} : { contract: readTenancyContract(contract, { paths: pathsOf(added) }) }),
    clock: {
      now: () => Date.now(),
      monotonic: () => performance.now(),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    },
    random: Math.random,
    port: 0,
    host: '127.0.0.1',
    log: () => undefined,
  });
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const passing = await read(incoming, platform.url);
      change.before?.(passing);
      Object.assign(passing.answer, await ask(platform.url, passing));
      await change.after?.(passing);
      const { status, body } = passing.answer;
      const isPage = typeof body === 'string';
      outgoing.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json' });
      outgoing.end(isPage ? body : body === undefined ? '' : JSON.stringify(body));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await platform.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: platform.apiKey };
}

function pathsOf(added: readonly AddedStep[]): readonly string[] {
  return withPublished(added).flatMap(({ path, check }) => [path, ...(check === undefined ? [] : [check])]);
}

async function read(incoming: IncomingMessage, url: string): Promise<Passing> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const { authorization } = incoming.headers;
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  return {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers,
    body: text === '' ? {} : (JSON.parse(text) as Json),
    answer: { status: 0, body: undefined },
    ask: (path, body) => ask(url, { method: 'POST', path, headers, body }),
  };
}

async function ask(
  url: string,
  { method, path, headers, body }: Pick<Passing, 'method' | 'path' | 'headers' | 'body'>,
): Promise<Passing['answer']> {
  const response = await request(url + path, {
    method: method === 'POST' ? 'POST' : 'GET',
    headers: { ...headers, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
    body: method === 'POST' ? JSON.stringify(body) : null,
  });
  const text = await response.body.text();
  return { status: response.statusCode, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}
