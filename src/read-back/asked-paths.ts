import { Kind, type DocumentNode, type SelectionSetNode } from 'graphql';
import { nearest } from '../domain/nearest.ts';
import { pagedPaths, pageVariables } from './query-text.ts';
import { partNames, type PartName, type ReadShape } from './read-shape.ts';
import type { ShapeFault } from './shape-fault.ts';

/** What a query asks for, by the names in the answer. */
type Asked = Map<string, Asked>;

/** The configured places, of a query's parts and of its account number, that the query does not ask for. */
export function notAskedFor(shape: ReadShape, query: string, document: DocumentNode): readonly ShapeFault[] {
  const asked = askedBy(document);
  const faults: ShapeFault[] = [];
  const check = (setting: string, from: Asked, names: readonly string[], before = ''): Asked | undefined => {
    const found = follow(from, names);
    if (!('missing' in found)) return found.at;
    const field = `${before}${names.join('.')}`;
    const detail = `${setting} is ${names.join('.')}, and readBack.queries.${query} does not ask for ${found.missing} there.`;
    faults.push({ setting, field, detail, near: nearest(found.missing, found.known) });
    return undefined;
  };
  const number = shape.queries[query]?.number ?? '';
  check(`readBack.queries.${query}.number`, asked, number.split('.'));
  for (const part of partNames) {
    const place = shape.parts[part];
    if (place?.query !== query) continue;
    if (place.next !== undefined) check(`readBack.values.${part}.next`, asked, place.next.split('.'));
    else faults.push(...nextUntold(shape, query, document, { part, at: place.at, asked }));
    const element = check(`readBack.values.${part}.at`, asked, place.at.split('.'));
    if (element === undefined) continue;
    for (const [value, path] of Object.entries(place.values))
      if (path !== undefined)
        check(`readBack.values.${part}.${value}`, itemsOf(element), path.split('.'), `${place.at}.`);
  }
  return faults;
}

/** The fault of a list that is asked for in pages, where nothing says whether there is another one. */
function nextUntold(
  { queries }: ReadShape,
  query: string,
  document: DocumentNode,
  { part, at, asked }: { readonly part: PartName; readonly at: string; readonly asked: Asked },
): readonly ShapeFault[] {
  const variables = pageVariables(queries[query]?.variables ?? {});
  const path = pagedPaths(document, variables).find((one) => `${at}.`.startsWith(`${one}.`));
  const list = path === undefined ? undefined : follow(asked, path.split('.'));
  if (path === undefined || list === undefined || 'missing' in list) return [];
  if (list.at.get('pageInfo')?.has('hasNextPage') === true) return [];
  const setting = `readBack.values.${part}.next`;
  const detail =
    `readBack.queries.${query} asks for ${path} in pages, and for nothing that says whether there is another one. ` +
    `Ask for pageInfo { hasNextPage endCursor } there, or set ${setting} to the path of the next cursor.`;
  return [{ setting, field: path, detail }];
}

function askedBy(document: DocumentNode): Asked {
  const fragments = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node.selectionSet] as const] : [],
    ),
  );
  const add = (to: Asked, set: SelectionSetNode | undefined, within: readonly string[]): void => {
    for (const node of set?.selections ?? [])
      if (node.kind === Kind.INLINE_FRAGMENT) add(to, node.selectionSet, within);
      else if (node.kind === Kind.FRAGMENT_SPREAD) {
        const name = node.name.value;
        // A fragment may name itself; servers refuse that.
        if (!within.includes(name)) add(to, fragments.get(name), [...within, name]);
      } else {
        const name = node.alias?.value ?? node.name.value;
        const own: Asked = to.get(name) ?? new Map<string, Asked>();
        to.set(name, own);
        add(own, node.selectionSet, within);
      }
  };
  const asked: Asked = new Map();
  for (const node of document.definitions)
    if (node.kind === Kind.OPERATION_DEFINITION) add(asked, node.selectionSet, []);
  return asked;
}

/** The items of a connection; anything else as it is. */
function itemsOf(asked: Asked, next?: string): Asked {
  const edges = next === 'edges' ? undefined : asked.get('edges');
  return edges?.get('node') ?? (next === 'nodes' ? undefined : asked.get('nodes')) ?? asked;
}

function follow(
  from: Asked,
  names: readonly string[],
): { readonly at: Asked } | { readonly missing: string; readonly known: readonly string[] } {
  let at = from;
  for (const name of names) {
    // A cursor is beside the elements.
    at = at.has(name) ? at : itemsOf(at, name);
    const next = at.get(name);
    if (next === undefined) return { missing: name, known: [...at.keys()] };
    at = next;
  }
  return { at };
}
