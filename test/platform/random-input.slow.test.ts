import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endpoints, pathFor, type Endpoint } from '../../src/contract/endpoints.ts';
import { dumpAccounts } from '../../src/platform/dump.ts';
import { rehearse, type Answered, type Rehearsal } from './running-platform.ts';
import { accountPayload, extraPayload, paths, processPayload } from './sample-payloads.ts';

const all = Object.values<Endpoint>(endpoints).map(({ number, method, path }) => ({ number, method, path }));
const posts = all.filter(({ method }) => method === 'POST');
const lists = all.filter(({ method }) => method === 'GET');

/** A payload of every endpoint, to be damaged. */
const samples: Readonly<Record<number, object>> = {
  1: richAccount(),
  2: richAccount(),
  3: processPayload('R'),
  8: extraPayload('R', { notes: [{ body: 'A note.', created_at: '2020-01-01T12:00:00Z', is_pinned: true }] }),
  9: extraPayload('R', {
    transactions: [{ transaction_id: 'T', transaction_date: '2024-06-01', amount: '1.00', type: 'CHARGE' }],
  }),
  10: extraPayload('R', { agreement: { effective_from: '2020-01-01', tariff_code: 'T' } }),
  11: extraPayload('R', {
    ledger_code: 'ENERGY',
    billing_document_type: 'ITEM_BASED',
    historical_billing_documents: [
      { billing_document_identifier: 'B', billing_document_type: 'ITEM_BASED', issued_date: '2023-01-01' },
    ],
  }),
  12: extraPayload('R', {
    statements: [
      { statement_id: 'S', bill_period_from_date: '2023-01-01', bill_period_to_date: '2023-02-01' },
    ],
  }),
  13: extraPayload('R', { vendor: 'V', reference: 'R', type: 'CARD' }),
};

function richAccount(): object {
  return accountPayload('R', {
    ledgers: [{ ledger_code: 'ENERGY', ledger_balance: 1.5, last_statement_closing_date: '2024-01-01' }],
    metadata: [{ key: 'k', value: { any: [1, 'x', null] } }],
    transfer_balance: '1.50',
  });
}

const anyText = fc.string({ unit: 'binary', maxLength: 40 });
const oddValue = fc.oneof(
  anyText,
  fc.double(),
  fc.bigInt().map((value) => Number(value)),
  fc.constantFrom(
    null,
    true,
    [],
    {},
    [[]],
    { __proto__: null, a: 1 },
    '',
    '\u0000',
    '\ud800',
    'x'.repeat(5000),
  ),
  fc.json({ maxDepth: 3 }).map((text): unknown => JSON.parse(text)),
);

/** Puts a value at one random place of a payload, under a known key or a strange one. */
function damaged(payload: object, steps: readonly number[], value: unknown, key: string | undefined): object {
  const copy = structuredClone(payload);
  let at = copy as Record<string, unknown>;
  for (const step of steps) {
    const inner = Object.keys(at).filter((name) => typeof at[name] === 'object' && at[name] !== null);
    if (inner.length === 0) break;
    at = at[inner[step % inner.length]!] as Record<string, unknown>;
  }
  const names = Object.keys(at);
  const known = names[(steps[0] ?? 0) % Math.max(names.length, 1)] ?? '0';
  const name = Array.isArray(at) ? known : (key ?? known);
  Object.defineProperty(at, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** An answer of the interface: a status it knows, and a body that is JSON or empty. */
function expectSane({ status, text, body, headers }: Answered): void {
  expect([200, 201, 400, 404, 405, 413, 415, 431]).toContain(status);
  expect(headers['x-platform-id']).toBeDefined();
  if (text !== '') expect(body).toBeDefined();
  if (status >= 400) expect(Object.keys(body as object)).not.toHaveLength(0);
}

async function staged(rehearsal: Rehearsal): Promise<Rehearsal> {
  await rehearsal.post(paths.stage, richAccount());
  await rehearsal.post(paths.process, processPayload('R'));
  return rehearsal;
}

test.each(['dotted', 'fields'] as const)(
  'thousands of damaged payloads get an answer in the dialect %s, and what is refused leaves no trace',
  async (dialect) => {
    const rehearsal = await staged(await rehearse({ operator: { dialect } }));
    const seen = { refused: 0, taken: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...posts),
        fc.array(fc.nat(20), { maxLength: 4 }),
        oddValue,
        fc.option(fc.oneof(anyText, fc.constantFrom('__proto__', 'constructor', 'toString', 'customers')), {
          nil: undefined,
        }),
        async (endpoint, steps, value, key) => {
          const payload = damaged(samples[endpoint.number]!, steps, value, key);
          const answered = await rehearsal.post(endpoint.path.replace('/v1/data-import/', ''), payload);
          expectSane(answered);
          seen[answered.status >= 400 ? 'refused' : 'taken'] += 1;
        },
      ),
      { numRuns: 1500, endOnFailure: true },
    );
    expect(seen.refused).toBeGreaterThan(500);
    for (const account of dumpAccounts(rehearsal.stateFile)) {
      expect(account.account.length).toBeLessThanOrEqual(128);
      expect(account.supplier).toBe('TENTACLE_ENERGY');
    }
  },
);

test('thousands of bodies of random text and random bytes are refused', async () => {
  const rehearsal = await rehearse();
  const headers = { 'content-type': 'application/json', authorization: `Token ${await rehearsal.token()}` };
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(text)),
    fc.tuple(fc.nat(400), fc.nat(255)).map(([at, byte]) => {
      const bytes = Buffer.from(JSON.stringify(richAccount()));
      bytes[at % bytes.length] = byte;
      return bytes;
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...posts), body, async ({ path }, bytes) => {
      expectSane(await rehearsal.send('POST', path, headers, bytes));
    }),
    { numRuns: 1500, endOnFailure: true },
  );
  expect((await rehearsal.post(paths.validate, richAccount())).status).toBe(200);
});

test('thousands of random paths find an endpoint or nothing, and any account number is found again', async () => {
  const rehearsal = await rehearse();
  const { send, post, get } = rehearsal;
  const authorization = `Token ${await rehearsal.token()}`;
  const pathText = fc
    .string({ unit: 'binary-ascii', maxLength: 60 })
    .map((text) => text.replace(/[^\x21-\x7e]/g, '%').replace(/[#?]/g, '/'));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'DELETE'),
      fc.constantFrom('/', '/v1/', '/v1/data-import/', ...lists.map(({ path }) => path.split('{')[0]!)),
      pathText,
      async (method, start, rest) => {
        expectSane(await send(method, start + rest, { authorization, 'content-type': 'application/json' }));
      },
    ),
    { numRuns: 1000, endOnFailure: true },
  );
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), async (text) => {
      const account = text.normalize();
      // Every client normalises these two segments away.
      fc.pre(account.trim() !== '' && account !== '.' && account !== '..' && account.length <= 128);
      expect([200, 201]).toContain((await post(paths.stage, accountPayload(account))).status);
      const path = pathFor(endpoints.transferStatus, 'TENTACLE_ENERGY', account).replace(
        '/v1/data-import/',
        '',
      );
      expect((await get(path)).status).toBe(200);
    }),
    { numRuns: 300, endOnFailure: true },
  );
});
