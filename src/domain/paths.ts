import { isJsonObject, type JsonValue } from './json.ts';

/** The value at a dotted path (`customers.0.landline`); undefined if there is none. */
export function valueAt(root: JsonValue, path: string): JsonValue | undefined {
  if (path === '') return root;
  let at: JsonValue | undefined = root;
  for (const name of path.split('.')) {
    if (Array.isArray(at)) at = at[Number(name)];
    else if (isJsonObject(at)) at = Object.hasOwn(at, name) ? at[name] : undefined;
    else return undefined;
  }
  return at;
}

export function joinPath(...parts: readonly (string | number)[]): string {
  return parts.filter((part) => part !== '').join('.');
}
