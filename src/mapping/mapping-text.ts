import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml';
import type { Cell } from '../domain/cell.ts';
import { escapedPathRemedy } from '../domain/escaped-path.ts';
import type { Problem } from '../domain/problem.ts';
import { isJsonObject, type JsonValue } from '../domain/json.ts';
import { repeatedKey } from '../contract/tenancy/repeated-key.ts';
import { joinPath } from '../domain/paths.ts';
import { mappingProblem } from './mapping-problem.ts';

export type KeyPath = readonly (string | number)[];

/** A mapping file's content, with the line of each key. */
export interface MappingText {
  /** Texts, arrays and plain objects: numbers and booleans of a mapping file are read as written. */
  readonly content: JsonValue;
  /** The line of a key; its column is the dotted path of keys. For a missing key, the line of the enclosing key. */
  cell(path: KeyPath): Cell;
}

export function parseMappingText(file: string, text: string): MappingText | { readonly problems: Problem[] } {
  const lines = new LineCounter();
  // No tag resolution: 0123, NO and 12.50 stay as written until a field's kind converts them.
  const document = parseDocument(text, {
    ...{ schema: 'failsafe', uniqueKeys: false },
    ...{ lineCounter: lines, prettyErrors: false },
  });
  const fault = (offset: number, detail: string): Problem => {
    const { line, col } = lines.linePos(offset);
    return mappingProblem('mapping_syntax', { file, line, column: String(col) }, detail);
  };
  // Text after the first error is usually misread.
  const [first] = document.errors.sort((one, other) => one.pos[0] - other.pos[0]);
  if (first !== undefined) return { problems: [fault(...syntaxFault(document, text, first))] };
  const repeated = repeatedKey(document);
  if (repeated !== undefined)
    return { problems: [fault(repeated.offset, `The key ${repeated.name} is here twice. Remove one.`)] };
  const problems: Problem[] = [];
  const anchors = new Map<string, Node>();
  /** Computed once: the library searches the whole document for each alias. */
  const targets = new Map<Alias, Node>();
  visit(document, {
    Value(_key, node) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
    Alias(_key, alias, around) {
      const target = anchors.get(alias.source);
      if (target !== undefined) targets.set(alias, target);
      const offset = startOf(alias, 0);
      if (target === undefined)
        problems.push(
          fault(
            offset,
            `There is no anchor &${alias.source} before this. Write it first, or correct the name.`,
          ),
        );
      else if (around.includes(target))
        problems.push(fault(offset, `The anchor &${alias.source} contains itself.`));
    },
  });
  if (problems.length > 0) return { problems };
  try {
    const content = document.toJS() as JsonValue;
    const places = new Places(document, targets);
    const cell = (path: KeyPath): Cell => ({
      file,
      line: lines.linePos(places.offsetOf(path)).line,
      column: joinPath(...path),
    });
    const unusable = [...unusableKeys(content)].map((path) =>
      mappingProblem(
        'unknown_field',
        cell(path),
        'The key __proto__ cannot be used: programs take it for something else. Use another name.',
      ),
    );
    return unusable.length > 0 ? { problems: unusable } : { content, cell };
  } catch (error) {
    // Nested anchors that would expand without limit.
    if (!(error instanceof ReferenceError)) throw error;
    return { problems: [fault(0, 'Its aliases expand to too much. Write some of them out.')] };
  }
}

/** Keys that would be lost wherever an object is copied. */
function* unusableKeys(value: JsonValue, path: KeyPath = []): Generator<KeyPath> {
  if (Array.isArray(value)) for (const [at, one] of value.entries()) yield* unusableKeys(one, [...path, at]);
  if (!isJsonObject(value)) return;
  for (const [key, one] of Object.entries(value))
    if (key === '__proto__') yield [...path, key];
    else yield* unusableKeys(one, [...path, key]);
}

/** Where the text stops being YAML, and why; for something never closed, where it opens. */
function syntaxFault(
  document: Document,
  text: string,
  { code, message, pos: [end] }: YAMLParseError,
): [offset: number, detail: string] {
  if (code === 'MULTIPLE_DOCS')
    return [end, 'A mapping file is one document. Remove this line, or what comes before it.'];
  if (code === 'BAD_DQ_ESCAPE') return [end, `This is not valid YAML: ${escapedPathRemedy}.`];
  let opened: number | undefined;
  visit(document, {
    Node(_key, node) {
      const [start, stop] = node.range ?? [0, 0];
      if (stop === end && closes.has(text.charAt(start)) && (isScalar(node) || isCollection(node)))
        opened = start;
    },
  });
  if (opened === undefined || !['BAD_INDENT', 'MISSING_CHAR'].includes(code))
    return [end, `This is not valid YAML: ${message}.`];
  const opening = text.charAt(opened);
  return [opened, `This is not valid YAML: this ${opening} is never closed. Add the ${closes.get(opening)}.`];
}

const closes = new Map([
  ['{', '}'],
  ['[', ']'],
  ['"', '"'],
  ["'", "'"],
]);

/** Where keys are in the text. */
class Places {
  readonly #document: Document;
  readonly #targets: ReadonlyMap<Alias, Node>;
  /** Lists of codes may be long. */
  readonly #members = new Map<YAMLMap, ReadonlyMap<string, Pair>>();

  constructor(document: Document, targets: ReadonlyMap<Alias, Node>) {
    this.#document = document;
    this.#targets = targets;
  }

  /** Where the key at the end of the path begins. */
  offsetOf(path: KeyPath): number {
    let node: unknown = this.#document.contents;
    let offset = 0;
    for (const name of path) {
      if (isAlias(node)) node = this.#targets.get(node);
      if (isMap(node)) {
        const pair = this.#membersOf(node).get(String(name));
        if (pair === undefined) return offset;
        offset = startOf(pair.key, offset);
        node = pair.value;
      } else if (isSeq(node) && node.items[Number(name)] !== undefined) {
        node = node.items[Number(name)];
        offset = startOf(node, offset);
      } else return offset;
    }
    return offset;
  }

  #membersOf(map: YAMLMap): ReadonlyMap<string, Pair> {
    const known = this.#members.get(map);
    if (known !== undefined) return known;
    const members = new Map(
      map.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : [])),
    );
    this.#members.set(map, members);
    return members;
  }
}

function startOf(node: unknown, otherwise: number): number {
  return isNode(node) ? (node.range?.[0] ?? otherwise) : otherwise;
}
