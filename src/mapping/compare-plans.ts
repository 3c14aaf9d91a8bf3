import type { Cell } from '../domain/cell.ts';
import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '../domain/json.ts';
import { joinPath } from '../domain/paths.ts';
import { sections } from './payload-shape.ts';
import type { AccountPlan } from './plan.ts';

/** What the mapping makes, by section, if it makes a plan; elements of a list section are those of all its requests. */
export function madeSections(plan: AccountPlan | undefined): JsonObject {
  if (plan === undefined) return {};
  const made: JsonObject = { account: plan.payload };
  for (const { name, step, field } of sections) {
    const payloads = plan.extras[step];
    const values = field === undefined ? payloads : payloads.flatMap((payload) => payload[field] ?? []);
    if (values.length > 0) made[name] = [...values];
  }
  return made;
}

/** Where a value of a section was read; its path begins with the section's name. */
export function locateMade(plan: AccountPlan, path: string): Cell | undefined {
  const [name, index = '', ...rest] = path.split('.');
  const section = sections.find((one) => one.name === name);
  if (name === 'account') return plan.locate('stage', path.split('.').slice(1).join('.'));
  if (section === undefined) return undefined;
  const { step, field } = section;
  if (field === undefined) return plan.locate(step, rest.join('.'), Number(index));
  return plan.locate(step, [field, index, ...rest].join('.'));
}

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

/** The members of a value; an empty map if it is missing and the other value has members. */
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
