import type { Refusal } from '../contract/refusal.ts';
import { ExactNumber, isJsonObject, parseJson, type JsonValue } from '../domain/json.ts';
import { joinPath } from '../domain/paths.ts';

/** The most characters. */
const longest = 200;
const mostMessages = 3;

/** A value this short is only replaced if it is a whole word. One or two letters say nothing, and are words of any sentence. */
const shortest = 4;
const saysNothing = /^\p{L}{0,2}$/u;

/** The pattern of an email address without its `@`, so that a long word is scanned once. */
const word = /[^\s<>"'()]+/g;
/** Six digits or more, even in groups. */
const longNumber = /\+?\d(?:[\s./()-]{0,2}\d){5,}/g;

/**
 * The messages of a refusal for the journal, without the customer's data, shortened; undefined if there are none.
 * Every value of the payloads that were sent is replaced by its path, then everything that looks like an email address
 * or a long number.
 */
export function platformWords(
  { problems, detail }: Refusal,
  ...sent: readonly (string | Buffer)[]
): string | undefined {
  const messages = new Set(problems.map((problem) => problem.detail).filter((said) => said !== ''));
  const said = plain([...(messages.size === 0 ? [detail] : messages)].slice(0, mostMessages).join('; '));
  if (said === '') return undefined;
  const words = withoutValues(said, sent)
    .replaceAll(word, (found) => (found.slice(1, -1).includes('@') ? '<email>' : found))
    .replaceAll(longNumber, '<number>');
  return words.length > longest ? `${words.slice(0, longest - 1)}…` : words;
}

function plain(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

function withoutValues(said: string, sent: readonly (string | Buffer)[]): string {
  const lower = said.toLowerCase();
  const paths = new Map<string, string>();
  for (const body of sent)
    for (const [path, value] of leaves(parseJson(body.toString()), ''))
      if (!saysNothing.test(value) && lower.includes(value.toLowerCase()) && !paths.has(value.toLowerCase()))
        paths.set(value.toLowerCase(), path);
  if (paths.size === 0) return said;
  // The longest first: one value may be part of another.
  const values = [...paths.keys()].sort((a, b) => b.length - a.length);
  const pattern = values.map((value) =>
    value.length < shortest ? String.raw`(?<![\p{L}\p{N}])${escaped(value)}(?![\p{L}\p{N}])` : escaped(value),
  );
  return said.replaceAll(
    new RegExp(pattern.join('|'), 'giu'),
    (found) => `<${paths.get(found.toLowerCase()) ?? ''}>`,
  );
}

function* leaves(value: JsonValue, path: string): Generator<readonly [path: string, value: string]> {
  if (typeof value === 'string') yield [path, plain(value)];
  else if (Array.isArray(value))
    for (const [at, inner] of value.entries()) yield* leaves(inner, joinPath(path, at));
  else if (isJsonObject(value))
    for (const [key, inner] of Object.entries(value)) yield* leaves(inner, joinPath(path, key));
  else if (typeof value === 'number' || value instanceof ExactNumber) yield [path, String(value)];
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/]/g, String.raw`\$&`);
}
