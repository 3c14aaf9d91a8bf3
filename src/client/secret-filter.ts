import type { HttpExchange } from './http-exchange.ts';

/** Replaces a secret in an answer. */
export const hiddenSecret = '[secret]';

/** Shorter secrets would match too much other text. In bytes. */
const shortest = 6;

/** How much of a secret is looked for; behind it, everything to the end of the word is hidden. In bytes. */
const longest = 1024;
const restOfWord = String.raw`(?:\\.|[^\s"\\<>])*`;

/** Tokens that are looked for after they were renewed. */
const keptTokens = 4;

function isLong(secret: string): boolean {
  return Buffer.byteLength(secret) >= shortest;
}

/**
 * Removes secrets from a platform's answers before anybody reads them: platforms and proxies echo what they were
 * sent. A secret is found in any case, plain, percent-encoded, in JSON escapes, in hexadecimal, and in base64
 * and base64url, even within a longer encoded text.
 */
export class SecretFilter {
  readonly #always: ReadonlySet<string>;
  /** Tokens, the latest last, and the requests under way with each. */
  readonly #tokens = new Map<
    string,
    { underWay: number; readonly forms: string; readonly pieces: readonly string[] }
  >();
  #pattern: RegExp | undefined;
  /** Pieces, in lower case: every form without escapes contains one of them. */
  #pieces: string[] = [];

  /** `secrets` are looked for at any time. */
  constructor(secrets: readonly string[]) {
    this.#always = new Set(secrets.filter(isLong));
    this.#build();
  }

  /** A request leaves with this token, which is looked for until `release`, and as long as it is one of the last few. */
  hold(token: string): void {
    const before = this.#tokens.get(token);
    if (before !== undefined) before.underWay += 1;
    else if (isLong(token) && !this.#always.has(token)) {
      this.#tokens.set(token, { underWay: 1, forms: forms(token).join('|'), pieces: pieces(token) });
      this.#forgetOld();
      this.#build();
    }
  }

  /** The answer to a request with this token was read. */
  release(token: string): void {
    const before = this.#tokens.get(token);
    if (before !== undefined) before.underWay -= 1;
  }

  #forgetOld(): void {
    let surplus = this.#tokens.size - keptTokens;
    for (const [token, { underWay }] of this.#tokens) {
      if (surplus <= 0) return;
      if (underWay > 0) continue;
      this.#tokens.delete(token);
      surplus -= 1;
    }
  }

  #build(): void {
    const tokens = [...this.#tokens.values()];
    this.#pieces = [...[...this.#always].flatMap(pieces), ...tokens.flatMap((token) => token.pieces)];
    const all = [...[...this.#always].flatMap(forms), ...tokens.map((token) => token.forms)];
    this.#pattern = all.length === 0 ? undefined : new RegExp(all.join('|'), 'gi');
  }

  /** The bytes without secrets; the same bytes if there was none. JSON stays JSON. */
  bytes(bytes: Buffer): Buffer {
    if (this.#pattern === undefined) return bytes;
    const text = bytes.toString('latin1');
    if (!this.#isSuspect(text)) return bytes;
    const filtered = text.replace(this.#pattern, hiddenSecret);
    return filtered === text ? bytes : Buffer.from(filtered, 'latin1');
  }

  /** A cheap test for every answer, because the pattern is much slower. */
  #isSuspect(text: string): boolean {
    const lower = text.toLowerCase();
    return text.includes('%') || text.includes('\\') || this.#pieces.some((piece) => lower.includes(piece));
  }

  text(text: string): string {
    return this.bytes(Buffer.from(text)).toString();
  }

  exchange(exchange: HttpExchange): HttpExchange {
    if (exchange.kind !== 'reply') return exchange;
    const body = this.bytes(exchange.body);
    return body === exchange.body ? exchange : { ...exchange, body };
  }
}

/** Patterns of all forms that a secret may take, each character one byte. */
function forms(secret: string): string[] {
  const whole = Buffer.from(secret);
  const bytes = whole.subarray(0, longest);
  const rest = whole.length > longest ? restOfWord : '';
  return [
    [...bytes].map(byteForm).join(''),
    bytes.toString('hex'),
    ...[0, 1, 2].map((before) => base64Form(bytes, before)),
  ].map((form) => form + rest);
}

const pieceLength = 5;

/** A piece of each form that is the same in all spellings; '' if there is none. */
function pieces(secret: string): string[] {
  const bytes = Buffer.from(secret).subarray(0, longest);
  const encoded = [0, 1, 2].map((before) => base64Core(bytes, before));
  const plain = new RegExp(`[a-z0-9]{${pieceLength}}`);
  return [
    bytes.toString('latin1').slice(0, pieceLength).toLowerCase(),
    bytes.toString('hex').slice(0, pieceLength),
    ...encoded.map((core) => plain.exec(core.toLowerCase())?.[0] ?? ''),
  ];
}

function byteForm(byte: number): string {
  const hex = byte.toString(16).padStart(2, '0');
  return `(?:${literal(String.fromCharCode(byte))}|%(?:25)*${hex}|\\\\u00${hex})`;
}

/** JSON may also escape a slash with a backslash. */
function literal(character: string): string {
  const escaped = /[\w-]/.test(character) ? character : `\\x${character.charCodeAt(0).toString(16)}`;
  return /["\\/]/.test(character) ? `\\\\?${escaped}` : escaped;
}

/** The base64 characters that depend on the secret alone if this many bytes (0 to 2) precede it in their group. */
function base64Core(bytes: Buffer, before: number): string {
  const whole = Buffer.concat([Buffer.alloc(before), bytes]);
  const from = Math.ceil((before * 8) / 6);
  const to = Math.floor((whole.length * 8) / 6);
  return whole.toString('base64').slice(from, to);
}

function base64Form(bytes: Buffer, before: number): string {
  return base64Core(bytes, before)
    .replaceAll('/', String.raw`(?:\\?/|_|%2f)`)
    .replaceAll('+', '(?:[+-]|%2b)');
}
