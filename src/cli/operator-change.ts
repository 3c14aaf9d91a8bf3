import { parse } from 'yaml';
import { exitCodes } from '../domain/exit-codes.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import { CannotStart } from '../app/cannot-start.ts';

/**
 * Reads each `--set key.path=value` into one merge patch, later ones overriding earlier ones; the value is YAML.
 * Throws CannotStart if one cannot be read.
 */
export function operatorChange(texts: readonly string[]): JsonObject {
  return texts.reduce(withChange, {});
}

function withChange(before: JsonObject, text: string): JsonObject {
  const at = text.indexOf('=');
  const path = text.slice(0, at).split('.');
  if (at < 1 || path.includes(''))
    throw new CannotStart(exitCodes.usage, '--set: give a key and a value, such as process.cap=4.');
  return withValue(before, path, scalar(text.slice(0, at), text.slice(at + 1)));
}

function scalar(key: string, text: string): JsonValue {
  try {
    return parse(text) as JsonValue;
  } catch {
    throw new CannotStart(exitCodes.usage, `--set: the value of ${key} is not valid YAML. Put it in quotes.`);
  }
}

function withValue(
  target: JsonObject,
  [name = '', ...rest]: readonly string[],
  value: JsonValue,
): JsonObject {
  const inner = target[name];
  const changed = rest.length === 0 ? value : withValue(isJsonObject(inner) ? inner : {}, rest, value);
  return { ...target, [name]: changed };
}
