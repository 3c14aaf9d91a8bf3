import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import type { TextPlace } from './query-text.ts';

/** An error of a GraphQL answer. Its message is not kept: it may repeat customers' data. */
export interface AnswerError {
  /** The platform's code, or `graphql_error`. */
  readonly code: string;
  readonly path: readonly (string | number)[] | undefined;
  readonly places: readonly TextPlace[];
}

export interface GraphqlAnswer {
  /** Absent if nothing was executed. */
  readonly data: JsonObject | undefined;
  readonly errors: readonly AnswerError[];
}

/** Reads the body of an answer; undefined if it is none of GraphQL. */
export function readGraphqlAnswer(body: JsonValue | undefined): GraphqlAnswer | undefined {
  if (!isJsonObject(body)) return undefined;
  const { data, errors = [] } = body;
  const isData = isJsonObject(data) || data === null || data === undefined;
  if (!isData || !Array.isArray(errors) || (data === undefined && errors.length === 0)) return undefined;
  return { data: isJsonObject(data) ? data : undefined, errors: errors.filter(isJsonObject).map(errorOf) };
}

function errorOf(error: JsonObject): AnswerError {
  const { extensions, path, locations, message } = error;
  const said = isJsonObject(extensions) ? (extensions['errorCode'] ?? extensions['code']) : undefined;
  const isUnknown = typeof message === 'string' && /^Cannot query field/.test(message);
  const code = codeOf(said) ?? (isUnknown ? 'unknown_field' : 'graphql_error');
  return {
    code,
    path: Array.isArray(path)
      ? path.filter((part) => typeof part === 'string' || typeof part === 'number')
      : undefined,
    places: (Array.isArray(locations) ? locations : [])
      .filter(isJsonObject)
      .flatMap(({ line, column }) =>
        typeof line === 'number' && typeof column === 'number' ? [{ line, column, reason: code }] : [],
      ),
  };
}

/** Codes are short and of a form of their own; anything else may be data. */
function codeOf(said: JsonValue | undefined): string | undefined {
  return typeof said === 'string' && /^[A-Z][A-Z0-9_-]{2,40}$/.test(said) ? said : undefined;
}
