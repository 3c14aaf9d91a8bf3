import type { JsonObject } from '../domain/json.ts';
import type { TimeUnit } from './read-times.ts';

/** A query that reads a part of an account. */
export interface ReadQuery {
  /** A document with one query. */
  readonly text: string;
  /** `{account}`, `{first}` and `{after}` in them become the account's number, the size of a page and the cursor. */
  readonly variables: JsonObject;
  /** Path of the account's number in the answer's data: an answer about another account is not believed. */
  readonly number: string;
}

/** The values of each part of an account, by their names in a profile. */
export const partValues = {
  account: ['balance', 'createdAt'],
  ledgers: ['number', 'code', 'balance'],
  transactions: ['id', 'date', 'amount', 'type', 'reason', 'reference', 'note', 'document'],
  notes: ['body', 'created', 'pinned'],
  bills: ['identifier', 'from', 'to', 'issued', 'amount'],
  agreements: ['product', 'from', 'to', 'meterPoint'],
  paymentInstructions: ['type', 'vendor', 'reference'],
  metadata: ['key', 'value'],
} as const;

export type PartName = keyof typeof partValues;
export const partNames = Object.keys(partValues) as readonly PartName[];

/** Where a part lies in the answer of a query, and each of its values in an element of it. */
export interface PartPlace {
  readonly query: string;
  /** Dotted path in the answer's data. Lists and connections on the way are followed. */
  readonly at: string;
  /** Path of the next page's cursor in the answer's data, where it is in no `pageInfo`. */
  readonly next?: string | undefined;
  /** Dotted paths; a value without one is not readable. */
  readonly values: Readonly<Record<string, string | undefined>>;
}

/** Charges and refunds subtract from a balance. */
export type TransactionKind = 'charge' | 'credit' | 'payment' | 'refund';

/** How accounts are read back, from a profile. */
export interface ReadShape {
  readonly queries: Readonly<Record<string, ReadQuery>>;
  /** A part without a place is not readable. */
  readonly parts: Readonly<Partial<Record<PartName, PartPlace>>>;
  /** Decimal places of the currency's minor unit: 2, or 0 for yen. */
  readonly decimals: number;
  /** Whether amounts are whole minor units, or decimals of the currency. */
  readonly money: 'minor' | 'major';
  /** Whether the amounts of transactions carry a sign, or a reversed one (charges are positive); unsigned ones take it from their type. */
  readonly amounts: 'signed' | 'reversed' | 'unsigned';
  /** Types of transactions that subtract from a balance. */
  readonly debits: readonly string[];
  /** What the schema's own types of transactions are, by their names. */
  readonly types: Readonly<Record<string, TransactionKind>>;
  /** What types of payment instructions are, by the schema's own names. */
  readonly instructionTypes: Readonly<Record<string, string>>;
  /** What times that are numbers count; undefined: those that can be only one of both are read. */
  readonly times?: TimeUnit | undefined;
  /** Whether a balance in the customer's favour is positive or negative. */
  readonly credit: 'positive' | 'negative';
}

const pages = 'pageInfo { hasNextPage endCursor }';
const paged = { account: '{account}', first: '{first}', after: '{after}' };
const pageVariables = '($account: String!, $first: Int!, $after: String)';
const number = 'account.number';

/** The shape for the published schema. */
export const publishedShape: ReadShape = {
  queries: {
    account: {
      text: `query ReadAccount($account: String!) {
  account(accountNumber: $account) {
    number balance createdAt
    ledgers { number ledgerType balance }
    notes { body isPinned createdAt }
    agreements { validFrom validTo product { code } }
    metadata { key value }
  }
}`,
      variables: { account: '{account}' },
      number,
    },
    transactions: {
      text: `query ReadTransactions${pageVariables} {
  account(accountNumber: $account) {
    number
    transactions(first: $first, after: $after) {
      ${pages}
      edges { node { __typename id postedDate amount reasonCode note billingDocumentIdentifier } }
    }
  }
}`,
      variables: paged,
      number,
    },
    bills: {
      text: `query ReadBills${pageVariables} {
  account(accountNumber: $account) {
    number
    bills(first: $first, after: $after, includeHistoricStatements: true, includeBillsWithoutPDF: true) {
      ${pages}
      edges { node { id fromDate toDate issuedDate } }
    }
  }
}`,
      variables: paged,
      number,
    },
    paymentInstructions: {
      text: `query ReadPaymentMethods${pageVariables} {
  account(accountNumber: $account) {
    number
    paymentMethods(first: $first, after: $after) {
      ${pages}
      edges { node { instructionType vendor } }
    }
  }
}`,
      variables: paged,
      number,
    },
  },
  parts: {
    account: {
      query: 'account',
      at: 'account',
      values: { balance: 'balance', createdAt: 'createdAt' },
    },
    ledgers: {
      query: 'account',
      at: 'account.ledgers',
      values: { number: 'number', code: 'ledgerType', balance: 'balance' },
    },
    transactions: {
      query: 'transactions',
      at: 'account.transactions',
      values: {
        id: 'id',
        date: 'postedDate',
        amount: 'amount',
        type: '__typename',
        reason: 'reasonCode',
        note: 'note',
        document: 'billingDocumentIdentifier',
      },
    },
    notes: {
      query: 'account',
      at: 'account.notes',
      values: { body: 'body', created: 'createdAt', pinned: 'isPinned' },
    },
    bills: {
      query: 'bills',
      at: 'account.bills',
      values: { from: 'fromDate', to: 'toDate', issued: 'issuedDate' },
    },
    agreements: {
      query: 'account',
      at: 'account.agreements',
      values: { product: 'product.code', from: 'validFrom', to: 'validTo' },
    },
    paymentInstructions: {
      query: 'paymentInstructions',
      at: 'account.paymentMethods',
      values: { type: 'instructionType', vendor: 'vendor' },
    },
    metadata: { query: 'account', at: 'account.metadata', values: { key: 'key', value: 'value' } },
  },
  decimals: 2,
  money: 'minor',
  amounts: 'unsigned',
  debits: ['Charge', 'Refund'],
  types: {},
  instructionTypes: {},
  credit: 'positive',
};

/** The settings of a profile over the published shape. */
export interface ReadSettings {
  readonly queries?: Readonly<Record<string, string | Partial<ReadQuery>>> | undefined;
  /** A path for each value, beside `query`, `at` and `next`; null: the part is not readable. */
  readonly values?:
    Readonly<Partial<Record<PartName, Readonly<Record<string, string | null>> | null>>> | undefined;
  readonly decimals?: number | undefined;
  readonly money?: ReadShape['money'] | undefined;
  readonly amounts?: ReadShape['amounts'] | undefined;
  readonly debits?: readonly string[] | undefined;
  readonly types?: ReadShape['types'] | undefined;
  readonly instructionTypes?: ReadShape['instructionTypes'] | undefined;
  readonly times?: ReadShape['times'];
  readonly credit?: ReadShape['credit'] | undefined;
}

/** The shape that a profile's settings give. A part that they name replaces the published one, and so does a query. */
export function shapeOf(settings: ReadSettings): ReadShape {
  const queries: Record<string, ReadQuery> = { ...publishedShape.queries };
  for (const [name, given] of Object.entries(settings.queries ?? {})) {
    const { text, ...rest } = typeof given === 'string' ? { text: given } : given;
    const written = text ?? queries[name]?.text ?? '';
    queries[name] = {
      number: queries[name]?.number ?? number,
      variables: variablesOf(written),
      ...rest,
      text: written,
    };
  }
  const parts: Partial<Record<PartName, PartPlace>> = Object.fromEntries(
    Object.entries(publishedShape.parts).filter(([name]) => settings.values?.[name as PartName] !== null),
  );
  for (const name of partNames) {
    const given = settings.values?.[name];
    if (given == null) continue;
    const { query, at, next, ...values } = given;
    const published = publishedShape.parts[name];
    const named = Object.entries(values).flatMap(([key, path]) =>
      path === null ? [] : [[key, path] as const],
    );
    parts[name] = {
      query: query ?? published?.query ?? name,
      at: at ?? published?.at ?? '',
      next: next ?? undefined,
      values: Object.fromEntries(named),
    };
  }
  const { decimals, money, amounts, debits, types, instructionTypes, credit } = publishedShape;
  return {
    queries,
    parts,
    decimals: settings.decimals ?? decimals,
    money: settings.money ?? money,
    amounts: settings.amounts ?? amounts,
    debits: settings.debits ?? debits,
    types: settings.types ?? types,
    instructionTypes: settings.instructionTypes ?? instructionTypes,
    times: settings.times,
    credit: settings.credit ?? credit,
  };
}

/** The variables of a text whose settings give none: those that it declares by the usual names. */
function variablesOf(text: string): JsonObject {
  const known = Object.entries({
    account: '{account}',
    accountNumber: '{account}',
    number: '{account}',
    first: '{first}',
    after: '{after}',
  });
  return Object.fromEntries(known.filter(([name]) => new RegExp(String.raw`\$${name}\b`).test(text)));
}
