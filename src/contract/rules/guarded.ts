import { ExactNumber, type JsonValue } from '../../domain/json.ts';

/** What of a payload could not be read, by dotted paths into it. */
export interface Unread {
  /** Values that are missing or not what their field demands; '' is the whole payload. */
  readonly values: ReadonlySet<string>;
  /** Arrays that lack elements, because rows of the export could not be read. */
  readonly lists: ReadonlySet<string>;
}

/** Thrown where a rule reads what could not be read. */
class UnreadInput extends Error {
  override readonly name = 'UnreadInput';
}

/** How many elements a guarded array has, whether or not some are missing. */
const lengths = new WeakMap<object, number>();

/**
 * The payload, to be read by rules: reading a value that could not be read, or counting an array that lacks elements,
 * ends what `attempt` or `each` runs at that point. Everything that can be read is as the schema has it.
 */
export function guarded<Payload>(payload: Payload | JsonValue, unread: Unread): Payload {
  // All that does not fit the schema throws when it is read, so what can be read is a Payload.
  return guard(payload, '', unread) as Payload;
}

function guard(value: unknown, path: string, unread: Unread): unknown {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  const isList = Array.isArray(value);
  const lacksElements = isList && unread.lists.has(path);
  const view = new Proxy(value, {
    get(target, name, receiver) {
      const inner: unknown = Reflect.get(target, name, receiver);
      if (typeof name === 'symbol') return inner;
      if (lacksElements && name === 'length') throw new UnreadInput();
      if (isList && !/^\d+$/.test(name)) return inner;
      const at = path === '' ? name : `${path}.${name}`;
      if (unread.values.has(at)) throw new UnreadInput();
      // An array none of whose rows could be read is not there, and lacks elements all the same.
      return guard(inner === undefined && unread.lists.has(at) ? [] : inner, at, unread);
    },
  });
  if (isList) lengths.set(view, value.length);
  return view;
}

/** Runs one check. It is skipped from the point on where it reads what could not be read. */
export function attempt(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof UnreadInput)) throw error;
  }
}

/**
 * Runs a check of one element for every element there is. An element whose check reads what could not be read is skipped,
 * and no other is. A check of the array as a whole (a sum, a count) reads the array itself instead.
 */
export function each<Item>(
  items: readonly Item[] | undefined,
  check: (item: Item, index: number) => void,
): void {
  if (items === undefined) return;
  const length = lengths.get(items) ?? items.length;
  for (let index = 0; index < length; index += 1)
    try {
      // The index is within the array.
      check(items[index] as Item, index);
    } catch (error) {
      if (!(error instanceof UnreadInput)) throw error;
    }
}

/** Whether a path leads to, or into, a value that could not be read. */
export function isUnread(path: string, values: ReadonlySet<string>): boolean {
  if (values.size === 0) return false;
  if (values.has('') || values.has(path)) return true;
  for (let at = path.lastIndexOf('.'); at > 0; at = path.lastIndexOf('.', at - 1))
    if (values.has(path.slice(0, at))) return true;
  return false;
}
