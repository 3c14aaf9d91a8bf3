import { z } from 'zod';
import * as answer from '../../contract/answers.ts';
import { endpoints, type Endpoint, type EndpointName } from '../../contract/endpoints.ts';
import { requestComponents, type RequestSchemaName } from '../../contract/interface/interface-document.ts';
import { graphqlAnswer, graphqlRequest, tokenPath } from '../../contract/schemas/token.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { agreementsBody } from '../endpoints/agreements.ts';

/** What the document says of an endpoint beyond the contract's table. */
interface Description {
  readonly summary: string;
  readonly request?: SchemaName;
  readonly answer?: SchemaName;
  /** Refusals beside 400, 401, 413 and 415. */
  readonly statuses?: readonly ('404' | '429' | '500')[];
  /** Bodies of 400 beside the usual ones. */
  readonly refusals?: readonly SchemaName[];
}

const descriptions: Readonly<Record<EndpointName, Description>> = {
  validate: { summary: 'Check account data without storing it', request: 'Account', answer: 'Account' },
  stage: {
    summary: 'Store account data, or replace what is stored',
    request: 'Account',
    answer: 'Staged',
    refusals: ['AlreadyImported'],
  },
  process: {
    summary: 'Create the account from its staged data; with dry_run, try it and roll it back (400)',
    request: 'CreateAccount',
    answer: 'CreatedAccount',
    statuses: ['429'],
    refusals: ['AlreadyImported'],
  },
  transferStatus: {
    summary: 'Whether an account was created for an import process',
    answer: 'ImportStatus',
    statuses: ['404'],
  },
  allProcesses: { summary: 'Every import process', answer: 'ImportProcesses', statuses: ['404'] },
  pendingProcesses: {
    summary: 'Import processes without an account',
    answer: 'ImportProcesses',
    statuses: ['404'],
  },
  importedProcesses: {
    summary: 'Import processes with an account',
    answer: 'ImportProcesses',
    statuses: ['404'],
  },
  notes: { summary: 'Add notes to an account', request: 'Notes', answer: 'NoteResults', statuses: ['404'] },
  transactions: {
    summary: 'Add transactions to an account: all transactions of the request, or none',
    request: 'Transactions',
    answer: 'TransactionResults',
    statuses: ['404'],
    refusals: ['TransactionImportError'],
  },
  agreements: {
    summary: 'Add historical agreements; 200 if the account already has the same payload',
    request: 'HistoricalAgreements',
    statuses: ['404'],
  },
  billingDocuments: {
    summary: 'Add historical billing documents, once per ledger',
    request: 'BillingDocuments',
    statuses: ['404'],
  },
  statements: {
    summary: 'Add historical statements',
    request: 'Statements',
    answer: 'Statements',
    statuses: ['404'],
  },
  paymentInstruction: {
    summary: 'Add a payment instruction that the vendor knows; after a 500, send the same request again',
    request: 'PaymentInstruction',
    answer: 'PaymentInstructionCreated',
    statuses: ['404', '500'],
  },
};

const statusTexts = {
  '200': 'Done',
  '201': 'Created',
  '400': 'Refused; nothing was stored',
  '401': 'No token, or one that has expired',
  '404': 'Not found',
  '413': 'The body is too long',
  '415': 'Not JSON in UTF-8',
  '429': 'Too many accounts in progress',
  '500': 'A temporary failure',
};

type Status = keyof typeof statusTexts;

/** The interface as an OpenAPI 3.1 document, made from the schemas that requests are checked against. */
export function openapiDocument(): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Account migration data import',
      version: '1',
      description: 'Validates, stages and creates migrated accounts, and adds their history.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths: {
      ...Object.fromEntries(
        (Object.entries(endpoints) as [EndpointName, Endpoint][]).map(([name, endpoint]) => [
          endpoint.path,
          { [endpoint.method.toLowerCase()]: operation(name, endpoint) },
        ]),
      ),
      [tokenPath]: { post: tokenOperation() },
    },
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The word Token, a space, and the token from the token mutation.',
        },
      },
    },
  };
}

let written: string | undefined;

/** The document as JSON text. */
export function openapiText(): string {
  return (written ??= JSON.stringify(openapiDocument()));
}

function operation(name: EndpointName, { method, path, success }: Endpoint): JsonObject {
  const { summary, request, answer, statuses = [], refusals = [] } = descriptions[name];
  const refusal = ['Refusal', 'FieldErrors', ...refusals] satisfies SchemaName[];
  return {
    operationId: name,
    summary,
    ...parameters(name, path),
    ...(request === undefined
      ? {}
      : { requestBody: { required: true, content: jsonOf(schemaRef(request)) } }),
    responses: {
      ...Object.fromEntries(
        success.map((status) => [
          String(status),
          responseOf(String(status) as Status, answer === undefined ? undefined : schemaRef(answer)),
        ]),
      ),
      '400': responseOf('400', { anyOf: refusal.map(schemaRef) }),
      ...Object.fromEntries(
        (['401', ...statuses, ...(method === 'POST' ? (['413', '415'] as const) : [])] as const).map(
          (status) => [status, responseOf(status, schemaRef('Refusal'))],
        ),
      ),
    },
  };
}

function parameters(name: EndpointName, path: string): JsonObject {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']): JsonValue => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
  }));
  const inQuery = ['check_previously_added', 'force_add_to_current_statement'].map(
    (parameter): JsonValue => ({ name: parameter, in: 'query', schema: { type: 'boolean', default: true } }),
  );
  const all = name === 'transactions' ? [...inPath, ...inQuery] : inPath;
  return all.length === 0 ? {} : { parameters: all };
}

function tokenOperation(): JsonObject {
  return {
    operationId: 'obtainToken',
    summary:
      'The token mutation: exchanges an API key, or a refresh token, for a token; errors come with 200',
    security: [],
    requestBody: { required: true, content: jsonOf(schemaRef('GraphqlRequest')) },
    responses: {
      '200': responseOf('200', schemaRef('GraphqlAnswer')),
      '400': responseOf('400', schemaRef('Refusal')),
    },
  };
}

function responseOf(status: Status, schema: JsonObject | undefined): JsonObject {
  return { description: statusTexts[status], ...(schema === undefined ? {} : { content: jsonOf(schema) }) };
}

function jsonOf(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

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

type SchemaName = keyof typeof answers | RequestSchemaName;

function schemaRef(name: SchemaName): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schemas of requests, as they are checked, and those of answers. */
function componentSchemas(): JsonObject {
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
