import type { HttpExchange } from './http-exchange.ts';

/** What stands in an answer in place of a secret. */
export const hiddenSecret = '[secret]';

/** Below this length a secret would be found in what is none. In bytes. */
const shortest = 6;

/**
 * Takes secrets out of what a platform answers, before anybody reads it: platforms and proxies echo what they were
 * sent. A secret is found in any case, as it is, percent-encoded, in the escapes of JSON, in hexadecimal, and in base64
 * and base64url, also within a longer text that was encoded.
 */
export class SecretFilter {
  readonly #secrets = new Set<string>();
  #pattern: RegExp | undefined;
  /** Pieces of which one is in every form without escapes, in lower case. */
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

  /** The bytes without secrets; the same ones where there was none. JSON stays JSON. */
  bytes(bytes: Buffer): Buffer {
    if (this.#pattern === undefined) return bytes;
    const text = bytes.toString('latin1');
    if (!this.#isSuspect(text)) return bytes;
    const filtered = text.replace(this.#pattern, hiddenSecret);
    return filtered === text ? bytes : Buffer.from(filtered, 'latin1');
  }

  /** Every answer is asked this, and the pattern takes ten times as long. */
  #isSuspect(text: string): boolean {
    const lower = text.toLowerCase();
    return text.includes('%') || text.includes('\\') || this.#pieces.some((piece) => lower.includes(piece));
  }

  text(text: string): string {
    return this.bytes(Buffer.from(text)).toString();
  }

  exchange(exchange: HttpExchange): HttpExchange {
    return exchange.kind === 'reply' ? { ...exchange, body: this.bytes(exchange.body) } : exchange;
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

/** A piece of each form that none of the ways to write it changes; '' where there is none. */
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

/** As JSON may have it too: a slash may stand behind a backslash. */
function literal(character: string): string {
  const escaped = /[\w-]/.test(character) ? character : `\\x${character.charCodeAt(0).toString(16)}`;
  return /["\\/]/.test(character) ? `\\\\?${escaped}` : escaped;
}

/** The characters of base64 that a secret alone decides where so many bytes (0 to 2) stand before it in their group. */
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
