import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import { joinPath } from '../domain/paths.ts';
import type { PayloadProblem } from '../domain/problem.ts';

/** The deepest level that is searched for messages: deeper than any payload, and safe for the stack. */
const deepest = 32;

/** A problem as an answer tells it. */
export function toldProblem(code: string, path: string, detail: string): PayloadProblem {
  return { code, path, detail, severity: 'error' };
}

/**
 * Adds the messages of an error that is shaped like the payload: lists of texts or of `{detail, code}` at the
 * leaves, or one such object. False if anything in it has another form.
 */
export function addFieldMessages(
  value: JsonValue,
  path: string,
  problems: PayloadProblem[],
  depth = 0,
): boolean {
  if (isMessage(value)) {
    problems.push(messageIn(value, path));
    return true;
  }
  if (depth === deepest) return false;
  if (Array.isArray(value)) return addList(value, path, problems, depth);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).every(([key, inner]) =>
    addFieldMessages(inner, key === 'non_field_errors' ? path : joinPath(path, key), problems, depth + 1),
  );
}

/** Messages, or the items of the payload by their positions. */
function addList(list: JsonValue[], path: string, problems: PayloadProblem[], depth: number): boolean {
  const isLeaf = list.every((item) => typeof item === 'string' || isMessage(item));
  if (!isLeaf)
    return list.every((item, index) => addFieldMessages(item, joinPath(path, index), problems, depth + 1));
  for (const item of list)
    if (isJsonObject(item)) problems.push(messageIn(item, path));
    else if (typeof item === 'string' && item !== '') problems.push(toldProblem('invalid', path, item));
  return true;
}

/** An object with detail and code, either of which may be missing; what is there must be text. */
function isMessage(value: JsonValue): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const { detail, code, ...others } = value;
  const isText = [detail, code].every((text) => typeof (text ?? '') === 'string');
  return isText && (detail ?? code) !== undefined && Object.keys(others).length === 0;
}

function messageIn({ detail, code }: JsonObject, path: string): PayloadProblem {
  const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
  return toldProblem(text(code) || 'invalid', path, text(detail));
}
