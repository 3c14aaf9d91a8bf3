import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { joinPath } from '../../domain/paths.ts';
import { cellAt } from './cell-at.ts';
import type { Node } from './run.ts';

/** The members of a JSON record that nothing else reads (`asked`) and whose dotted paths match, unchanged. */
export function leftOverMembers(asked: ReadonlySet<string>, fits: (path: string) => boolean): Node {
  const within = new Set([...asked].flatMap((path) => prefixesOf(path)));
  const rest = (fields: Readonly<JsonObject>, at: string): JsonObject | undefined => {
    const kept = Object.entries(fields).flatMap(([name, value]): [string, JsonValue][] => {
      const path = joinPath(at, name);
      if (asked.has(path) || value === null || value === '') return [];
      const left = within.has(path) && isJsonObject(value) ? rest(value, path) : undefined;
      if (within.has(path)) return left === undefined ? [] : [[name, left]];
      return fits(path) ? [[name, value]] : [];
    });
    return kept.length === 0 ? undefined : Object.fromEntries(kept);
  };
  return {
    build({ run, record }) {
      const object = rest(record.fields, '');
      if (record.unreadable !== undefined) run.findings.push({ isList: false, path: '' });
      return object;
    },
    locate: ({ record }, path) => cellAt(record, path.join('.')),
  };
}

/** The prefixes `a` and `a.b` of `a.b.c`. */
function prefixesOf(path: string): string[] {
  const names = path.split('.');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('.'));
}
