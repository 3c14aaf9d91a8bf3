import {
  ExactNumber,
  isJsonObject,
  numberText,
  parseJson,
  type JsonObject,
  type JsonValue,
} from '../domain/json.ts';
import { joinPath } from '../domain/paths.ts';
import { endpoints, type Endpoint } from './endpoints.ts';

/** A value is found anywhere in a text from this length on; a shorter one only as a whole word. */
const shortest = 4;

/** They are words of any sentence. */
const oneOrTwoLetters = /^\p{L}{0,2}$/u;
const shortNumber = /^\d{0,3}$/;

/** No code and no message worth telling is longer, in characters. */
const longestText = 2000;

/**
 * The values of everything that the platform is sent about one account, found in what others say. They are collected when a
 * text is searched for the first time, so that a text costs the same however large the account is.
 */
export class SentValues {
  readonly #bodies: () => Iterable<string | Buffer>;
  #collected: Collected | undefined;

  /** `bodies`: serialised JSON, as text or in UTF-8. */
  constructor(bodies: () => Iterable<string | Buffer>) {
    this.#bodies = bodies;
  }

  /**
   * Whether a text contains a value, in any case; a text of more than 2,000 characters counts as one that does. A word of
   * the interface (of an enumeration) is no customer's data, and a short number is in many codes.
   */
  repeatedIn(text: string): boolean {
    const lower = plain(text).toLowerCase();
    if (this.#values().paths.size === 0) return false;
    if (lower.length > longestText) return true;
    const isData = (value: string): boolean => !shortNumber.test(value) && !interfaceWords().has(value);
    for (let at = 0; at < lower.length; at += 1)
      if (this.#longestAt(lower, at, isData) !== undefined) return true;
    return false;
  }

  /**
   * A text with each value replaced by its path, such as `<customers.0.family_name>`; at least its first `most` characters
   * after that.
   */
  replacedIn(text: string, most: number): string {
    const written = plain(text);
    const lower = written.toLowerCase();
    // Some letters are longer in lower case.
    const shown = lower.length === written.length ? written : lower;
    const { paths } = this.#values();
    const isTelling = (value: string): boolean => !oneOrTwoLetters.test(value);
    let replaced = '';
    for (let at = 0; at < lower.length;) {
      const character = shown[at] ?? '';
      // What looks like an address is found in whole words only.
      if (replaced.length >= (character === ' ' ? most : 2 * most)) break;
      const value = this.#longestAt(lower, at, isTelling);
      replaced += value === undefined ? character : `<${paths.get(value) ?? ''}>`;
      at += value?.length ?? 1;
    }
    return replaced;
  }

  #longestAt(text: string, at: number, counts: (value: string) => boolean): string | undefined {
    const { paths, lengths } = this.#values();
    for (const length of lengths) {
      const end = at + length;
      if (end > text.length) continue;
      const value = text.slice(at, end);
      if (paths.has(value) && counts(value) && (length >= shortest || isWholeWord(text, at, end)))
        return value;
    }
    return undefined;
  }

  #values() {
    return (this.#collected ??= collected(this.#bodies()));
  }
}

interface Collected {
  /** The path of each value, which is in lower case. */
  readonly paths: ReadonlyMap<string, string>;
  /** The longest first: one value may be part of another. */
  readonly lengths: readonly number[];
}

function collected(bodies: Iterable<string | Buffer>): Collected {
  const paths = new Map<string, string>();
  for (const body of bodies)
    for (const [path, leaf] of body.length === 0 ? [] : leavesOf(parseJson(body.toString()), '')) {
      const value = leaf.toLowerCase();
      if (value !== '' && !paths.has(value)) paths.set(value, path);
    }
  const lengths = new Set([...paths.keys()].map(({ length }) => length));
  return { paths, lengths: [...lengths].sort((a, b) => b - a) };
}

/** The values of a request without data about an account. */
export const nothingSent = new SentValues(() => []);

function plain(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

function* leavesOf(value: JsonValue, path: string): Generator<readonly [path: string, value: string]> {
  if (typeof value === 'string') yield [path, plain(value)];
  else if (Array.isArray(value))
    for (const [at, inner] of value.entries()) yield* leavesOf(inner, joinPath(path, at));
  else if (isJsonObject(value))
    for (const [key, inner] of Object.entries(value)) yield* leavesOf(inner, joinPath(path, key));
  else if (typeof value === 'number' || value instanceof ExactNumber) yield [path, numberText(value) ?? ''];
}

function isWholeWord(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - 2), from);
  return !/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(text.slice(to, to + 2));
}

let words: ReadonlySet<string> | undefined;

/** The values that the interface gives fields, closed or by example, in lower case. */
function interfaceWords(): ReadonlySet<string> {
  return (words ??= new Set(
    Object.values(endpoints).flatMap(({ request }: Endpoint) => [...wordsOf(request ?? {})]),
  ));
}

function* wordsOf(schema: JsonObject): Generator<string> {
  for (const [key, inner] of Object.entries(schema)) {
    if (Array.isArray(inner) && (key === 'enum' || key === 'examples')) {
      for (const word of inner) if (typeof word === 'string') yield word.toLowerCase();
      continue;
    }
    for (const form of Array.isArray(inner) ? inner : [inner]) if (isJsonObject(form)) yield* wordsOf(form);
  }
}
