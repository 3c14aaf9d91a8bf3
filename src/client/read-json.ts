import { isUtf8 } from 'node:buffer';
import { parseJson, type JsonValue } from '../domain/json.ts';
import type { Cause } from './failure-cause.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of a JSON text in UTF-8, without losing a digit; undefined if it is not JSON (which has no undefined
 * itself).
 */
export function readJson(bytes: Uint8Array): JsonValue | undefined {
  try {
    return parseJson(utf8.decode(bytes));
  } catch {
    // Bytes that are not UTF-8, text that is not JSON, or nested too deep to be read.
    return undefined;
  }
}

/** Why a body cannot be read as JSON: it is compressed without saying so, or in another charset, or no JSON. */
export function unreadableCause(bytes: Uint8Array, mediaType = ''): Cause {
  if (magicNumbers.some((magic) => magic.every((byte, at) => bytes[at] === byte))) return 'compressed_answer';
  if (isUtf8(bytes) && !bytes.includes(0)) return 'unreadable_answer';
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(mediaType)?.[1];
  const isOther = charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset);
  return isOther || /[/+]json\b/i.test(mediaType) ? 'answer_charset' : 'unreadable_answer';
}

/** gzip, and zstd. */
const magicNumbers = [
  [0x1f, 0x8b],
  [0x28, 0xb5, 0x2f, 0xfd],
];
