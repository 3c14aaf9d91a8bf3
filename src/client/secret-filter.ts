import type { HttpExchange } from './http-exchange.ts';

/** Replaces a secret in an answer. */
export const hiddenSecret = '[secret]';

/** Shorter secrets would match too much other text. In bytes. */
const shortest = 6;

/**
 * Removes secrets from a platform's answers before anybody reads them: platforms and proxies echo what they were
 * sent. A secret is found in any case, plain, percent-encoded, in JSON escapes, in hexadecimal, and in base64
 * and base64url, even within a longer encoded text.
 */
export class SecretFilter {
  readonly #secrets = new Set<string>();
  #pattern: RegExp | undefined;
  /** Pieces, in lower case: every form without escapes contains one of them. */
  #pieces: string[] = [];

  constructor(secrets: readonly string[]) {
    for (const secret of secrets) this.add(secret);
  }

  add(secret: string): void {
    if (this.#secrets.has(secret) || Buffer.byteLength(secret) < shortest) return;
    this.#secrets.add(secret);
    this.#pieces.push(...pieces(secret));
    this.#pattern = new RegExp([...this.#secrets].flatMap(forms).join('|'), 'gi');
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
  const bytes = Buffer.from(secret);
  return [
    [...bytes].map(byteForm).join(''),
    bytes.toString('hex'),
    ...[0, 1, 2].map((before) => base64Form(bytes, before)),
  ];
}

const pieceLength = 5;

/** A piece of each form that is the same in all spellings; '' if there is none. */
function pieces(secret: string): string[] {
  const bytes = Buffer.from(secret);
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
