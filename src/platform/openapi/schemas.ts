import { z } from 'zod';
import * as account from '../../contract/schemas/account.ts';
import { agreementsPayload } from '../../contract/schemas/agreements.ts';
import { billingDocument, billingDocumentsPayload } from '../../contract/schemas/billing-documents.ts';
import type { FieldKind } from '../../contract/schemas/fields.ts';
import * as process from '../../contract/schemas/import-process.ts';
import * as notes from '../../contract/schemas/notes.ts';
import * as payment from '../../contract/schemas/payment-instruction.ts';
import { statement, statementsPayload } from '../../contract/schemas/statements.ts';
import { graphqlAnswer, graphqlRequest } from '../../contract/schemas/token.ts';
import * as transaction from '../../contract/schemas/transaction.ts';
import { transactionsPayload } from '../../contract/schemas/transactions.ts';
import type { JsonObject } from '../../domain/json.ts';
import { agreementsBody } from '../endpoints/agreements.ts';

const refusal = z.looseObject({
  detail: z.string(),
  code: z.string(),
  errors: z.array(z.object({ detail: z.string(), code: z.string(), attr: z.string() })),
});

/** Every schema of the document, by its name there. */
const named = {
  Account: account.accountPayload,
  Address: account.address,
  Customer: account.customer,
  Ledger: account.ledger,
  SupplyAddress: account.supplyAddress,
  SupplyPoint: account.supplyPoint,
  Agreement: account.agreement,
  MetadataEntry: account.metadataEntry,
  Staged: account.stageAnswer,
  CreateAccount: process.processPayload,
  CreatedAccount: process.processAnswer,
  ImportStatus: process.transferStatusAnswer,
  ImportProcess: process.importProcessRecord,
  ImportProcesses: process.importProcessList,
  Transaction: transaction.transaction,
  LineItem: transaction.lineItem,
  TaxItem: transaction.taxItem,
  Transactions: transactionsPayload,
  TransactionResults: transaction.transactionsAnswer,
  TransactionImportError: transaction.transactionImportError,
  Note: notes.note,
  Notes: notes.notesPayload,
  NoteResults: notes.notesAnswer,
  HistoricalAgreements: z.looseObject({ ...agreementsPayload.shape, ...agreementsBody.shape }),
  BillingDocument: billingDocument,
  BillingDocuments: billingDocumentsPayload,
  Statement: statement,
  Statements: statementsPayload,
  PaymentInstruction: payment.paymentInstructionPayload,
  PaymentInstructionCreated: payment.paymentInstructionAnswer,
  GraphqlRequest: graphqlRequest,
  GraphqlAnswer: graphqlAnswer,
  Refusal: refusal,
  AlreadyImported: refusal.extend({
    external_account_number: z.string(),
    kraken_account_number: z.string(),
  }),
  FieldErrors: z.record(z.string(), z.unknown()),
} satisfies Record<string, z.ZodType>;

export type SchemaName = keyof typeof named;

export function schemaRef(name: SchemaName): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** The contract's schemas as JSON Schemas that refer to each other. */
export function componentSchemas(): JsonObject {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { kind, seen } = z.globalRegistry.get(zodSchema) ?? {};
      if (typeof kind !== 'string') return;
      delete jsonSchema['kind'];
      delete jsonSchema['seen'];
      delete jsonSchema['isRuled'];
      Object.assign(jsonSchema, shapes[kind as FieldKind], Array.isArray(seen) ? { examples: seen } : {});
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _draft, $id: _id, ...schema }]) => [
      name,
      schema as JsonObject,
    ]),
  );
}

const amountBounds = {
  pattern: '^-?\\d{1,10}(\\.\\d{1,10})?$',
  exclusiveMinimum: -(10 ** 10),
  exclusiveMaximum: 10 ** 10,
};

/** What the checks of the fields cannot say about themselves. */
const shapes: Readonly<Record<FieldKind, JsonObject>> = {
  string: { type: 'string' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$' },
  boolean: { type: 'boolean' },
  'decimal-string': { type: ['string', 'number'], ...amountBounds },
  number: { type: ['number', 'string'], ...amountBounds },
  amount: { type: ['number', 'string'], ...amountBounds },
  decimal: { type: ['number', 'string'] },
  'json-object': { type: 'object' },
  'json-list': { type: 'array' },
  json: {},
};
