import { jsonMarks } from '../../../domain/json-marks.ts';
import { countMembers, parseMarked, type JsonValue } from '../../../domain/json.ts';
import { lineEndsInText } from '../../physical-lines.ts';
import { deepest, walkJson } from './walk.ts';

/** What is wrong with a record that is JSON all the same, and where. */
export interface JsonFault {
  readonly code: 'duplicate_key' | 'null_characters_not_allowed' | 'surrogate_characters_not_allowed';
  readonly detail: string;
  /** Dotted path of the value. */
  readonly path: string;
  /** Line ends of the text before it. */
  readonly lines: number;
}

/** What a text is parsed to; undefined where it is not JSON, or nested too deep to be walked. */
export function parsedRecord(
  text: string,
): { readonly value: JsonValue; readonly fault?: JsonFault } | undefined {
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
  const fault = isSuspect ? firstFault(text) : undefined;
  return { value, ...(fault === undefined ? {} : { fault }) };
}

/** An escape is the only way to either: what stands in the file itself was found when it was decoded. */
const badEscape = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * The first fault of a JSON text that its parser passes over: a key that its object has twice, of which the last would
 * win, or a character that no text can hold.
 */
function firstFault(text: string): JsonFault | undefined {
  let found: JsonFault | undefined;
  walkJson(text, (position) => {
    if (found !== undefined) return;
    const { at, name, isRepeated } = position;
    const isText = text[at] === '"';
    // A fault of a key is told by the path of its value.
    const fault = isRepeated ? repeated : characterFault(isText ? name + stringAt(text, at) : name);
    if (fault !== undefined)
      found = { ...fault, path: shown(position.path()), lines: lineEndsInText(text.slice(0, at)) };
  });
  return found;
}

const repeated = {
  code: 'duplicate_key',
  detail: 'The object has this key twice. Keep the correct one.',
} as const;

const halfCharacter = /\p{Surrogate}/u;

function characterFault(text: string): Pick<JsonFault, 'code' | 'detail'> | undefined {
  if (text.includes('\0'))
    return {
      code: 'null_characters_not_allowed',
      detail: String.raw`The text contains a NUL character (\u0000). Remove it.`,
    };
  if (!halfCharacter.test(text)) return undefined;
  return {
    code: 'surrogate_characters_not_allowed',
    detail: String.raw`The text contains half a character (\uD800 to \uDFFF alone). Correct it, or export it again.`,
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
