import type { TenancyContract } from '../contract/tenancy/contract.ts';
import { isJsonObject, numberText, stringifyJson, type JsonObject, type JsonValue } from '../domain/json.ts';
import type { StepName } from '../domain/steps.ts';
import { flatSpecs } from './built-in.ts';
import { shapeUnder } from './payload-shape.ts';
import { accountsTable, type ListSpec, type ObjectSpec, type RowsSpec, type Spec } from './spec.ts';

/** The text of each column of a row; an absent value has none. */
export type FlatRow = ReadonlyMap<string, string>;

/** The flat CSV shape of a tenancy's payloads, to be written. */
export interface FlatShape {
  /** The columns of each file (its name without `.csv`), besides the external account number. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** The rows of each file for the payloads of one account. */
  rows(payloads: (step: StepName) => readonly JsonObject[]): ReadonlyMap<string, readonly FlatRow[]>;
}

/** The flat CSV shape of one item. */
export interface FlatItemShape extends Pick<FlatShape, 'files'> {
  rows(item: JsonObject): ReadonlyMap<string, readonly FlatRow[]>;
}

const key = 'external_account_number';

/** How the payloads of a contract are written as flat CSV: what builtInMapping reads from it. */
export function flatShapeUnder(contract: TenancyContract): FlatShape {
  const shape = shapeUnder(contract);
  const { account, sections } = flatSpecs(shape, undefined);
  const lists = shape.sections.flatMap(({ step, field }) => {
    const section = sections.get(step);
    return section === undefined || !contract.offers(step) ? [] : [{ step, field, list: section.list }];
  });
  const files = new Map<string, Set<string>>([[accountsTable, new Set()]]);
  collect(account, accountsTable, files);
  for (const { list } of lists) collect(list, '', files);
  return {
    files: new Map([...files].map(([name, columns]) => [name, [...columns].filter((one) => one !== key)])),
    rows(payloads) {
      const written: Written = new Map();
      for (const payload of payloads('stage')) addRow(account, payload, accountsTable, new Map(), written);
      for (const { step, field, list } of lists) {
        const found = payloads(step);
        const elements = field === undefined ? found : found.flatMap((payload) => listOf(payload[field]));
        addElements(list, elements, {}, undefined, written);
      }
      return written;
    },
  };
}

/** How an item of a step is written as flat CSV: `table` has one row for it, with the column `identity`, which is in no list of columns. */
export function flatShapeOfItem(spec: ObjectSpec, table: string, identity: string): FlatItemShape {
  const files = new Map<string, Set<string>>([[table, new Set()]]);
  collect(spec, table, files);
  return {
    files: new Map(
      [...files].map(([name, columns]) => [name, [...columns].filter((one) => one !== identity)]),
    ),
    rows(item) {
      const written: Written = new Map();
      addRow(spec, item, table, new Map(), written);
      return written;
    },
  };
}

/** The rows so far, by file. */
type Written = Map<string, Map<string, string>[]>;

/** A row that is being filled, and its file. */
interface Place {
  readonly table: string;
  readonly row: Map<string, string>;
  /** Its position among the account's rows of the file. */
  readonly position: number;
}

function collect(spec: Spec | RowsSpec, table: string, files: Map<string, Set<string>>): void {
  const add = (column: string): void => void files.get(table)?.add(column);
  switch (spec.type) {
    case 'column':
      spec.columns.forEach(add);
      return;
    case 'open-columns':
      add(spec.prefix.slice(0, -1));
      return;
    case 'object':
      for (const [, field] of spec.fields) collect(field, table, files);
      return;
    case 'list':
      for (const part of spec.parts)
        if (part.type === 'items') collect(part.value, table, files);
        else collect(part, table, files);
      return;
    case 'rows': {
      const columns = files.get(spec.table) ?? new Set();
      files.set(spec.table, columns);
      for (const { column } of spec.match) columns.add(column);
      collect(spec.each, spec.table, files);
      return;
    }
    default:
      return;
  }
}

/** One row, and those of the files below it. */
function addRow(
  spec: Spec,
  value: JsonValue,
  table: string,
  row: Map<string, string>,
  written: Written,
): void {
  const rows = written.get(table) ?? [];
  written.set(table, rows);
  const place = { table, row, position: rows.length };
  // Elements of the same file are rows of it, with what the object has beside them.
  const isParent = hasRowsOf(spec, value, table);
  if (!isParent) rows.push(row);
  fill(spec, value, place, written, 'cells');
  fill(spec, value, place, written, 'lists');
}

function hasRowsOf(spec: Spec, value: JsonValue, table: string): boolean {
  if (spec.type !== 'object' || !isJsonObject(value)) return false;
  return spec.fields.some(
    ([name, field]) =>
      field.type === 'list' &&
      field.parts.some((part) => part.type === 'rows' && part.table === table) &&
      listOf(value[name]).length > 0,
  );
}

/** Fills the cells of a row, or writes the files below it, which need the cells. */
function fill(
  spec: Spec,
  value: JsonValue | undefined,
  place: Place,
  written: Written,
  what: 'cells' | 'lists',
): void {
  if (value === undefined || value === null) return;
  if (spec.type === 'object') {
    if (!isJsonObject(value)) return;
    for (const [name, field] of spec.fields)
      if (field.type === 'list') {
        if (what === 'cells') fillItems(field, value[name], place);
        else addElements(field, listOf(value[name]), value, place, written);
      } else fill(field, value[name], place, written, what);
    return;
  }
  if (what === 'lists') return;
  if (spec.type === 'column') place.row.set(spec.columns[0] ?? '', cellText(value));
  if (spec.type === 'open-columns') place.row.set(spec.prefix.slice(0, -1), cellText(value));
}

/** The elements that are in one cell. */
function fillItems({ parts }: ListSpec, value: JsonValue | undefined, { row }: Place): void {
  for (const part of parts) {
    if (part.type !== 'items') continue;
    const { wrap, split = '' } = part;
    const elements = listOf(value).map((one) => (wrap === undefined ? one : fieldOf(one, wrap)));
    if (elements.length > 0) row.set(part.value.columns[0] ?? '', elements.map(cellText).join(split));
  }
}

/** The elements that are rows of a file of their own. */
function addElements(
  { parts }: ListSpec,
  elements: readonly JsonValue[],
  parent: JsonObject,
  above: Place | undefined,
  written: Written,
): void {
  for (const part of parts) {
    if (part.type !== 'rows') continue;
    for (const element of elements) {
      const row = new Map(above?.table === part.table ? above.row : []);
      for (const { column, parent: reference } of part.match)
        row.set(
          column,
          typeof reference === 'string' ? cellText(parent[reference] ?? '') : String(above?.position ?? 0),
        );
      addRow(part.each, element, part.table, row, written);
    }
  }
}

function cellText(value: JsonValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) || isJsonObject(value)) return stringifyJson(value);
  return numberText(value) ?? String(value);
}

function fieldOf(value: JsonValue, name: string): JsonValue {
  return isJsonObject(value) ? (value[name] ?? null) : value;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
