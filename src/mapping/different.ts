import { isJsonObject, stringifyJson, type JsonValue } from '../domain/json.ts';
import { joinPath } from '../domain/paths.ts';

/** One value in which two payloads differ; undefined: not there. */
export interface ValueDifference {
  readonly path: string;
  readonly expected: JsonValue | undefined;
  readonly found: JsonValue | undefined;
}

/** The values that differ, each at its path. */
export function different(
  path: string,
  expected: JsonValue | undefined,
  found: JsonValue | undefined,
): ValueDifference[] {
  const [one, other] = [innerOf(expected, found), innerOf(found, expected)];
  if (one === undefined || other === undefined)
    return written(expected) === written(found) ? [] : [{ path, expected, found }];
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].flatMap((name) => different(joinPath(path, name), one.get(name), other.get(name)));
}

/** The members of a value; none of a missing one that stands beside a value with members. */
function innerOf(
  value: JsonValue | undefined,
  beside: JsonValue | undefined,
): ReadonlyMap<string, JsonValue> | undefined {
  if (value === undefined)
    return beside === undefined || innerOf(beside, beside) === undefined ? undefined : new Map();
  if (Array.isArray(value)) return new Map(value.map((item, at) => [String(at), item]));
  return isJsonObject(value) ? new Map(Object.entries(value)) : undefined;
}

function written(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : stringifyJson(value);
}
