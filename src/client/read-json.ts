import { parseJson, type JsonValue } from '../domain/json.ts';

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
