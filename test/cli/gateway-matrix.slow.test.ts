// Statuses from 400 to 599 with ten bodies, in the platform's place: at some step of an account each, before or after the effect.
// `MATRIX_EACH=1` plays every status instead of every fourth, and `MATRIX_SHIFT=1` and so on others, and other steps.
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endpoints, type EndpointName } from '../../src/contract/endpoints.ts';
import { generateExport } from '../../src/generate/generate-export.ts';
import { linesOfType } from './endings.ts';
import { contents } from './platform-contents.ts';
import { served, tool, workspace } from './tool.ts';

const html = '<html><body><h1>No</h1></body></html>';
/** The last three are forms in which the interface refuses. */
const bodies = {
  empty: '',
  html,
  kong: '{"message":"no Route matched with those values"}',
  spring: '{"timestamp":"2026-01-01T00:00:00Z","status":400,"error":"Bad Request","path":"/"}',
  text: 'upstream connect error',
  array: '[{"code":"no"}]',
  truncated: '{"detail":"No.","code":"account_fai',
  dotted:
    '{"detail":"No.","code":"account_failed_validation","errors":[{"detail":"No.","code":"invalid","attr":""}]}',
  fields: '{"non_field_errors":["No."]}',
  flat: '{"detail":"No.","code":"no_such_thing","domain":"data_import"}',
} as const;
type Body = keyof typeof bodies;
const own: ReadonlySet<Body> = new Set(['dotted', 'fields', 'flat']);
const shift = Number(process.env['MATRIX_SHIFT'] ?? '0');
const each = Number(process.env['MATRIX_EACH'] ?? '4');
const statuses = Array.from({ length: 200 / each }, (_, at) => 400 + at * each + (shift % each));

interface Answer {
  readonly status: number;
  readonly body: Body;
  readonly when: 'before' | 'after';
  readonly endpoint: EndpointName;
}

/** Section 7 gives this form with this status to this endpoint, so it is a refusal, whoever sends it. */
function isRefusal({ status, body, endpoint }: Answer): boolean {
  const isCreation = endpoint === 'validate' || endpoint === 'stage';
  return own.has(body) && (status === 400 || (status === 404 && !isCreation));
}

/** 401, 403 and 429 say that nothing was done: nobody can see where that is not so. */
function saysNothingDone({ status }: Answer): boolean {
  return status === 401 || status === 403 || status === 429;
}

const space = workspace();
const path = (name: string): string => join(space.directory, name);
const supplier = 'TENTACLE_ENERGY';
const files: Partial<Record<EndpointName, string>> = {
  notes: 'notes',
  transactions: 'transactions',
  agreements: 'historical_agreements',
  billingDocuments: 'historical_billing_documents',
  statements: 'historical_statements',
  paymentInstruction: 'payment_instructions',
};

/** The endpoints that each account has a request for. */
function endpointsOfAccounts(): Map<string, EndpointName[]> {
  const of = new Map<string, EndpointName[]>();
  const accountsIn = (file: string): string[] =>
    readFileSync(path(`export/${file}.ndjson`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => String((JSON.parse(line) as Record<string, unknown>)['external_account_number']));
  for (const account of accountsIn('accounts')) of.set(account, ['validate', 'stage', 'process']);
  for (const [endpoint, file] of Object.entries(files))
    for (const account of new Set(accountsIn(file))) of.get(account)?.push(endpoint as EndpointName);
  return of;
}

/** Gives each account one answer of the matrix. */
function answersOf(of: Map<string, EndpointName[]>): Map<string, Answer> {
  const answers = new Map<string, Answer>();
  const accounts = of.entries();
  for (const [row, status] of statuses.entries())
    for (const [column, body] of (Object.keys(bodies) as Body[]).entries()) {
      const [account = '', theirs = []] = accounts.next().value ?? [];
      const turn = row * 7 + column * 3 + shift;
      const endpoint = theirs[turn % theirs.length] ?? 'validate';
      const answer = { status, body, endpoint, when: turn % 2 === 0 ? 'before' : 'after' } as const;
      const fair = saysNothingDone(answer) ? ({ ...answer, when: 'before' } as const) : answer;
      if (!isRefusal(fair)) answers.set(account, fair);
    }
  return answers;
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** A gateway before the platform, which answers once for each account. */
function gateway(platform: string, answers: Map<string, Answer>): Server {
  return createServer((asked, told) => {
    const pass = async (): Promise<void> => {
      const sent = await bodyOf(asked);
      const { host: _host, 'transfer-encoding': _encoding, ...headers } = asked.headers;
      const answered = async (): Promise<readonly [IncomingMessage, Buffer]> => {
        const onward = httpRequest(new URL(asked.url ?? '/', platform), { method: asked.method, headers });
        onward.end(sent);
        const [message] = (await once(onward, 'response')) as [IncomingMessage];
        return [message, await bodyOf(message)];
      };
      const text = sent.toString();
      const account = /"external_account_number":"([^"]*)"/.exec(text)?.[1] ?? '';
      const answer = answers.get(account);
      const isMeant = answer !== undefined && (asked.url ?? '').startsWith(endpoints[answer.endpoint].path);
      if (!isMeant || asked.method !== 'POST') {
        const [message, body] = await answered();
        told.writeHead(message.statusCode ?? 0, { ...message.headers, 'content-length': body.length });
        told.end(body);
        return;
      }
      answers.delete(account);
      if (answer.when === 'after') await answered();
      const { status, body } = answer;
      const isJson = /^[[{]/.test(bodies[body]);
      const type = body === 'empty' ? {} : { 'content-type': isJson ? 'application/json' : 'text/html' };
      told.writeHead(status, { ...type, 'content-length': Buffer.byteLength(bodies[body]) });
      told.end(bodies[body]);
    };
    pass().catch(() => told.destroy());
  });
}

beforeAll(async () => {
  const accounts = statuses.length * Object.keys(bodies).length;
  await generateExport({ directory: path('export'), accounts, seed: 31, shape: 'interface', supplier });
}, 120_000);
afterAll(() => space.dispose());

const run = (url: string, apiKey: string, journal: string) =>
  tool(['run', 'export', '--yes', '--json', '--quiet'], space.directory, {
    MIGRATE_BASE_URL: url,
    MIGRATE_API_KEY: apiKey,
    MIGRATE_TEAM: 'MIGRATIONS',
    MIGRATE_AGREEMENTS_MAY_REPEAT: 'true',
    MIGRATE_BILLING_REFUSAL_COUNTS_AS_OURS: 'true',
    MIGRATE_PAYMENT_REFUSAL_AFTER500: 'true',
    MIGRATE_PATIENCE_QUIET_PERIOD_MS: '50',
    MIGRATE_PATIENCE_STATUS_POLL_MS: '20',
    MIGRATE_PATIENCE_IN_PROGRESS_MS: '500',
    MIGRATE_RETRY_BASE_MS: '5',
    MIGRATE_RETRY_CAP_MS: '50',
    MIGRATE_JOURNAL: journal,
  });

it('no answer of a gateway from 400 to 599 rejects an account, loses something of it, or brings it twice', async () => {
  const calm = await served(space.directory, '--state', 'calm.db');
  await run(calm.url, calm.apiKey, 'calm.journal');
  await calm.stop();

  const platform = await served(space.directory, '--state', 'gateway.db');
  const answers = answersOf(endpointsOfAccounts());
  const given = new Map(answers);
  const before = gateway(platform.url, answers);
  before.listen(0, '127.0.0.1');
  await once(before, 'listening');
  const { port } = before.address() as AddressInfo;
  const bad: unknown[] = [];
  let exit: number | null = null;
  for (let runs = 0; runs < 3 && exit !== 0; runs += 1) {
    const ended = await run(`http://127.0.0.1:${port}`, platform.apiKey, 'gateway.journal');
    exit = ended.code;
    for (const { account, state, code } of linesOfType(ended.stdout, 'account'))
      if (state === 'rejected' || state === 'skipped' || (runs === 2 && state !== 'completed'))
        bad.push({ account, state, code, ...given.get(String(account)) });
  }
  before.close();
  before.closeAllConnections();
  await platform.stop();
  expect(bad).toEqual([]);
  expect(exit).toBe(0);
  expect(answers.size).toBe(0);
  expect(contents(path('gateway.db'))).toEqual(contents(path('calm.db')));
}, 900_000);
