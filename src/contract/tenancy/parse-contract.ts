import { isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import { jsonMarks } from '../../domain/json-marks.ts';
import { countMembers, parseMarked } from '../../domain/json.ts';
import { ContractRefused } from './contract-refused.ts';

/** What a contract's text holds, JSON or YAML. Throws ContractRefused where it is neither, or has a key twice. */
export function parseContract(text: string): unknown {
  return text.trimStart().startsWith('{') ? jsonOf(text) : yamlOf(text);
}

function jsonOf(text: string): unknown {
  const marks = jsonMarks(text);
  let value;
  try {
    value = parseMarked(text, marks);
  } catch (error) {
    throw unreadable('', error);
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
  if (fault !== undefined) throw unreadable(`: see its line ${lines.linePos(fault.pos[0]).line}`, fault);
  refuseRepeats(document, lines);
  try {
    return document.toJS();
  } catch (error) {
    throw unreadable('', error);
  }
}

function unreadable(place: string, cause: unknown): ContractRefused {
  return new ContractRefused(`it is neither JSON nor YAML${place}. Correct it.`, { cause });
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
            `an object of it has the key ${JSON.stringify(name)} twice: see its line ${lines.linePos(key.range?.[0] ?? 0).line}. Remove one.`,
          );
        known.add(name);
      }
    },
  });
}
