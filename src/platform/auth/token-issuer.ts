import { createHmac, timingSafeEqual } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import type { OperatorConfig } from '../operator.ts';
import { GraphqlError, parseGraphql, pick, type Field } from './graphql.ts';

interface KeeperOptions {
  /** Signs tokens; another one ends every token given before. */
  readonly secret: () => string;
  /** The key that the platform made for itself. */
  readonly apiKey: string;
  readonly operator: () => OperatorConfig;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface TokenIssuer {
  /** Whether an Authorization header carries a token that is good now (section 5). */
  readonly admits: (authorization: string | undefined) => boolean;
  /** Whether an Authorization header carries an API key, as the operator's own requests do. */
  readonly isOperator: (authorization: string | undefined) => boolean;
  /** Answers the GraphQL request that asks for a token. Errors are part of the answer; its HTTP status is 200. */
  obtain(query: string, variables: JsonObject, operationName: string | undefined): JsonObject;
}

const mutationName = 'obtainKrakenToken';

/** Gives tokens for API keys and judges them (section 5). */
export function createTokenIssuer({ secret, apiKey, operator, now }: KeeperOptions): TokenIssuer {
  const seconds = (): number => Math.floor(now() / 1000);
  /** The header seen last: a migration sends the same one with every request. */
  let seen = { authorization: '', secret: '', exp: 0 };

  const isGood = (authorization: string): boolean => {
    if (authorization !== seen.authorization || secret() !== seen.secret) {
      const token = /^Token +(\S+)$/i.exec(authorization)?.[1];
      const claims = token === undefined ? undefined : readToken(token, secret());
      if (claims?.use !== 'access') return false;
      seen = { authorization, secret: secret(), exp: claims.exp };
    }
    return seconds() < seen.exp;
  };

  const isKnownKey = (key: unknown): boolean =>
    typeof key === 'string' &&
    [apiKey, ...operator().apiKeys].map((known) => same(known, key)).includes(true);

  const refreshes = (token: unknown): boolean => {
    const claims = typeof token === 'string' ? readToken(token, secret()) : undefined;
    return claims?.use === 'refresh' && seconds() < claims.exp;
  };

  const issue = (field: Field): JsonObject => {
    if (field.name !== mutationName)
      throw new GraphqlError(`Cannot query field '${field.name}' on type 'Mutation'.`);
    const input = field.arguments['input'];
    if (!isJsonObject(input) || !(isKnownKey(input['APIKey']) || refreshes(input['refreshToken'])))
      throw new GraphqlError('Invalid data.', field.as);
    const { lifetimeSeconds, refreshLifetimeSeconds } = operator().token;
    const iat = seconds();
    const exp = iat + lifetimeSeconds;
    const refreshExpiresIn = iat + refreshLifetimeSeconds;
    const token = {
      token: signToken({ use: 'access', iat, exp }, secret()),
      refreshToken: signToken({ use: 'refresh', iat, exp: refreshExpiresIn }, secret()),
      refreshExpiresIn,
      payload: { iat, exp },
    };
    return pick(field.fields, token, 'ObtainKrakenJSONWebToken');
  };

  return {
    admits: (authorization) => authorization !== undefined && isGood(authorization),
    isOperator: (authorization) => isKnownKey(/^ApiKey +(\S+)$/i.exec(authorization ?? '')?.[1]),
    obtain: (query, variables, operationName) => {
      try {
        const operation = choose(parseGraphql(query, variables), operationName);
        return { data: Object.fromEntries(operation.fields.map((field) => [field.as, issue(field)])) };
      } catch (error) {
        if (!(error instanceof GraphqlError)) throw error;
        const { message, path } = error;
        if (path === undefined) return { errors: [{ message }] };
        const extensions = { errorType: 'AUTHORIZATION', errorCode: 'KT-CT-1139' };
        return { errors: [{ message, path: [path], extensions }], data: { [path]: null } };
      }
    },
  };
}

function choose(operations: ReturnType<typeof parseGraphql>, name: string | undefined) {
  const [only, another] = operations;
  const chosen =
    name === undefined
      ? another === undefined
        ? only
        : undefined
      : operations.find((operation) => operation.name === name);
  if (chosen === undefined)
    throw new GraphqlError('Must provide an operation, and its name if the document has several.');
  if (chosen.type !== 'mutation') throw new GraphqlError('Only mutations are supported.');
  return chosen;
}

interface Claims {
  readonly use: 'access' | 'refresh';
  /** Seconds since the epoch. */
  readonly iat: number;
  readonly exp: number;
}

const header = encode({ alg: 'HS256', typ: 'JWT' });

/** A token in the usual three parts, signed with the platform's own secret. */
function signToken(claims: Claims, secret: string): string {
  const unsigned = `${header}.${encode({ ...claims })}`;
  return `${unsigned}.${signature(unsigned, secret)}`;
}

/** The claims of a token that this platform signed; undefined for any other text. Expiry is the caller's to judge. */
function readToken(token: string, secret: string): Claims | undefined {
  const cut = token.lastIndexOf('.');
  const [head, body] = [token.slice(0, cut), token.slice(cut + 1)];
  if (!head.startsWith(`${header}.`) || !same(body, signature(head, secret))) return undefined;
  return JSON.parse(Buffer.from(head.slice(header.length + 1), 'base64url').toString()) as Claims;
}

/** Compares two secrets in constant time. */
function same(one: string, other: string): boolean {
  const [a, b] = [digest(one), digest(other)];
  return timingSafeEqual(a, b);
}

function digest(text: string): Buffer {
  return createHmac('sha256', 'compare').update(text).digest();
}

function signature(unsigned: string, secret: string): string {
  return createHmac('sha256', secret).update(unsigned).digest('base64url');
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
