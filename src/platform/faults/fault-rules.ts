import { z } from 'zod';
import { knownEndpoints, type KnownEndpointName } from '../../contract/endpoints.ts';
import { addedEndpoints } from '../http/added-places.ts';

const milliseconds = z.int().min(0).max(3_600_000);
const names = [
  'token',
  'graphql',
  ...addedEndpoints,
  ...(Object.keys(knownEndpoints) as KnownEndpointName[]),
] as const;

/** When a fault applies: to some of the matching requests by chance, or to these. */
const occasion = {
  /** Endpoints by their names in the contract's table, `token` and `graphql`; absent: all of them. */
  on: z.array(z.enum(names)).optional(),
  /** External account numbers; absent: all of them. */
  accounts: z.array(z.string()).optional(),
  /** Share of the requests, from 0 to 1, drawn from the seed, the endpoint and the account. */
  rate: z.number().min(0).max(1).optional(),
  /** Which of the requests that it looks at, counted from 1. */
  at: z.array(z.int().min(1)).optional(),
};

/** What a proxy's page says: HTML, `{"queued":true}`, `{"status":"error"}`, or nothing. */
const pageBodies = ['html', 'queued', 'error', 'empty'] as const;
export type PageBody = (typeof pageBodies)[number];

/** JSON that a gateway, a firewall or a framework writes, and the platform never. */
export const gatewayBodies = ['spring', 'kong', 'code', 'error', 'errors', 'problem', 'detail'] as const;
export type GatewayBody = (typeof gatewayBodies)[number];

/** Before the request is worked on, or after its effect is committed. */
const when = z.enum(['before', 'after']);

const kinds = [
  /** Answers late: `ms` in the middle, one in a hundred later than `tailMs`. */
  z.strictObject({
    kind: z.literal('latency'),
    ...occasion,
    ms: milliseconds,
    tailMs: milliseconds.optional(),
  }),
  /** Closes the connection instead of answering; `after` is a lost answer. */
  z.strictObject({ kind: z.literal('reset'), ...occasion, when: when.default('before') }),
  /** Never answers. */
  z.strictObject({ kind: z.literal('hang'), ...occasion, when: when.default('before') }),
  /** A page of HTML instead of an answer. */
  z.strictObject({
    kind: z.literal('html'),
    ...occasion,
    status: z.literal([500, 502, 503]).default(502),
    when: when.default('before'),
  }),
  /** A page from a proxy instead of an answer, with a status of success or of failure. */
  z.strictObject({
    kind: z.literal('page'),
    ...occasion,
    status: z.int().min(200).max(599).default(200),
    /** Absent: `queued` with status 202, `html` with others. Statuses 204 and 304 have no body. */
    body: z.enum(pageBodies).optional(),
    when: when.default('before'),
  }),
  /** A maintenance page with status 200 to every request for a while, from the first one that it applies to. */
  z.strictObject({ kind: z.literal('page_200_for'), ...occasion, forMs: milliseconds.default(1000) }),
  /** No new connection is accepted for a while, from the first request that it applies to; open ones are answered. */
  z.strictObject({ kind: z.literal('new_connections_fail'), ...occasion, forMs: milliseconds.default(5000) }),
  /** JSON from a gateway instead of an answer. */
  z.strictObject({
    kind: z.literal('gateway_json'),
    ...occasion,
    status: z.int().min(400).max(599).default(409),
    body: z.enum(gatewayBodies).default('kong'),
    when: when.default('before'),
  }),
  /** A server that is behind the others: for a while it knows neither what was just staged nor what was just created. */
  z.strictObject({ kind: z.literal('lag'), ...occasion, ms: milliseconds.default(500) }),
  /** 401 to every request for a while after a token was issued: its servers do not know the token yet. */
  z.strictObject({ kind: z.literal('token_lag'), on: occasion.on, ms: milliseconds.default(500) }),
  /** 403 to the requests about these accounts. */
  z.strictObject({ kind: z.literal('deny_one'), ...occasion, accounts: z.array(z.string()) }),
  /** 403 from these endpoints, to everybody. */
  z.strictObject({ kind: z.literal('deny_step'), ...occasion, on: z.array(z.enum(names)) }),
  /** The latest answer of the endpoint to another account's request. While there is none, nothing happens. */
  z.strictObject({ kind: z.literal('astray'), ...occasion, when: when.default('before') }),
  /** Sends the answer a second time on the same connection, when the next request has arrived there. */
  z.strictObject({ kind: z.literal('double_answer'), ...occasion }),
  /** Closes the connection, or answers with a gateway's page of HTML; the effect comes `afterMs` later. */
  z.strictObject({
    kind: z.literal('late_effect'),
    ...occasion,
    /** Absent: the connection is closed. */
    status: z.literal([500, 502, 503, 504]).optional(),
    afterMs: milliseconds.default(5000),
  }),
  /** A gateway's page of HTML, after the effect is committed. */
  z.strictObject({
    kind: z.literal('gateway_after'),
    ...occasion,
    status: z.literal([502, 504]).default(502),
  }),
  /** The answer, its effect committed, comes one byte every `everyMs`, its head at once or dripping too. */
  z.strictObject({
    kind: z.literal('drip'),
    ...occasion,
    everyMs: milliseconds.min(1).default(1000),
    from: z.enum(['head', 'body']).default('body'),
    /** The part that drips never ends: blanks follow the body, and a header of the head grows. */
    endless: z.boolean().default(false),
  }),
  /** Unrequested interim answers before the answer or, endless, instead of it; the effect is committed. */
  z.strictObject({
    kind: z.literal('interim'),
    ...occasion,
    status: z.literal([100, 102, 103]).default(103),
    times: z.int().min(1).max(1000).default(1),
    endless: z.boolean().default(false),
    /** Time between two of them. */
    everyMs: milliseconds.min(1).default(1000),
  }),
  /** The answer, its effect committed, breaks off half-way. */
  z.strictObject({ kind: z.literal('truncated'), ...occasion }),
  /** The answer, its effect committed, is whole and not JSON. */
  z.strictObject({ kind: z.literal('malformed'), ...occasion }),
  /** 429. */
  z.strictObject({
    kind: z.literal('throttle'),
    ...occasion,
    retryAfterSeconds: z.int().min(0).optional(),
  }),
  /** 429 to every request beyond a number in a period. */
  z.strictObject({
    kind: z.literal('burst'),
    on: occasion.on,
    requests: z.int().min(1),
    perMs: z.int().min(1).max(3_600_000),
    retryAfterSeconds: z.int().min(0).optional(),
  }),
  /** Ends every token; the request that meets it is answered 401. */
  z.strictObject({ kind: z.literal('expire-tokens'), ...occasion }),
  /** Pauses the supplier of the request, before it is worked on; for good, or for a while. */
  z.strictObject({ kind: z.literal('pause-supplier'), ...occasion, forMs: milliseconds.optional() }),
  /** What is read back is this many ms behind: what was added to an account since is not there. */
  z.strictObject({ kind: z.literal('read_lag'), ...occasion, ms: milliseconds.default(5000) }),
  /** These fields fail, and the rest is answered. */
  z.strictObject({
    kind: z.literal('read_partial'),
    ...occasion,
    fields: z.array(z.string()).default(['AccountType.transactions']),
  }),
  /** The token may not read these fields (KT-CT-4177). */
  z.strictObject({
    kind: z.literal('read_forbidden'),
    ...occasion,
    fields: z.array(z.string()).default(['AccountType.notes']),
  }),
  /** Another account is answered. */
  z.strictObject({ kind: z.literal('read_wrong_account'), ...occasion }),
  /** Holds what a step's request added twice; only reading back shows it. */
  z.strictObject({ kind: z.literal('hidden_double'), ...occasion }),
  /** The platform goes away, its open connections with it, and comes back after a while. */
  z.strictObject({ kind: z.literal('restart'), ...occasion, downMs: milliseconds.default(1000) }),
] as const;

/** Faults on demand; the same requests with the same seed meet the same faults, in any order. */
export const faultsSchema = z
  .strictObject({
    /** Absent: another one at every start. */
    seed: z.int().min(0).optional(),
    rules: z
      .array(
        z.discriminatedUnion('kind', kinds, {
          error: `Unknown kind of fault. The kinds are ${kinds.map(({ shape }) => shape.kind.value).join(', ')}.`,
        }),
      )
      .default([]),
  })
  .prefault({});

export type FaultRule = z.output<typeof faultsSchema>['rules'][number];
