import { request } from 'undici';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Clock } from '../../../src/domain/clock.ts';
import { pathFor, endpoints, type EndpointName } from '../../../src/contract/endpoints.ts';
import { tokenMutation, tokenPath } from '../../../src/contract/schemas/token.ts';
import { operatorSchema } from '../../../src/platform/operator.ts';
import { openapiDocument } from '../../../src/platform/openapi/document.ts';
import { AnswerCheck } from '../answer-check.ts';
import { startPlatform, type RunningPlatform } from '../../../src/platform/platform.ts';

export type Json = Record<string, unknown>;

export interface Answered {
  readonly status: number;
  readonly text: string;
  // Tests look into answers as they please.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export const supplier = 'TENTACLE_ENERGY';
export const paymentReference = 'card-000001';
export const vendor = 'EXAMPLE_PAY';

/** Every answer is held to the document that the platform serves. */
const own = new AnswerCheck(openapiDocument());

/** An embedded platform, asked by single requests. */
export class Target {
  url = '';
  #token = '';
  #platform: RunningPlatform | undefined;

  async start(operator: Json, clock: Clock): Promise<void> {
    this.#platform = await startPlatform({
      stateFile: ':memory:',
      operator: operatorSchema.parse(operator),
      clock,
      random: Math.random,
      port: 0,
      host: '127.0.0.1',
      log: () => undefined,
    });
    this.url = this.#platform.url;
    const { body } = await this.askForToken(this.#platform.apiKey);
    this.#token = String(body.data?.obtainKrakenToken?.token);
  }

  async stop(): Promise<void> {
    await this.#platform?.close();
  }

  async post(endpoint: EndpointName, body: unknown, query = ''): Promise<Answered> {
    return this.send('POST', endpoints[endpoint].path + query, JSON.stringify(body));
  }

  async get(endpoint: EndpointName, account = '', of = supplier): Promise<Answered> {
    return this.send('GET', pathFor(endpoints[endpoint], of, account));
  }

  /** `token` undefined: the good one; null: none. */
  async send(method: 'GET' | 'POST', path: string, body?: string, token?: string | null): Promise<Answered> {
    const response = await request(this.url + path, {
      method,
      body: body ?? null,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === null ? {} : { authorization: token ?? `Token ${this.#token}` }),
      },
    });
    const text = await response.body.text();
    const answered = { status: response.statusCode, text, body: parsed(text) };
    expect(own.errors(method, path, answered)).toEqual([]);
    return answered;
  }

  async askForToken(key: string): Promise<Answered> {
    return this.send(
      'POST',
      tokenPath,
      JSON.stringify({ query: tokenMutation, variables: { apiKey: key } }),
      null,
    );
  }
}

const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** A platform for the tests of one file, as the operator has it, and by the clock given. */
export function target(operator: Json = {}, clock = systemClock): Target {
  const made = new Target();
  beforeAll(() => made.start(operator, clock));
  afterAll(() => made.stop());
  return made;
}

let accounts = 0;

/** An external account number that no test has used before. */
export function freshAccount(): string {
  return `CONF-${++accounts}`;
}

const template: Json = {
  account_type: 'DOMESTIC',
  billing_address: {
    street_address: '1 Test Street',
    locality: 'Sampleton',
    administrative_area: 'Shire',
    postal_code: 'SW1A 1AA',
    country: 'GB',
  },
  communication_preference: 'ONLINE',
  customers: [{ given_name: 'Sample', family_name: 'Person', email: 'sample@example.com' }],
  sales_channel: 'EVENTS',
  sales_subchannel: 'MIGRATION',
  unknown_occupier: false,
};

/** An account payload (2.3) that the platform accepts. */
export function accountPayload(account: string, more: Json = {}): Json {
  return { ...template, import_supplier: supplier, external_account_number: account, ...more };
}

/** A create-account payload (2.4). */
export function createPayload(account: string, more: Json = {}): Json {
  return {
    import_supplier_code: supplier,
    external_account_number: account,
    operations_team_name: 'MIGRATIONS',
    ...more,
  };
}

/** The payload of an endpoint that adds to an account (2.7 to 2.11). */
export function extraPayload(account: string, more: Json): Json {
  return { import_supplier: supplier, external_account_number: account, ...more };
}

/** A new account, staged and created; gives its external number. */
export async function importedAccount(at: Target, more: Json = {}): Promise<string> {
  const account = freshAccount();
  await at.post('stage', accountPayload(account, more));
  const created = await at.post('process', createPayload(account));
  if (created.status !== 201)
    throw new Error(`The account was not created: ${created.status} ${created.text}`);
  return account;
}

/** A day before today by so many, as YYYY-MM-DD. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
