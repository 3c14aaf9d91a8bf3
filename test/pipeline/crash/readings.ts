import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../../../src/domain/json.ts';
import { AccountReader } from '../../../src/read-back/account-reader.ts';
import { shapeOf } from '../../../src/read-back/read-shape.ts';
import { FindByReading } from '../../../src/run/read-back/find-by-reading.ts';
import { HourBudget } from '../../../src/run/read-back/hour-budget.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { json, type HttpReply } from './http.ts';
import { listAt, type Held, type ModelPlatform } from './model-platform.ts';

/** How accounts can be read back, and whether a profile lets absence settle. */
export interface ReadBack {
  /**
   * - `own-writes`: the platform shows at once what it has done
   * - `lagging`: only after a while
   * - `forbidden`: some of it is never shown
   * - `another`: now and then it shows another account
   */
  readonly how: 'own-writes' | 'lagging' | 'forbidden' | 'another';
  readonly absence: 'settles' | 'tells';
  /** Whether what becomes of requests becomes of queries, and of questions for the status, too; it does unless this says no. */
  readonly isDisturbed?: boolean;
}

/** How far a platform is behind that lags, and after which time two readings must agree, in ms. */
const behindMs = 4_000;
const lagMs = 6_000;

/** A schema of its own: everything in one answer, without pages. */
const shape = shapeOf({
  queries: {
    all: {
      text: 'query ($account: String!) { held(id: $account) { id openedAt remarks { text at } entries { day cents kind } bills { id from to issued } contracts { tariff from } mandates { kind vendor reference } } }',
      variables: { account: '{account}' },
      number: 'held.id',
    },
  },
  values: {
    account: { query: 'all', at: 'held', createdAt: 'openedAt' },
    ledgers: null,
    transactions: { query: 'all', at: 'held.entries', date: 'day', amount: 'cents', type: 'kind' },
    notes: { query: 'all', at: 'held.remarks', body: 'text', created: 'at' },
    bills: { query: 'all', at: 'held.bills', identifier: 'id', from: 'from', to: 'to', issued: 'issued' },
    agreements: { query: 'all', at: 'held.contracts', product: 'tariff', from: 'from' },
    paymentInstructions: {
      ...{ query: 'all', at: 'held.mandates' },
      ...{ type: 'kind', vendor: 'vendor', reference: 'reference' },
    },
    metadata: null,
  },
  debits: ['CHARGE'],
});

/** What a run asks by, as `run/` assembles it. */
export function byReading(
  { absence }: ReadBack,
  journal: Pick<Journal, 'readBack'>,
  clock: Clock,
): FindByReading {
  const unused = () => {
    throw new Error('an account is read by the way of its run');
  };
  return new FindByReading({
    reader: new AccountReader({
      shape,
      attempts: { unanswered: 3, throttled: 3 },
      ...{ post: unused, discardToken: unused, pause: unused },
    }),
    path: undefined,
    decimals: 2,
    timeZone: undefined,
    absence,
    lagMs,
    budget: new HourBudget(journal, clock, undefined),
  });
}

/** The answer to a query; `asked` counts them, from 0. */
export function readingReply(
  { how }: ReadBack,
  platform: ModelPlatform,
  body: string,
  { now, asked }: { readonly now: number; readonly asked: number },
): HttpReply {
  const request = parseJson(body);
  const variables = isJsonObject(request) && isJsonObject(request['variables']) ? request['variables'] : {};
  const number = typeof variables['account'] === 'string' ? variables['account'] : '';
  const numbers = [...platform.accounts.values()].flatMap((held) => held.number ?? []);
  const other = numbers.find((one) => one !== number);
  const shown = how === 'another' && asked % 3 === 0 && other !== undefined ? other : number;
  const account = platform.heldAt(shown, how === 'lagging' ? now - behindMs : now);
  if (account === undefined) return json(200, { data: { held: null } });
  const data = { held: { id: shown, ...dataOf(account) } };
  if (how !== 'forbidden') return json(200, { data });
  const hidden = asked % 2 === 0 ? 'contracts' : 'mandates';
  return json(200, {
    data: { held: { ...data.held, [hidden]: null } },
    errors: [{ message: 'No.', path: ['held', hidden], extensions: { errorCode: 'KT-CT-4177' } }],
  });
}

function dataOf({ createdAt, effects }: Held): JsonObject {
  const of = (step: keyof Held['effects']) => effects[step].map((text) => JSON.parse(text) as JsonObject);
  const entry = ({ transaction_date: day = null, amount, type: kind = null }: JsonObject): JsonObject => ({
    ...{ day, kind },
    cents: Math.round(Number(amount) * 100),
  });
  const documents = of('billing-documents');
  const value = (one: JsonObject, name: string): JsonValue => one[name] ?? null;
  const bill = (one: JsonObject, name: string): JsonObject => ({
    id: value(one, name),
    from: value(one, 'bill_period_from_date'),
    to: value(one, 'bill_period_to_date'),
    issued: value(one, 'issued_date'),
  });
  return {
    openedAt: createdAt ?? null,
    remarks: of('notes').map((note) => ({ text: value(note, 'body'), at: value(note, 'created_at') })),
    entries: [
      ...of('transactions').map(entry),
      ...documents.flatMap((one) => listAt(one, 'additional_historical_transactions').map(entry)),
    ],
    bills: [
      ...of('statements').map((one) => bill(one, 'statement_id')),
      ...documents.flatMap((one) =>
        listAt(one, 'historical_billing_documents').map((document) =>
          bill(document, 'billing_document_identifier'),
        ),
      ),
    ],
    contracts: of('agreements').map(({ agreement }) => ({
      tariff: isJsonObject(agreement) ? value(agreement, 'tariff_code') : null,
      from: isJsonObject(agreement) ? value(agreement, 'effective_from') : null,
    })),
    mandates: of('payment-instruction').map((one) => ({
      kind: value(one, 'type'),
      vendor: value(one, 'vendor'),
      reference: value(one, 'reference'),
    })),
  };
}
