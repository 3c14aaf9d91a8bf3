import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JsonObject } from '../../domain/json.ts';
import type { OperatorConfig } from '../operator.ts';

interface KeeperOptions {
  /** Signs tokens; another one ends every token given before. */
  readonly secret: () => string;
  /** The key that the platform made for itself. */
  readonly apiKey: string;
  readonly operator: () => OperatorConfig;
  /** Whether a token may also be `Bearer TOKEN` or bare, as some tenancies want it; otherwise it is `Token TOKEN` (section 5). */
  readonly takesAnyForm: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface TokenIssuer {
  /** Whether an Authorization header carries a token that is good now (section 5). */
  readonly admits: (authorization: string | undefined) => boolean;
  /** Whether an Authorization header carries an API key, as the operator's own requests do. */
  readonly isOperator: (authorization: string | undefined) => boolean;
  /** Who sends an Authorization header with a token that is good now; undefined for any other. */
  readonly bearer: (authorization: string | undefined) => Bearer | undefined;
  /** The token mutation's result; undefined if its input has neither a known key nor a good refresh token. */
  readonly obtain: (input: JsonObject) => JsonObject | undefined;
}

/** The sender of a request. */
interface Bearer {
  /** The operator's key that the token was obtained with; '' for the platform's own. */
  readonly key: string;
}

/** Gives tokens for API keys and judges them (section 5). */
export function createTokenIssuer({
  secret,
  apiKey,
  operator,
  takesAnyForm,
  now,
}: KeeperOptions): TokenIssuer {
  const seconds = (): number => Math.floor(now() / 1000);
  const form = takesAnyForm ? /^(?:(?:Token|Bearer) +)?(\S+)$/i : /^Token +(\S+)$/i;
  /** The header seen last: a migration sends the same one with every request. */
  let seen = { authorization: '', secret: '', exp: 0 };

  const isGood = (authorization: string): boolean => {
    if (authorization !== seen.authorization || secret() !== seen.secret) {
      const token = form.exec(authorization)?.[1];
      const claims = token === undefined ? undefined : readToken(token, secret());
      if (claims?.use !== 'access') return false;
      seen = { authorization, secret: secret(), exp: claims.exp };
    }
    return seconds() < seen.exp;
  };

  const isKnownKey = (key: unknown): boolean =>
    typeof key === 'string' &&
    [apiKey, ...operator().apiKeys].map((known) => same(known, key)).includes(true);

  /** The digest of the key, by which a token names who obtained it. */
  const senderOf = ({ APIKey: key, refreshToken }: JsonObject): string | undefined => {
    if (typeof key === 'string' && isKnownKey(key)) return digest(key).toString('base64url');
    const claims = typeof refreshToken === 'string' ? readToken(refreshToken, secret()) : undefined;
    return claims?.use === 'refresh' && seconds() < claims.exp ? claims.by : undefined;
  };

  return {
    admits: (authorization) => authorization !== undefined && isGood(authorization),
    isOperator: (authorization) => isKnownKey(/^ApiKey +(\S+)$/i.exec(authorization ?? '')?.[1]),
    bearer: (authorization) => {
      if (authorization === undefined || !isGood(authorization)) return undefined;
      const claims = readToken(form.exec(authorization)?.[1] ?? '', secret());
      const key = operator().apiKeys.find((known) => digest(known).toString('base64url') === claims?.by);
      return { key: key ?? '' };
    },
    obtain: (input) => {
      const by = senderOf(input);
      if (by === undefined) return undefined;
      const { lifetimeSeconds, refreshLifetimeSeconds } = operator().token;
      const iat = seconds();
      const exp = iat + lifetimeSeconds;
      const refreshExpiresIn = iat + refreshLifetimeSeconds;
      return {
        token: signToken({ use: 'access', by, iat, exp }, secret()),
        refreshToken: signToken({ use: 'refresh', by, iat, exp: refreshExpiresIn }, secret()),
        refreshExpiresIn,
        payload: { iat, exp },
      };
    },
  };
}

interface Claims {
  readonly use: 'access' | 'refresh';
  /** Digest of the key that it was obtained with. */
  readonly by: string;
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
