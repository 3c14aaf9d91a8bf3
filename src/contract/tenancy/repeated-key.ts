import { isScalar, visit, type Document } from 'yaml';

/** A key that a map of a YAML document has twice. */
export interface RepeatedKey {
  readonly name: string;
  /** Where it is written the second time, in characters from the start. */
  readonly offset: number;
}

/**
 * The first key that is repeated in a map. The parser's own search compares each key of a map with each other: parse with
 * `uniqueKeys: false`.
 */
export function repeatedKey(document: Document): RepeatedKey | undefined {
  let found: RepeatedKey | undefined;
  visit(document, {
    Map(_at, { items }) {
      const known = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (known.has(name)) {
          found = { name, offset: key.range?.[0] ?? 0 };
          return visit.BREAK;
        }
        known.add(name);
      }
      return undefined;
    },
  });
  return found;
}
