import { joinPath } from '../domain/paths.ts';
import { convertTo, interfaceFormats } from './convert.ts';
import { flatTableAt } from './flat-tables.ts';
import type {
  ColumnSpec,
  ItemsSpec,
  ListSpec,
  ObjectSpec,
  OpenColumnsSpec,
  PartSpec,
  RowsSpec,
} from './spec.ts';
import { onlyField, type Fields, type Target } from './target.ts';

/** Separates the plain values of an array in one cell of the flat CSV shape. */
const separator = '|';

type FlatSpec = ColumnSpec | ObjectSpec | OpenColumnsSpec | ListSpec;

/**
 * How the flat CSV shape gives an object: a scalar in the column of its dotted path, an array of plain values in one cell,
 * an array of objects in a file of its own (or, deep within a tenancy's payload, as JSON in its cell). `column` is the path within the row, `place` the one
 * within the section.
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
      return isInCell(target.element) || flatTableAt(place) !== undefined
        ? flatList(target.element, column, place)
        : { type: 'column', columns: [column], convert: convertTo('json-list', interfaceFormats) };
  }
}

/** Whether an array of such elements stands in one cell. */
function isInCell(element: Target): boolean {
  return (onlyField(element)?.[1] ?? element).type === 'value';
}

/** The array at this place: its elements' file, or its cell. */
export function flatList(element: Target, column: string, place: string): ListSpec {
  const [wrap, field] = onlyField(element) ?? [undefined, element];
  if (field.type === 'value') {
    const convert = convertTo(field.kind, interfaceFormats);
    const items: ItemsSpec = {
      type: 'items',
      value: { type: 'column', columns: [column], convert },
      split: separator,
      wrap,
    };
    return { type: 'list', parts: [items] };
  }
  const table = flatTableAt(place);
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
export function filesOf(spec: PartSpec): readonly string[] {
  switch (spec.type) {
    case 'rows':
      return [spec.table, ...filesOf(spec.each)];
    case 'list':
      return spec.parts.flatMap(filesOf);
    case 'object':
      return spec.fields.flatMap(([, field]) => filesOf(field));
    default:
      return [];
  }
}
