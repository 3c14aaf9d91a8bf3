import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import type { z } from 'zod';
import { tokenMutation, tokenPath } from '../../src/contract/schemas/token.ts';
import { operatorSchema } from '../../src/platform/operator.ts';
import { startPlatform, type PlatformOptions, type RunningPlatform } from '../../src/platform/platform.ts';
import type { RequestLogEntry } from '../../src/platform/request-log.ts';
import { SteppingClock } from './stepping-clock.ts';

export interface Answered {
  readonly status: number;
  readonly text: string;
  // Tests look into answers as they please.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Rehearsal {
  readonly platform: RunningPlatform;
  readonly clock: SteppingClock;
  readonly stateFile: string;
  readonly log: RequestLogEntry[];
  /** Sends JSON to a path below /v1/data-import, with the token. */
  readonly post: (path: string, body: unknown) => Promise<Answered>;
  readonly get: (path: string) => Promise<Answered>;
  /** The same below /v2/data-import. */
  readonly v2: (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Answered>;
  /** Sends anything. */
  readonly send: (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | Buffer,
  ) => Promise<Answered>;
  readonly token: () => Promise<string>;
  readonly freshToken: () => Promise<string>;
  /** Stops the platform and starts it again on the same state. */
  readonly restart: (operator?: Setup['operator']) => Promise<Rehearsal>;
}

interface Setup extends Partial<
  Pick<PlatformOptions, 'stateFile' | 'random' | 'control' | 'limits' | 'contract' | 'isExtended'>
> {
  readonly operator?: z.input<typeof operatorSchema>;
  readonly clock?: SteppingClock;
}

/** A platform on loopback with its state in a directory of its own, gone with the test. */
export async function rehearse(setup: Setup = {}): Promise<Rehearsal> {
  const clock = setup.clock ?? new SteppingClock();
  const stateFile = setup.stateFile ?? join(freshDirectory(), 'platform.db');
  const log: RequestLogEntry[] = [];
  const platform = await startPlatform({
    stateFile,
    clock,
    operator: operatorSchema.parse(setup.operator ?? {}),
    random: setup.random ?? (() => 0.5),
    control: setup.control ?? false,
    limits: setup.limits ?? {},
    contract: setup.contract,
    isExtended: setup.isExtended ?? false,
    port: 0,
    host: '127.0.0.1',
    log: (entry) => log.push(entry),
  });
  let open = true;
  const close = async (): Promise<void> => {
    if (open) await platform.close();
    open = false;
  };
  onTestFinished(close);

  const send: Rehearsal['send'] = async (method, path, headers, body) => {
    const response = await request(platform.url + path, { method, headers, body: body ?? null });
    const text = await response.body.text();
    const isJson = response.headers['content-type'] === 'application/json';
    return {
      status: response.statusCode,
      text,
      body: isJson ? JSON.parse(text) : undefined,
      headers: response.headers,
    };
  };
  let known: Promise<string> | undefined;
  const token = (): Promise<string> => (known ??= obtainToken(send, platform.apiKey));
  const authorized = async () => ({ authorization: `Token ${await token()}` });
  return {
    platform,
    clock,
    stateFile,
    log,
    send,
    token,
    freshToken: () => obtainToken(send, platform.apiKey),
    post: async (path, body) =>
      send(
        'POST',
        `/v1/data-import/${path}`,
        { 'content-type': 'application/json', ...(await authorized()) },
        JSON.stringify(body),
      ),
    get: async (path) => send('GET', `/v1/data-import/${path}`, await authorized()),
    v2: async (method, path, body) =>
      send(
        method,
        `/v2/data-import/${path}`,
        { 'content-type': 'application/json', ...(await authorized()) },
        body === undefined ? undefined : JSON.stringify(body),
      ),
    restart: async (operator = setup.operator ?? {}) => {
      await close();
      return rehearse({ ...setup, operator, clock, stateFile });
    },
  };
}

async function obtainToken(send: Rehearsal['send'], apiKey: string): Promise<string> {
  const answered = await send(
    'POST',
    tokenPath,
    { 'content-type': 'application/json' },
    JSON.stringify({ query: tokenMutation, variables: { apiKey } }),
  );
  return String(answered.body.data.obtainKrakenToken.token);
}

export function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'platform-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
