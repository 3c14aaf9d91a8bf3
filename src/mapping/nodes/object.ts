import type { Cell } from '../../domain/cell.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { joinPath } from '../../domain/paths.ts';
import { cellAt, isGap, prefixFindings, type Node } from './run.ts';

/** A field of an object. A constant depends on no record. */
interface FieldNode {
  readonly name: string;
  readonly node: Node;
  readonly isConstant: boolean;
  /** The number of constant elements of an array. */
  readonly constants: number;
}

/**
 * An object of fields, in order; nothing if every field is empty. Constants beside empty columns do not count: a
 * country without an address is not an address. `origin` is the mapping's line that names the object.
 */
export function objectNode(fields: readonly FieldNode[], origin: Cell | undefined): Node {
  const byName = new Map(fields.map(({ name, node }) => [name, node]));
  const isAllConstant = fields.length > 0 && fields.every(({ isConstant }) => isConstant);
  return {
    build(scope) {
      const { run } = scope;
      const object: JsonObject = {};
      let isFilled = isAllConstant;
      const start = run.findings.length;
      for (const { name, node, isConstant, constants } of fields) {
        const before = run.findings.length;
        const value = node.build(scope);
        if (run.findings.length > before) prefixFindings(run, before, name);
        if (value === undefined) continue;
        object[name] = value;
        if (!isConstant && !(Array.isArray(value) && value.length <= constants)) isFilled = true;
      }
      if (isFilled) return object;
      // A field that cannot be read may be filled, so it is not known whether the object is there.
      if (run.findings.slice(start).some((found) => isGap(found) && !found.isList))
        run.findings.push({ isList: false, path: '' });
      return undefined;
    },
    locate(scope, path) {
      const [name, ...rest] = path;
      if (name === undefined) return cellAt(scope.record, '');
      const node = byName.get(name);
      // A field that the mapping does not mention is missing in the mapping, not in the row.
      return node === undefined ? (origin ?? cellAt(scope.record, '')) : node.locate(scope, rest);
    },
  };
}

/** The record unchanged, except that the supplier is filled in if it names none. */
export function recordNode(supplier: string | undefined): Node {
  return {
    build({ run, record }): JsonObject {
      for (const path of record.unreadable ?? []) run.findings.push({ isList: false, path });
      if (supplier === undefined || record.fields['import_supplier'] !== undefined) return record.fields;
      return { import_supplier: supplier, ...record.fields };
    },
    locate: ({ record }, path) => cellAt(record, path.join('.')),
  };
}

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

/**
 * Whether a text matches a pattern in which each `*` means any characters. Takes a time that grows with the
 * text times the pattern at most: each piece is looked for once, behind the one before.
 */
export function wildcard(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => text === first;
  return (text) => {
    const end = text.length - last.length;
    if (!text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const piece of rest) {
      const found = text.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return at <= end;
  };
}
