import { createHmac, timingSafeEqual } from 'node:crypto';

export interface Claims {
  readonly use: 'access' | 'refresh';
  /** Seconds since the epoch. */
  readonly iat: number;
  readonly exp: number;
}

const header = encode({ alg: 'HS256', typ: 'JWT' });

/** A token in the usual three parts, signed with the platform's own secret. */
export function signToken(claims: Claims, secret: string): string {
  const unsigned = `${header}.${encode({ ...claims })}`;
  return `${unsigned}.${signature(unsigned, secret)}`;
}

/** The claims of a token that this platform signed; undefined for any other text. Expiry is the caller's to judge. */
export function readToken(token: string, secret: string): Claims | undefined {
  const cut = token.lastIndexOf('.');
  const [head, body] = [token.slice(0, cut), token.slice(cut + 1)];
  if (!head.startsWith(`${header}.`) || !same(body, signature(head, secret))) return undefined;
  return JSON.parse(Buffer.from(head.slice(header.length + 1), 'base64url').toString()) as Claims;
}

/** Compares two secrets in constant time. */
export function same(one: string, other: string): boolean {
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
