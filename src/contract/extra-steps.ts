import type { JsonObject, JsonValue } from '../domain/json.ts';
import type { ExtraStepName } from '../domain/steps.ts';
import {
  holdsOtherNotes,
  holdsOtherReference,
  holdsOtherStatements,
  holdsOtherTransactions,
  type EchoedRequest,
} from './echoed-items.ts';
import { forObjects } from './rules/account-rules.ts';
import { documentDatesInOrder, statementDatesInOrder } from './rules/billing-periods.ts';
import { noteDocumentRules, statementDocumentRules } from './rules/document-paths.ts';
import { ledgerOfDocumentsKnown } from './rules/known-codes.ts';
import { noteRules } from './rules/notes.ts';
import type { Rule } from './rules/rule.ts';
import {
  transactionsOfDocuments,
  transactionsOfRequest,
  type TransactionList,
} from './rules/transactions.ts';
import { agreementsPayload } from './schemas/agreements.ts';
import { billingDocument, billingDocumentsPayload } from './schemas/billing-documents.ts';
import { note, notesPayload } from './schemas/notes.ts';
import { paymentInstructionPayload } from './schemas/payment-instruction.ts';
import type { Schema } from './schemas/schema.ts';
import { statement, statementsPayload } from './schemas/statements.ts';
import { lineItem, taxItem, transaction } from './schemas/transaction.ts';
import { transactionsPayload } from './schemas/transactions.ts';

/** One row of the interface's table of endpoints (section 4). */
export interface Endpoint {
  /** Its row in that table. */
  readonly number: number;
  readonly method: 'GET' | 'POST';
  /** Path with `{import_supplier_code}` and the external number where it has parameters. */
  readonly path: string;
  /** Schema of the request's body; absent if there is none. */
  readonly request?: Schema;
  /** Statuses of a success, the one in the section's heading first. */
  readonly success: readonly number[];
  /**
   * Whether a success may be an empty body or `{}`. Otherwise an answer must name what it is about, to distinguish it
   * from a proxy's.
   */
  readonly mayBeEmpty?: true;
  /** Whether only `success` counts, and not every status that the interface gives some POST. */
  readonly isExact?: true;
  /** Statuses of its refusals (sections 4 and 7); every other 4xx is a gateway's. */
  readonly refusals: readonly number[];
}

/** Where the paths of all endpoints begin. */
export const prefix = '/v1/data-import';

/** Adds up the amounts of a payload. */
export interface AmountReader {
  /** `kind`: what is summed up under one name; `field`: its name in `amounts`, where that is another. */
  amount(kind: string, value: JsonValue | undefined, field?: string): void;
  /** The amounts of transactions, each under its type. */
  transactions(list: JsonValue | undefined): void;
}

/** What the interface says of a step that adds to an account. */
export interface ExtraStepContract<Payload = unknown, Component extends string = string> {
  readonly endpoint: Omit<Endpoint, 'method' | 'request' | 'refusals'> & {
    readonly request: Schema<Payload>;
  };
  /** The schemas that have a name of their own in an OpenAPI document, the request's among them. */
  readonly components: Readonly<Record<Component, Schema>>;
  readonly rules?: readonly Rule<Payload>[];
  /** The transactions in a payload, which rules of their own check. */
  readonly transactionsOf?: (payload: Payload) => TransactionList[];
  /** Whether a success repeats other items than the request has. */
  readonly holdsOthers?: (answer: JsonValue, asked: EchoedRequest) => boolean;
  /** Fields of amounts, each with the path of one. */
  readonly amounts?: Readonly<Record<string, string>>;
  readonly readAmounts?: (payload: JsonObject, reader: AmountReader) => void;
}

function step<Payload, Component extends string>(
  row: ExtraStepContract<Payload, Component>,
): ExtraStepContract<Payload, Component> {
  return row;
}

const rows = {
  notes: step({
    endpoint: { number: 8, path: `${prefix}/notes/create/`, request: notesPayload, success: [201] },
    components: { Note: note, Notes: notesPayload },
    rules: [...noteRules, ...noteDocumentRules],
    holdsOthers: holdsOtherNotes,
  }),
  transactions: step({
    endpoint: {
      number: 9,
      path: `${prefix}/transactions/create/`,
      request: transactionsPayload,
      success: [201],
    },
    components: {
      Transaction: transaction,
      LineItem: lineItem,
      TaxItem: taxItem,
      Transactions: transactionsPayload,
    },
    transactionsOf: transactionsOfRequest,
    holdsOthers: holdsOtherTransactions,
    amounts: { amount: 'transactions.0.amount' },
    readAmounts: (payload, reader) => reader.transactions(payload['transactions']),
  }),
  agreements: step({
    endpoint: {
      number: 10,
      path: `${prefix}/historical-agreements/create/`,
      request: agreementsPayload,
      success: [201, 200],
      mayBeEmpty: true,
    },
    components: { HistoricalAgreements: agreementsPayload },
  }),
  'billing-documents': step({
    endpoint: {
      number: 11,
      path: `${prefix}/historical-billing-documents/create/`,
      request: billingDocumentsPayload,
      success: [201],
      mayBeEmpty: true,
    },
    components: { BillingDocument: billingDocument, BillingDocuments: billingDocumentsPayload },
    rules: [ledgerOfDocumentsKnown, documentDatesInOrder],
    transactionsOf: transactionsOfDocuments,
    amounts: { amount: 'historical_billing_documents.0.transactions.0.amount' },
    readAmounts(payload, reader) {
      forObjects(payload['historical_billing_documents'], (document) => {
        reader.transactions(document['transactions']);
      });
      reader.transactions(payload['additional_historical_transactions']);
    },
  }),
  statements: step({
    endpoint: {
      number: 12,
      path: `${prefix}/historical-statements/create/`,
      request: statementsPayload,
      success: [201, 200],
      mayBeEmpty: true,
    },
    components: { Statement: statement, Statements: statementsPayload },
    rules: [statementDatesInOrder, ...statementDocumentRules],
    holdsOthers: holdsOtherStatements,
    amounts: { gross_amount: 'statements.0.gross_amount' },
    readAmounts(payload, reader) {
      forObjects(payload['statements'], (one) => reader.amount('gross_amount', one['gross_amount']));
    },
  }),
  'payment-instruction': step({
    endpoint: {
      number: 13,
      path: `${prefix}/payment-instruction/create/`,
      request: paymentInstructionPayload,
      success: [201],
      mayBeEmpty: true,
    },
    components: { PaymentInstruction: paymentInstructionPayload },
    holdsOthers: holdsOtherReference,
  }),
} satisfies Readonly<Record<ExtraStepName, object>>;

type Rows = typeof rows;

/** The type of a step's payloads. */
export type PayloadOf<Step extends ExtraStepName> =
  Rows[Step] extends ExtraStepContract<infer Payload> ? Payload : never;

/** The names of all components of the further steps. */
export type ExtraComponent = {
  [Step in ExtraStepName]: keyof Rows[Step]['components'];
}[ExtraStepName];

const contracts: { readonly [Step in ExtraStepName]: ExtraStepContract<PayloadOf<Step>> } = rows;

/** A step's row of the table. */
export function extraStepContract<Step extends ExtraStepName>(
  name: Step,
): ExtraStepContract<PayloadOf<Step>> {
  return contracts[name];
}

export const extraComponents = Object.assign(
  {},
  ...Object.values(rows).map(({ components }) => components),
) as Readonly<Record<ExtraComponent, Schema>>;
