import { jsonMarks } from '../../../domain/json-marks.ts';
import { countMembers, parseMarked, type JsonValue } from '../../../domain/json.ts';
import { lineEndsInText } from '../../physical-lines.ts';
import { encodingRemedy, type FileTable } from '../../table.ts';
import { deepest, walkJson } from './walk.ts';

/** A fault of a record that can be parsed nevertheless, and its place. */
export interface JsonFault {
  readonly code:
    'duplicate_key' | 'null_characters_not_allowed' | 'surrogate_characters_not_allowed' | 'invalid_encoding';
  readonly detail: string;
  /** Dotted path of the value. */
  readonly path: string;
  /** Line ends of the text before it. */
  readonly lines: number;
  /** Whether a key has the fault, so that it is not known which value the record has. */
  readonly isOfKey: boolean;
}

type StatedEncoding = Pick<FileTable, 'encoding' | 'fitting'>;

export interface ParsedRecord {
  readonly value: JsonValue;
  /** In the order of the text; the first hundred. */
  readonly faults: readonly JsonFault[];
}

/**
 * What a text is parsed to; undefined if it is not JSON, or nested too deep to be walked. `encoding`: that
 * of the file, if U+FFFD in the text replaces bytes that are invalid in it.
 */
export function parsedRecord(text: string, encoding?: StatedEncoding): ParsedRecord | undefined {
  const marks = jsonMarks(text);
  if (marks.depth > deepest) return undefined;
  let value: JsonValue;
  try {
    value = parseMarked(text, marks);
  } catch {
    // The error is not used: its message quotes the text.
    return undefined;
  }
  const isSuspect = countMembers(value) !== marks.members || (text.includes('\\u') && badEscape.test(text));
  return { value, faults: isSuspect || encoding !== undefined ? faultsIn(text, encoding) : [] };
}

/** Only an escape can produce either: those in the file itself were found when it was decoded. */
const badEscape = /\\u(?:0000|[dD][89a-fA-F])/;

const mostFaults = 100;

/**
 * The faults of a JSON text that its parser ignores: a key that an object has twice, where the last would
 * win, and characters that no text can contain.
 */
function faultsIn(text: string, encoding: StatedEncoding | undefined): JsonFault[] {
  const found: JsonFault[] = [];
  walkJson(text, (position) => {
    if (found.length === mostFaults) return;
    const { at, name, isRepeated } = position;
    const ofKey = characterFault(name, encoding);
    const ofValue = text[at] === '"' ? characterFault(stringAt(text, at), encoding) : undefined;
    const fault = isRepeated ? repeated : (ofKey ?? ofValue);
    if (fault === undefined) return;
    // A fault of a key is reported at the path of its value.
    const path = shown(position.path());
    found.push({ ...fault, path, lines: lineEndsInText(text.slice(0, at)), isOfKey: ofKey !== undefined });
  });
  return found;
}

const repeated = {
  code: 'duplicate_key',
  detail: 'The object has this key twice. Keep the correct one.',
} as const;

const halfCharacter = /\p{Surrogate}/u;

function characterFault(
  text: string,
  encoding: StatedEncoding | undefined,
): Pick<JsonFault, 'code' | 'detail'> | undefined {
  if (encoding !== undefined && text.includes('\ufffd'))
    return {
      code: 'invalid_encoding',
      detail: `The value has a byte that is not ${encoding.encoding}. ${encodingRemedy(encoding)}, or correct the value.`,
    };
  if (text.includes('\0'))
    return {
      code: 'null_characters_not_allowed',
      detail: String.raw`The text contains a NUL character (\u0000). Remove it.`,
    };
  if (!halfCharacter.test(text)) return undefined;
  return {
    code: 'surrogate_characters_not_allowed',
    detail: String.raw`The text contains half a surrogate pair (\uD800 to \uDFFF alone). Correct it, or export it again.`,
  };
}

/** A path is written to files that cannot hold such characters either. */
function shown(path: string): string {
  return path.replaceAll(
    /\0|\p{Surrogate}/gu,
    (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function stringAt(text: string, at: number): string {
  const pattern = /[^"\\]{1,4096}|\\[\s\S]/y;
  pattern.lastIndex = at + 1;
  let end = pattern.lastIndex;
  while (pattern.test(text)) end = pattern.lastIndex;
  return JSON.parse(text.slice(at, end + 1)) as string;
}
