import { z } from 'zod';
import { importProcessRecord, refusalAnswer } from '../../contract/answers.ts';
import { endpoints, type Endpoint, type EndpointName } from '../../contract/endpoints.ts';
import { requestComponents, requestName } from '../../contract/interface/interface-document.ts';
import { graphqlAnswer, graphqlRequest, tokenPath } from '../../contract/schemas/token.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { agreementsBody } from '../endpoints/agreements.ts';
import type { PathEndpoint, ServedEndpoint } from '../endpoints/endpoint.ts';
import { endpointTable } from '../endpoints/table.ts';

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

function operation(name: EndpointName, { method, path, request, success }: Endpoint): JsonObject {
  const endpoint: PathEndpoint | ServedEndpoint = endpointTable[name];
  const { summary, answer, statuses = [], refusals = {} } = endpoint.description;
  const answerName = answer === 'the request' ? request && requestName(request) : nameIn(answer);
  const refusal = ['Refusal', 'FieldErrors', ...Object.keys(refusals)];
  return {
    operationId: name,
    summary,
    ...parameters(name, path),
    ...(request === undefined
      ? {}
      : { requestBody: { required: true, content: jsonOf(schemaRef(requestName(request))) } }),
    responses: {
      ...Object.fromEntries(
        success.map((status) => [
          String(status),
          responseOf(String(status) as Status, answerName === undefined ? undefined : schemaRef(answerName)),
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

/** The one name of an answer's schema. */
function nameIn(answer: Readonly<Record<string, z.ZodType>> | undefined): string | undefined {
  return answer && Object.keys(answer)[0];
}

/** The schemas of answers, by their names in the document. */
function answersByName(): Readonly<Record<string, z.ZodType>> {
  const described = Object.values<PathEndpoint | ServedEndpoint>(endpointTable).flatMap(
    ({ description: { answer, refusals } }) =>
      Object.entries({ ...(answer === 'the request' ? {} : answer), ...refusals }),
  );
  return {
    ...Object.fromEntries(described),
    ImportProcess: importProcessRecord,
    GraphqlRequest: graphqlRequest,
    GraphqlAnswer: graphqlAnswer,
    Refusal: refusalAnswer,
    FieldErrors: z.record(z.string(), z.unknown()),
  };
}

function schemaRef(name: string): JsonObject {
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
  for (const [id, schema] of Object.entries(answersByName())) registry.add(schema, { id });
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
