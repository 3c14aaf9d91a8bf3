// The business rules are written for the fields of the interface document. A tenancy may have the same things under
// other names and in other forms; here its payloads are read as the interface would write them.
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { joinPath } from '../../domain/paths.ts';
import type { Schema } from '../schemas/schema.ts';
import type { ContractField } from './contract-field.ts';

/** Other names by which published contracts have a field of the interface. */
const otherNames: Readonly<Record<string, string>> = { supply_points: 'meter_points', identifier: 'mpxn' };

/** Objects of the interface that published contracts have as fields of their parent, by the object's own fields. */
const flattened: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  billing_address: {
    street_address: 'billing_address1',
    locality: 'billing_address2',
    administrative_area: 'billing_address3',
    postal_code: 'billing_postcode',
  },
};

/** A payload as the interface would write it. */
export interface InterfaceView {
  /** The payload with only the interface's fields, under the interface's names; nulls are absent. */
  read(payload: JsonValue): JsonValue;
  /** The path in the payload of a path in what was read. */
  ownPath(path: string, payload: JsonValue): string;
  /** The path in what is read of a path in the payload; undefined if it is not read. */
  viewPath(path: string): string | undefined;
  /**
   * The contract's name of a field, by the interface's name without positions (`supply_addresses.supply_points`);
   * undefined if the contract has no such field.
   */
  ownName(path: string): string | undefined;
}

/** The view of payloads that are the interface's. */
export const sameView: InterfaceView = {
  read: (payload) => payload,
  ownPath: (path) => path,
  viewPath: (path) => path,
  ownName: (path) => path,
};

/**
 * What the rules read of the payloads that a contract describes; `schema` is the one that the rules are
 * written for.
 */
export function interfaceView(schema: Schema, field: ContractField): InterfaceView {
  const root = nodeOf(schema, field);
  return {
    read: (payload) => root.read(payload),
    ownPath: (path, payload) => joinPath(...root.ownPath(split(path), payload)),
    viewPath(path) {
      const names = root.viewPath(split(path));
      return names && joinPath(...names);
    },
    ownName(path) {
      let at: Inner | undefined = { own: '', node: root };
      const names: string[] = [];
      for (const name of path.split('.')) {
        at = at?.node.inner(name);
        if (at !== undefined) names.push(at.own);
      }
      return at && joinPath(...names);
    },
  };
}

function split(path: string): readonly string[] {
  return path === '' ? [] : path.split('.');
}

interface ViewNode {
  read(value: JsonValue): JsonValue;
  ownPath(names: readonly string[], value: JsonValue | undefined): readonly string[];
  viewPath(names: readonly string[]): readonly string[] | undefined;
  inner(name: string): Inner | undefined;
}

/** A field of a node, and the contract's name of it: empty if its parts are fields of their own. */
interface Inner {
  readonly own: string;
  readonly node: ViewNode;
}

function nodeOf(schema: JsonValue, field: ContractField): ViewNode {
  const { items, properties, additionalProperties } = isJsonObject(schema) ? schema : {};
  if (items !== undefined && field.element !== undefined) return listNode(nodeOf(items, field.element));
  return isJsonObject(properties) && additionalProperties === false
    ? objectNode(properties, field)
    : plainNode;
}

const plainNode: ViewNode = {
  read: (value) => value,
  ownPath: (names) => names,
  viewPath: (names) => names,
  inner: () => undefined,
};

function listNode(element: ViewNode): ViewNode {
  return {
    read: (value) => (Array.isArray(value) ? value.map((item) => element.read(item)) : value),
    ownPath([index, ...rest], value) {
      if (index === undefined) return [];
      return [index, ...element.ownPath(rest, Array.isArray(value) ? value[Number(index)] : undefined)];
    },
    viewPath([index, ...rest]) {
      if (index === undefined) return [];
      const inner = element.viewPath(rest);
      return inner && [index, ...inner];
    },
    inner: (name) => element.inner(name),
  };
}

/** Where the tenancy has one field of the interface. */
interface Source extends Inner {
  /** The interface's name of the field. */
  readonly name: string;
  /** The field as the interface has it, out of an object of the tenancy's. */
  read(object: JsonObject): JsonValue | undefined;
  ownPath(names: readonly string[], object: JsonObject): readonly string[];
  /** undefined if the path leads to another field. */
  viewPath(names: readonly string[]): readonly string[] | undefined;
}

function objectNode(properties: JsonObject, field: ContractField): ViewNode {
  const sources = Object.entries(properties).flatMap(([name, inner]) => sourcesOf(name, inner, field));
  return {
    read(value) {
      if (!isJsonObject(value)) return value;
      const read: JsonObject = {};
      for (const source of sources) {
        if (read[source.name] !== undefined) continue;
        const inner = source.read(value);
        if (inner !== undefined) read[source.name] = inner;
      }
      return read;
    },
    ownPath([name, ...rest], value) {
      if (name === undefined) return [];
      const object = isJsonObject(value) ? value : {};
      const known = sources.filter((source) => source.name === name);
      const source = known.find((one) => one.read(object) !== undefined) ?? known[0];
      return source === undefined ? [name, ...rest] : source.ownPath(rest, object);
    },
    viewPath(names) {
      if (names.length === 0) return [];
      for (const source of sources) {
        const found = source.viewPath(names);
        if (found !== undefined) return [source.name, ...found];
      }
      return undefined;
    },
    inner: (name) => sources.find((source) => source.name === name),
  };
}

/** Under the interface's own name first. */
function sourcesOf(name: string, schema: JsonValue, field: ContractField): Source[] {
  const names = [name, otherNames[name]].filter((own) => own !== undefined);
  const named = names.flatMap((own) => {
    const inner = field.fields.get(own);
    return inner === undefined ? [] : [namedSource(name, own, nodeOf(schema, inner))];
  });
  const parts = Object.entries(flattened[name] ?? {}).filter(([, own]) => field.fields.has(own));
  return parts.length === 0 ? named : [...named, flattenedSource(name, parts)];
}

function namedSource(name: string, own: string, node: ViewNode): Source {
  return {
    name,
    own,
    node,
    read(object) {
      const inner = object[own];
      return inner === undefined || inner === null ? undefined : node.read(inner);
    },
    ownPath: (names, object) => [own, ...node.ownPath(names, object[own])],
    viewPath: ([first, ...rest]) => (first === own ? node.viewPath(rest) : undefined),
  };
}

function flattenedSource(name: string, parts: readonly (readonly [part: string, own: string])[]): Source {
  const ownOf = new Map(parts);
  const first = parts[0]?.[1] ?? name;
  return {
    name,
    own: '',
    node: {
      ...plainNode,
      inner(part) {
        const own = ownOf.get(part);
        return own === undefined ? undefined : { own, node: plainNode };
      },
    },
    read(object) {
      const given = parts.flatMap(([part, own]): [string, JsonValue][] => {
        const inner = object[own];
        return inner === undefined || inner === null ? [] : [[part, inner]];
      });
      return given.length === 0 ? undefined : Object.fromEntries(given);
    },
    ownPath: ([part = '']) => [ownOf.get(part) ?? first],
    viewPath([own]) {
      const part = parts.find(([, known]) => known === own)?.[0];
      return part === undefined ? undefined : [part];
    },
  };
}
