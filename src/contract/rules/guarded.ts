import { ExactNumber, type JsonValue } from '../../domain/json.ts';

/** The parts of a payload that could not be read, as dotted paths. */
export interface Unread {
  /** Values that are missing or invalid for their field; '' is the whole payload. */
  readonly values: ReadonlySet<string>;
  /** Arrays that lack elements, because rows of the export could not be read. */
  readonly lists: ReadonlySet<string>;
}

/** Thrown if a rule reads a value that could not be read. */
class UnreadInput extends Error {
  override readonly name = 'UnreadInput';
}

/** The number of elements of a guarded array, whether or not some are missing. */
const lengths = new WeakMap<object, number>();

/**
 * The payload in the form that rules read: reading a value that could not be read, or counting an array that lacks
 * elements, ends what `attempt` or `each` runs at that point. Everything that can be read fits the schema.
 */
export function guarded<Payload>(payload: Payload | JsonValue, unread: Unread): Payload {
  // Values that do not fit the schema throw when they are read, so what can be read is a Payload.
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
      // If none of an array's rows could be read, the array is absent and lacks elements too.
      return guard(inner === undefined && unread.lists.has(at) ? [] : inner, at, unread);
    },
  });
  if (isList) lengths.set(view, value.length);
  return view;
}

/** Runs one check, which ends where it reads a value that could not be read. */
export function attempt(check: () => void): void {
  try {
    check();
  } catch (error) {
    unlessUnread(error);
  }
}

/** Throws the error of a check again, unless the check read a value that could not be read. */
export function unlessUnread(error: unknown): void {
  if (!(error instanceof UnreadInput)) throw error;
}

/**
 * Runs a check for every element. An element whose check reads an unreadable value is skipped; the others are not. A
 * check of the whole array (a sum, a count) reads the array itself instead.
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
      unlessUnread(error);
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
