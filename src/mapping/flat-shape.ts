import { joinPath } from '../domain/paths.ts';
import { convertTo, interfaceFormats } from './convert.ts';
import { onlyField, sections, type Fields, type Target } from './payload-shape.ts';
import {
  position,
  type ColumnSpec,
  type ItemsSpec,
  type ListSpec,
  type ObjectSpec,
  type OpenColumnsSpec,
  type ParentRef,
  type PartSpec,
  type RowsSpec,
} from './spec.ts';

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

/** Whether an array of such elements is in one cell. */
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

/** One file of the flat CSV shape (its name without `.csv`): the place of its rows, and how they name their parent. */
interface FlatTable {
  readonly file: string;
  /** The array of a payload that its rows fill, by section; `*` means any position. */
  readonly at: string;
  /**
   * The file's columns that name the parent, and the parent's fields that they refer to. Without any, the parent is
   * the account.
   */
  readonly parent?: Readonly<Record<string, ParentRef>>;
  /** Rows with these columns empty belong to the account's only such parent. */
  readonly onlyParent?: true;
  /** Rows with the same values in these columns make one element. */
  readonly distinct?: readonly string[];
}

const ledger = { ledger_code: 'ledger_code', ledger_number: 'ledger_number' };

const tablesWithin: readonly FlatTable[] = [
  { file: 'customers', at: 'account.customers' },
  { file: 'metadata', at: 'account.metadata' },
  { file: 'supply_addresses', at: 'account.supply_addresses' },
  {
    file: 'supply_points',
    at: 'account.supply_addresses.supply_points',
    parent: { supply_address_index: position },
    onlyParent: true,
  },
  {
    file: 'agreements',
    at: 'account.supply_addresses.supply_points.agreements',
    parent: { supply_point_identifier: 'identifier' },
    onlyParent: true,
  },
  {
    file: 'meter_points',
    at: 'account.supply_addresses.meter_points',
    parent: { supply_address_index: position },
    onlyParent: true,
  },
  {
    file: 'agreements',
    at: 'account.supply_addresses.meter_points.agreements',
    parent: { mpxn: 'mpxn' },
    onlyParent: true,
  },
  { file: 'ledgers', at: 'account.ledgers' },
  {
    file: 'current_statement_transactions',
    at: 'account.ledgers.current_statement_transactions',
    parent: { ledger_code: 'ledger_code' },
    onlyParent: true,
  },
  {
    file: 'historical_statement_transactions',
    at: 'account.ledgers.historical_statement_transactions',
    parent: { ledger_code: 'ledger_code' },
    onlyParent: true,
  },
  { file: 'line_items', at: '*.line_items', parent: { transaction_id: 'transaction_id' } },
  { file: 'tax_items', at: '*.tax_items', parent: { transaction_id: 'transaction_id' } },
  {
    file: 'historical_billing_documents',
    at: 'historical_billing_documents',
    distinct: ['ledger_code', 'ledger_number'],
  },
  {
    file: 'historical_billing_documents',
    at: 'historical_billing_documents.historical_billing_documents',
    parent: ledger,
  },
  {
    file: 'historical_billing_document_transactions',
    at: 'historical_billing_documents.historical_billing_documents.transactions',
    parent: { billing_document_identifier: 'billing_document_identifier' },
  },
  {
    file: 'additional_historical_transactions',
    at: 'historical_billing_documents.additional_historical_transactions',
    parent: ledger,
  },
];

/** A section has the file of its name, besides the files within it. */
export const flatTables: readonly FlatTable[] = [
  ...tablesWithin,
  ...sections
    .filter(({ name }) => tablesWithin.every(({ at }) => at !== name))
    .map(({ name }) => ({ file: name, at: name })),
];

/** The file for the array at this place of a section (`account.ledgers`); undefined if the shape has none. */
function flatTableAt(place: string): FlatTable | undefined {
  const known = flatTables.find(
    ({ at }) => at === place || (at.startsWith('*') && place.endsWith(at.slice(1))),
  );
  return known ?? otherTableAt(place);
}

/**
 * Arrays that only a tenancy's contract has: those of the account by their name, those of an element of such an array by
 * both names, with the element's position among the account's rows.
 */
function otherTableAt(place: string): FlatTable | undefined {
  const [section, list, inner, ...deeper] = place.split('.');
  if (section !== 'account' || list === undefined || deeper.length > 0) return undefined;
  // The contract may use the name of another file, such as payment_instructions, within the account.
  const isTaken = flatTables.some(({ file }) => file === list);
  if (inner === undefined) return { file: isTaken ? `account_${list}` : list, at: place };
  return {
    file: `${list}_${inner}`,
    at: place,
    parent: { [`${list}_index`]: position },
    onlyParent: true,
  };
}
