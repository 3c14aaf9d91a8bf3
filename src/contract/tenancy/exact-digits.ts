import { ExactNumber, isJsonObject, numberText, type JsonObject, type JsonValue } from '../../domain/json.ts';

/** The digits of numbers that no float can hold, by the object or array that has them and their name in it. */
const digitsIn = new WeakMap<object, Map<string | number, string>>();

/**
 * The value with floats in place of the numbers that no float can hold: a schema would not know those for numbers. Their
 * digits are kept for `digitsOf`.
 */
export function withFloats(value: JsonValue): JsonValue {
  return value instanceof ExactNumber ? Number(value.value) : holdsExact(value) ? copied(value) : value;
}

function holdsExact(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof ExactNumber) return true;
  if (Array.isArray(value)) return value.some(holdsExact);
  for (const name in value) if (holdsExact(value[name] as JsonValue)) return true;
  return false;
}

function copied(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const list: JsonValue[] = [];
    for (const [index, item] of value.entries()) list.push(inside(list, index, item));
    return list;
  }
  if (!isJsonObject(value)) return value;
  const object: JsonObject = {};
  for (const [name, item] of Object.entries(value))
    // A member of the name __proto__ is a member like any other.
    Object.defineProperty(object, name, {
      value: inside(object, name, item),
      ...{ enumerable: true, configurable: true, writable: true },
    });
  return object;
}

function inside(holder: object, name: string | number, item: JsonValue): JsonValue {
  if (!(item instanceof ExactNumber)) return copied(item);
  const known = digitsIn.get(holder) ?? new Map<string | number, string>();
  digitsIn.set(holder, known.set(name, item.value));
  return Number(item.value);
}

/** The digits of a number, or a text, within what holds it; undefined for other values. */
export function digitsOf(
  value: unknown,
  holder: object | undefined,
  name: string | number,
): string | undefined {
  return (holder && digitsIn.get(holder)?.get(name)) ?? numberText(value);
}
