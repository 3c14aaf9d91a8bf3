import { joinPath } from '../domain/paths.ts';
import { convertTo, interfaceFormats } from './convert.ts';
import { flatTables } from './flat-tables.ts';
import type { ColumnSpec, ItemsSpec, ListSpec, ObjectSpec, OpenColumnsSpec, RowsSpec } from './spec.ts';
import { onlyField, type Fields, type Target } from './target.ts';

/** Separates the plain values of an array in one cell of the flat CSV shape. */
const separator = '|';

type FlatSpec = ColumnSpec | ObjectSpec | OpenColumnsSpec | ListSpec;

/**
 * The reading of an object of the interface in the flat CSV shape: a scalar in the column of its dotted path, an
 * array of plain values in one cell, an array of objects in a separate file. `column` is the path within the row,
 * `place` the path within the section.
 */
export function flatObject(fields: Fields, column: string, place: string): ObjectSpec {
  return {
    type: 'object',
    fields: [...fields].map(([name, field]) => [
      name,
      flatSpec(field, joinPath(column, name), joinPath(place, name)),
    ]),
  };
}

function flatSpec(target: Target, column: string, place: string): FlatSpec {
  switch (target.type) {
    case 'value':
      return { type: 'column', columns: [column], convert: convertTo(target.kind, interfaceFormats) };
    case 'open':
      return { type: 'open-columns', prefix: column === '' ? '' : `${column}.`, without: target.without };
    case 'object':
      return flatObject(target.fields, column, place);
    case 'list':
      return flatList(target.element, column, place);
  }
}

/** The array at this place: the file of its elements, or its cell. */
export function flatList(element: Target, column: string, place: string): ListSpec {
  const [wrap, field] = onlyField(element) ?? [undefined, element];
  if (field.type === 'value') {
    const convert = convertTo(field.kind, interfaceFormats);
    const items: ItemsSpec = {
      type: 'items',
      value: { type: 'column', columns: [column], convert },
      split: separator,
      ...(wrap === undefined ? {} : { wrap }),
    };
    return { type: 'list', parts: [items] };
  }
  const table = flatTables.find(
    ({ at }) => at === place || (at.startsWith('*') && place.endsWith(at.slice(1))),
  );
  if (table === undefined) throw new Error(`The flat shape has no file for ${place}.`);
  const rows: RowsSpec = {
    type: 'rows',
    table: table.file,
    where: [],
    match: Object.entries(table.parent ?? {}).map(([name, parent]) => ({ column: name, parent })),
    order: [],
    distinct: (table.distinct ?? []).map((name) => ({ column: name })),
    onlyParent: table.parent === undefined || table.onlyParent === true,
    each: flatSpec(element, '', place),
  };
  return { type: 'list', parts: [rows] };
}

/** The files whose rows this spec reads. */
export function filesOf(list: ListSpec): readonly string[] {
  return list.parts.flatMap((part) => (part.type === 'rows' ? [part.table, ...filesWithin(part.each)] : []));
}

function filesWithin(spec: RowsSpec['each']): readonly string[] {
  if (spec.type === 'list') return filesOf(spec);
  return spec.type === 'object' ? spec.fields.flatMap(([, field]) => filesWithin(field)) : [];
}
