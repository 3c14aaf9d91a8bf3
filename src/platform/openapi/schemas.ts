import { z } from 'zod';
import { requestComponents, type RequestSchemaName } from '../../contract/interface/interface-document.ts';
import * as answer from '../../contract/answers.ts';
import { graphqlAnswer, graphqlRequest } from '../../contract/schemas/token.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { agreementsBody } from '../endpoints/agreements.ts';

const refusal = z.looseObject({
  detail: z.string(),
  code: z.string(),
  errors: z.array(z.object({ detail: z.string(), code: z.string(), attr: z.string() })),
});

/** The schemas of answers, by their names in the document. */
const answers = {
  Staged: answer.stageAnswer,
  CreatedAccount: answer.processAnswer,
  ImportStatus: answer.transferStatusAnswer,
  ImportProcess: answer.importProcessRecord,
  ImportProcesses: answer.importProcessList,
  TransactionResults: answer.transactionsAnswer,
  TransactionImportError: answer.transactionImportError,
  NoteResults: answer.notesAnswer,
  PaymentInstructionCreated: answer.paymentInstructionAnswer,
  GraphqlRequest: graphqlRequest,
  GraphqlAnswer: graphqlAnswer,
  Refusal: refusal,
  AlreadyImported: refusal.extend({
    external_account_number: z.string(),
    kraken_account_number: z.string(),
  }),
  FieldErrors: z.record(z.string(), z.unknown()),
} satisfies Record<string, z.ZodType>;

export type SchemaName = keyof typeof answers | RequestSchemaName;

export function schemaRef(name: SchemaName): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schemas of requests, as they are checked, and those of answers. */
export function componentSchemas(): JsonObject {
  const requests = requestComponents();
  const agreements = requests['HistoricalAgreements'];
  return {
    ...requests,
    HistoricalAgreements: withProperties(
      isJsonObject(agreements) ? agreements : {},
      agreementsBody['properties'],
    ),
    ...answerSchemas(),
  };
}

function withProperties(schema: JsonObject, more: JsonValue | undefined): JsonObject {
  const { properties } = schema;
  return {
    ...schema,
    properties: { ...(isJsonObject(properties) ? properties : {}), ...(isJsonObject(more) ? more : {}) },
  };
}

function answerSchemas(): JsonObject {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(answers)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _draft, $id: _id, ...schema }]) => [
      name,
      schema as JsonObject,
    ]),
  );
}
