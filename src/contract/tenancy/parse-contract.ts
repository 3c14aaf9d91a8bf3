import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
} from 'yaml';
import { jsonMarks } from '../../domain/json-marks.ts';
import { countMembers, parseMarked } from '../../domain/json.ts';
import { ContractRefused } from './contract-refused.ts';

/** What a contract's file holds, JSON or YAML. Throws ContractRefused where it is neither, or has a key twice. */
export function parseContract(text: string, file?: string): unknown {
  try {
    return text.trimStart().startsWith('{') ? jsonOf(text) : yamlOf(text);
  } catch (error) {
    throw error instanceof ContractRefused ? error.at(file, error.place.line) : error;
  }
}

function jsonOf(text: string): unknown {
  const marks = jsonMarks(text);
  let value;
  try {
    value = parseMarked(text, marks);
  } catch (error) {
    throw unreadable(error);
  }
  if (countMembers(value) !== marks.members) {
    const lines = new LineCounter();
    // JSON is YAML too, and this parser knows where its keys stand.
    refuseRepeats(parseDocument(text, { uniqueKeys: false, lineCounter: lines }), lines);
  }
  return value;
}

function yamlOf(text: string): unknown {
  const lines = new LineCounter();
  // The parser's own search for repeated keys compares each key of an object with each other.
  const document = parseDocument(text, { uniqueKeys: false, lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  if (fault !== undefined) throw unreadable(fault, lines.linePos(fault.pos[0]).line);
  refuseRepeats(document, lines);
  try {
    return document.toJS();
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(cause: unknown, line?: number): ContractRefused {
  return new ContractRefused('it is neither JSON nor YAML', 'Correct it.', { cause, line });
}

function refuseRepeats(document: Document, lines: LineCounter): void {
  visit(document, {
    Map: (_at, { items }) => {
      const known = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (known.has(name))
          throw new ContractRefused(
            `an object of it has the key ${JSON.stringify(name)} twice`,
            'Remove one.',
            { line: lines.linePos(key.range?.[0] ?? 0).line },
          );
        known.add(name);
      }
    },
  });
}

/**
 * The line of a place in a contract's text, JSON or YAML, from 1: of the last of the names on the way to it that is there.
 */
export function lineOf(text: string, names: readonly string[]): number {
  const lines = new LineCounter();
  const document = parseDocument(text, { uniqueKeys: false, lineCounter: lines, prettyErrors: false });
  let at: unknown = document.contents;
  let offset = 0;
  for (const name of names) {
    if (isAlias(at)) at = at.resolve(document);
    if (isMap(at)) {
      const pair = at.items.find(({ key }) => isScalar(key) && String(key.value) === name);
      if (pair === undefined) break;
      offset = (isScalar(pair.key) ? pair.key.range?.[0] : undefined) ?? offset;
      at = pair.value;
    } else if (isSeq(at)) {
      at = at.items[Number(name)];
      offset = (isNode(at) ? at.range?.[0] : undefined) ?? offset;
    } else break;
  }
  return lines.linePos(offset).line;
}
