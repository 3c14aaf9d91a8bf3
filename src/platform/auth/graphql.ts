import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';

/** One field that an operation asks for. */
export interface Field {
  /** The name the answer gives it. */
  readonly as: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly fields: readonly Field[];
}

export interface Operation {
  readonly type: string;
  readonly name: string | undefined;
  readonly fields: readonly Field[];
}

/** Why a document was not executed; with a path if one field of it failed. */
export class GraphqlError extends Error {
  readonly path: string | undefined;

  constructor(message: string, path?: string) {
    super(message);
    this.path = path;
  }
}

const tokenPattern =
  /[\s,\uFEFF]+|#[^\n\r]*|("(?:[^"\\\n\r]|\\.)*")|([A-Za-z_]\w*)|(-?\d[\w.+-]*)|(\.\.\.|[!$():=@[\]{}|&])/uy;
const deepest = 20;
const longest = 10_000;

/** Reads the operations of a document; fragments and directives are refused. Throws a GraphqlError. */
export function parseGraphql(document: string, variables: JsonObject): Operation[] {
  if (document.length > longest) throw new GraphqlError('Syntax Error: The document is too long.');
  const tokens = tokensOf(document);
  let at = 0;

  const peek = (): string | undefined => tokens[at];
  const take = (expected?: string): string => {
    const token = tokens[at];
    if (token === undefined || (expected !== undefined && token !== expected))
      throw new GraphqlError(`Syntax Error: Expected ${expected ?? 'more'}, found ${found(token)}.`);
    at++;
    return token;
  };
  const name = (): string => {
    const token = take();
    if (!/^[A-Za-z_]/.test(token))
      throw new GraphqlError(`Syntax Error: Expected Name, found ${found(token)}.`);
    return token;
  };

  const value = (depth: number): JsonValue => {
    if (depth > deepest) throw new GraphqlError('Syntax Error: The document is nested too deep.');
    const token = take();
    if (token === '$') {
      const variable = name();
      return Object.hasOwn(variables, variable) ? (variables[variable] ?? null) : null;
    }
    if (token.startsWith('"')) return stringOf(token);
    if (token === '[') {
      const list: JsonValue[] = [];
      while (peek() !== ']') list.push(value(depth + 1));
      take(']');
      return list;
    }
    if (token === '{') {
      const object = new Map<string, JsonValue>();
      while (peek() !== '}') {
        const key = name();
        take(':');
        object.set(key, value(depth + 1));
      }
      take('}');
      return Object.fromEntries(object);
    }
    if (token === 'true' || token === 'false') return token === 'true';
    if (token === 'null') return null;
    if (/^-?\d/.test(token)) return Number(token);
    if (/^[A-Za-z_]/.test(token)) return token;
    throw new GraphqlError(`Syntax Error: Unexpected ${found(token)}.`);
  };

  const argumentsOf = (): JsonObject => {
    if (peek() !== '(') return {};
    take('(');
    const given = new Map<string, JsonValue>();
    while (peek() !== ')') {
      const key = name();
      take(':');
      given.set(key, value(0));
    }
    take(')');
    return Object.fromEntries(given);
  };

  const selection = (depth: number): Field[] => {
    if (depth > deepest) throw new GraphqlError('Syntax Error: The document is nested too deep.');
    const fields: Field[] = [];
    take('{');
    while (peek() !== '}') {
      const first = name();
      const alias = peek() === ':';
      if (alias) take(':');
      const field = alias ? name() : first;
      fields.push({
        as: first,
        name: field,
        arguments: argumentsOf(),
        fields: peek() === '{' ? selection(depth + 1) : [],
      });
    }
    take('}');
    return fields;
  };

  const operation = (): Operation => {
    if (peek() === '{') return { type: 'query', name: undefined, fields: selection(0) };
    const type = name();
    const named = peek() === '(' || peek() === '{' ? undefined : name();
    if (peek() === '(') while (take() !== ')');
    return { type, name: named, fields: selection(0) };
  };

  const operations: Operation[] = [];
  while (at < tokens.length) operations.push(operation());
  return operations;
}

/** The values of the selected fields of an object, in the requested order. */
export function pick(fields: readonly Field[], object: JsonObject, typename: string): JsonObject {
  return Object.fromEntries(
    fields.map((field) => {
      const value = field.name === '__typename' ? typename : object[field.name];
      if (value === undefined)
        throw new GraphqlError(`Cannot query field '${field.name}' on type '${typename}'.`);
      return [
        field.as,
        isJsonObject(value) && field.fields.length > 0 ? pick(field.fields, value, typename) : value,
      ];
    }),
  );
}

function tokensOf(document: string): string[] {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < document.length) {
    const match = tokenPattern.exec(document);
    if (match === null) throw new GraphqlError('Syntax Error: Unexpected character.');
    const token = match[1] ?? match[2] ?? match[3] ?? match[4];
    if (token !== undefined) tokens.push(token);
  }
  return tokens;
}

function stringOf(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    throw new GraphqlError('Syntax Error: Invalid character escape sequence.');
  }
}

/** A string may contain a key, so it is never repeated. */
function found(token: string | undefined): string {
  if (token === undefined) return '<EOF>';
  return token.startsWith('"') ? 'String' : `'${token.slice(0, 40)}'`;
}
