import type { Columns } from './columns.ts';
import { convertTo, interfaceFormats } from './convert.ts';
import type { ColumnSpec, ObjectSpec, OpenColumnsSpec, Spec } from './spec.ts';

type Tree = Map<string, Tree | string>;

/**
 * The value from a flat file for an object that the interface does not define: the object as JSON text in a column of
 * its name, or every column under its prefix, as text.
 */
export function openColumns({ prefix, without }: OpenColumnsSpec, table: string, columns: Columns): Spec {
  const names = columns.names(table);
  const whole = prefix.slice(0, -1);
  if (prefix !== '' && names.includes(whole))
    return { type: 'column', columns: [whole], convert: convertTo('json-object', interfaceFormats) };
  const tree: Tree = new Map();
  for (const name of names)
    if (name.startsWith(prefix) && !without.includes(name.slice(prefix.length)))
      plant(tree, name.slice(prefix.length).split('.'), name);
  return objectOf(tree);
}

/** A column whose place is taken, or that names no place, is left out and so reported as unknown. */
function plant(tree: Tree, path: readonly string[], column: string): void {
  const [name = '', ...rest] = path;
  if (name === '' || name === '__proto__') return;
  const there = tree.get(name);
  if (rest.length === 0) {
    if (there === undefined) tree.set(name, column);
  } else if (there === undefined) {
    const branch: Tree = new Map();
    tree.set(name, branch);
    plant(branch, rest, column);
  } else if (typeof there !== 'string') plant(there, rest, column);
}

function objectOf(tree: Tree): ObjectSpec {
  return {
    type: 'object',
    fields: [...tree].map(([name, at]) => [name, typeof at === 'string' ? textColumn(at) : objectOf(at)]),
  };
}

function textColumn(column: string): ColumnSpec {
  return { type: 'column', columns: [column], convert: convertTo('string', interfaceFormats) };
}

/** An object of these columns, each by its own name and as text. */
export function textColumns(columns: readonly string[]): ObjectSpec {
  return { type: 'object', fields: columns.map((column) => [column, textColumn(column)]) };
}
