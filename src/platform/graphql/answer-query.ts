import {
  buildSchema,
  execute,
  GraphQLError,
  GraphQLScalarType,
  Kind,
  Lexer,
  OperationTypeNode,
  parse,
  Source,
  TokenKind,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { OperatorConfig } from '../operator.ts';
import { platformError } from './graphql-error.ts';
import { costOf } from './query-cost.ts';
import { typeDefinitions } from './type-definitions.ts';

/** A GraphQL request after it was read. */
export interface GraphqlQuery {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: JsonObject;
  readonly isQuery: boolean;
  /** Texts that its sender gave, and no message repeats. */
  readonly given: readonly string[];
}

export type GraphqlReading =
  | { readonly ok: true; readonly query: GraphqlQuery }
  /** The answer. */
  | { readonly ok: false; readonly answer: JsonObject };

const longest = 50_000;
const mostTokens = 5_000;

/** The schema is built at the first request. */
let built: GraphQLSchema | undefined;

function schema(): GraphQLSchema {
  if (built !== undefined) return built;
  built = buildSchema(typeDefinitions);
  const plain = built.getType('BigInt');
  // Any number, and an exact one that JavaScript has no number for.
  if (plain instanceof GraphQLScalarType) plain.serialize = (value) => value;
  return built;
}

/** Parses a request and holds it to the schema; whatever is wrong is the answer. */
export function readGraphql(
  text: string,
  variables: JsonObject,
  operationName: string | undefined,
): GraphqlReading {
  const given = [...textsIn(variables), ...stringsOf(text)];
  const refuse = (errors: readonly GraphQLError[]): GraphqlReading => ({
    ok: false,
    answer: { errors: errors.map((error) => written(error, given)) },
  });
  try {
    if (text.length > longest) throw new GraphQLError('Syntax Error: The document is too long.');
    const document = parse(text, { maxTokens: mostTokens });
    const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
    const [only, another] = operations;
    const operation =
      operationName === undefined
        ? another === undefined
          ? only
          : undefined
        : operations.find(({ name }) => name?.value === operationName);
    if (operation === undefined)
      throw new GraphQLError('Must provide an operation, and its name if the document has several.');
    const problems = validate(schema(), document, undefined, { maxErrors: 20 });
    if (problems.length > 0) return refuse(problems);
    const isQuery = operation.operation === OperationTypeNode.QUERY;
    return { ok: true, query: { document, operation, variables, isQuery, given } };
  } catch (error) {
    if (error instanceof GraphQLError) return refuse([error]);
    // The parser is recursive.
    if (error instanceof RangeError)
      return refuse([new GraphQLError('Syntax Error: The document is nested too deep.')]);
    throw error;
  }
}

/** What a query is answered from. */
export interface QueryRoot {
  readonly root: object;
  readonly limits: OperatorConfig['graphql'];
  /** Takes points from the sender's hour; false if too few are left. */
  spend(points: number): boolean;
  /** Called before a field of a type is resolved; throws a GraphQLError if it must not be. */
  guard(type: string, field: string): void;
}

/** Answers a request. Errors are part of the answer. */
export async function answerQuery(query: GraphqlQuery, from: QueryRoot): Promise<JsonObject> {
  const { document, operation, variables, given } = query;
  const { complexity, nodes } = costOf(document, operation, variables);
  const refuse = (error: GraphQLError): JsonObject => ({ errors: [written(error, given)] });
  if (complexity > from.limits.complexity) return refuse(platformError('KT-CT-1188'));
  if (nodes > from.limits.nodes) return refuse(platformError('KT-CT-1189'));
  if (!from.spend(complexity)) return refuse(platformError('KT-CT-1199'));
  const fieldResolver: GraphQLFieldResolver<Record<string, unknown>, unknown> = (
    source,
    args,
    context,
    info,
  ) => {
    from.guard(info.parentType.name, info.fieldName);
    const value = source[info.fieldName];
    return typeof value === 'function' ? (value.call(source, args, context, info) as unknown) : value;
  };
  const result: ExecutionResult = await execute({
    schema: schema(),
    document,
    rootValue: from.root,
    variableValues: variables,
    operationName: operation.name?.value,
    fieldResolver,
  });
  return {
    ...(result.errors === undefined ? {} : { errors: result.errors.map((error) => written(error, given)) }),
    ...(result.data === undefined ? {} : { data: result.data as JsonValue }),
  };
}

/** The account number that a request asks for, if there is one. */
export function askedAccount({ operation, variables }: GraphqlQuery): string | undefined {
  for (const field of operation.selectionSet.selections) {
    if (field.kind !== Kind.FIELD || field.name.value !== 'account') continue;
    const value = field.arguments?.find(({ name }) => name.value === 'accountNumber')?.value;
    if (value?.kind === Kind.STRING) return value.value;
    const given = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
    if (typeof given === 'string') return given;
  }
  return undefined;
}

/** An error as it is sent. Keys come in texts, so what was sent is not repeated. */
function written(error: GraphQLError, given: readonly string[]): JsonObject {
  const { message, locations, path, extensions } = error;
  const told = given.reduce((text, secret) => text.replaceAll(secret, '…'), message);
  return {
    message: told,
    ...(locations === undefined
      ? {}
      : { locations: locations.map(({ line, column }) => ({ line, column })) }),
    ...(path === undefined ? {} : { path: [...path] }),
    ...(Object.keys(extensions).length === 0 ? {} : { extensions: extensions as JsonObject }),
  };
}

/** The texts of a document, even of one that cannot be parsed. */
function stringsOf(document: string): string[] {
  const texts: string[] = [];
  if (document.length > longest) return texts;
  try {
    const lexer = new Lexer(new Source(document));
    for (let count = 0; count < mostTokens; count += 1) {
      const { kind, value } = lexer.advance();
      if (kind === TokenKind.EOF) break;
      const isText = kind === TokenKind.STRING || kind === TokenKind.BLOCK_STRING;
      if (isText && value !== '') texts.push(value);
    }
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
  }
  return texts;
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value as JsonObject).flatMap(textsIn);
}
