import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import { remedyFor } from '../domain/nearest.ts';
import { changeBy } from '../domain/text-shape.ts';
import type { FieldKind } from '../contract/schemas/fields.ts';
import { convertTo, Fault, interfaceFormats } from './convert.ts';
import { conditionalEntry, leftOverEntry, rowsEntry, shapeIn } from './mapping-keys.ts';
import { readKeys } from './read-keys.ts';
import { mappingProblem } from './mapping-problem.ts';
import type { KeyPath } from './mapping-text.ts';
import { isValueEntry, readValue } from './read-value.ts';
import { fault, formatsFor, readConditions, readWhen, type Reading } from './reading.ts';
import type { Aggregate, ListSpec, ObjectSpec, PartSpec, RowSpec, RowsSpec, Spec } from './spec.ts';
import { identificationFields, onlyField, type Fields, type Target } from './payload-shape.ts';

/** A place within a part that the interface does not define: a value, an array or an object. */
interface AnyPlace {
  readonly type: 'any';
  /** Whether an array is refused here. */
  readonly isOne: boolean;
  /** Names of fields in it that have one value. */
  readonly single: readonly string[];
}
type Place = Target | AnyPlace;

/** Reads the mapping of fields, guided by the interface's fields at each place. */
export class FieldReader {
  /** Tables that some part of the mapping reads. */
  readonly used = new Set<string>();
  readonly #reading: Reading;

  constructor(reading: Reading) {
    const part: Reading['part'] = (kind, content, path, table) =>
      this.#field({ type: 'value', kind }, content, path, table);
    this.#reading = { ...reading, part };
  }

  /** An object with the interface's fields, in the interface's order; `table` is the table of its columns. */
  object(fields: Fields, content: JsonValue, path: KeyPath, table: string): ObjectSpec | null {
    const known = [...fields.keys()];
    if (!isJsonObject(content))
      return fault(this.#reading, path, `Give its fields here: ${known.join(', ')}.`);
    for (const name of Object.keys(content)) if (!fields.has(name)) this.#unknownField(name, known, path);
    return this.#fields(
      [...fields].filter(([name]) => Object.hasOwn(content, name)),
      content,
      path,
      table,
    );
  }

  /** An array: a list of parts, the rows of a child table, or the values in one column. */
  list(element: Place, content: JsonValue, path: KeyPath, table: string): ListSpec | null {
    if (Array.isArray(content)) {
      const parts = content.map((item, index) => this.#part(element, item, [...path, index], table));
      return { type: 'list', parts: parts.filter((part) => part !== null) };
    }
    if (isConditional(content)) {
      const one = this.#conditional(element, content, path, table);
      return one === null ? null : { type: 'list', parts: [one] };
    }
    const part = isRows(content)
      ? this.#allRows(element, content, path, table)
      : this.#items(element, content, path, table);
    return part === null ? null : { type: 'list', parts: [part] };
  }

  #field(target: Place, content: JsonValue, path: KeyPath, table: string): Spec | null {
    if (isRows(content) && (isOnePlace(target) || isOneTaken(target, content)))
      return this.#row(target, content, path, table);
    if (isConditional(content)) return this.#conditional(target, content, path, table);
    switch (target.type) {
      case 'value':
        return readValue(this.#reading, target.kind, content, path, table);
      case 'object':
        return this.object(target.fields, content, path, table);
      case 'list':
        return this.list(target.element, content, path, table);
      case 'open':
        return this.#open(target, content, path, table);
      case 'any':
        return this.#anything(target, content, path, table);
    }
  }

  #part(element: Place, content: JsonValue, path: KeyPath, table: string): PartSpec | null {
    return isRows(content)
      ? this.#allRows(element, content, path, table)
      : this.#field(element, content, path, table);
  }

  #items(element: Place, content: JsonValue, path: KeyPath, table: string): PartSpec | null {
    const [wrap, inner] = (element.type === 'any' ? undefined : onlyField(element)) ?? [undefined, element];
    if (inner.type !== 'value' || (typeof content !== 'string' && !isValueEntry(content)))
      return fault(this.#reading, path, 'This is an array: give a list, or from and each.');
    const isOne = typeof content !== 'string' && ['take', 'parts'].some((key) => Object.hasOwn(content, key));
    if (isOne) {
      const one = readValue(this.#reading, inner.kind, content, path, table);
      return one === null || wrap === undefined ? one : wrapped(wrap, one);
    }
    const { split, ...entry } = typeof content === 'string' ? { column: content } : content;
    const value = readValue(this.#reading, inner.kind, entry, path, table);
    if (value?.type !== 'column') return value === null || wrap === undefined ? value : wrapped(wrap, value);
    if (split !== undefined && (typeof split !== 'string' || split === ''))
      return fault(this.#reading, [...path, 'split'], 'Give the text between two values.');
    return {
      type: 'items',
      value,
      split,
      wrap,
    };
  }

  /** A value or an object that exists under conditions. */
  #conditional(target: Place, content: JsonObject, path: KeyPath, table: string): Spec | null {
    const { text, problems } = this.#reading;
    const entry = readKeys(text, path, conditionalEntry, content, problems);
    if (entry === null) return null;
    const then = this.#field(target, entry.each, [...path, 'each'], table);
    if (then === null) return null;
    return { type: 'cases', cases: [{ when: readWhen(this.#reading, entry, path, table), then }] };
  }

  #allRows(element: Place, content: JsonObject, path: KeyPath, table: string): RowsSpec | null {
    if (Object.hasOwn(content, 'take'))
      return fault(this.#reading, [...path, 'take'], 'All rows are taken here. Remove the key.');
    return this.#rows(element, content, path, table);
  }

  #rows(element: Place, content: JsonObject, path: KeyPath, parent: string): RowsSpec | null {
    const { text, tables, problems } = this.#reading;
    const entry = readKeys(text, path, rowsEntry, content, problems);
    if (entry === null) return null;
    const { from, where = {}, match = {}, distinct = [], order = [] } = entry;
    if (!tables.has(from)) {
      const remedy = `${remedyFor(from, [...tables.keys()])} Tables are declared under tables.`;
      problems.push(
        mappingProblem('unknown_table', text.cell([...path, 'from']), `There is no table ${from}. ${remedy}`),
      );
      return null;
    }
    this.used.add(from);
    const each = this.#field(element, entry.each, [...path, 'each'], from);
    if (each === null) return null;
    return {
      type: 'rows',
      table: from,
      when: readWhen(this.#reading, entry, path, parent),
      where: readConditions(this.#reading, where, [...path, 'where'], from),
      match: Object.entries(match).map(([column, key]) => {
        const shape = shapeIn(key);
        return {
          column,
          parent: key.of,
          shape: shape && changeBy(shape),
          origin: text.cell([...path, 'match', column]),
        };
      }),
      distinct: distinct.map((column, at) => ({ column, origin: text.cell([...path, 'distinct', at]) })),
      order: order.map(({ column, type, descending = false }) => ({
        column,
        convert: convertTo(type ?? 'string', formatsFor(this.#reading, from, { may_lose: true })),
        descending,
        origin: text.cell([...path, 'order']),
      })),
      onlyParent: Object.keys(match).length === 0,
      each,
    };
  }

  #row(target: Place, content: JsonObject, path: KeyPath, table: string): RowSpec | null {
    if (Object.hasOwn(content, 'distinct'))
      return fault(this.#reading, [...path, 'distinct'], 'Only one row is taken here. Remove the key.');
    const { take: wanted } = content;
    if (wanted === 'sum' || wanted === 'count') return this.#aggregate(wanted, target, content, path, table);
    const rows = this.#rows(target, content, path, table);
    const take = takeOf(content);
    return rows === null ? null : { ...rows, type: 'row', take };
  }

  /** What all rows make together: the sum of a value, or the number of rows that have it. */
  #aggregate(
    of: Aggregate['of'],
    target: Place,
    content: JsonObject,
    path: KeyPath,
    table: string,
  ): RowSpec | null {
    const given = target.type === 'value' ? target.kind : 'json';
    const kind = of === 'count' || given !== 'json' ? given : 'decimal-string';
    const convert = convertTo(kind, interfaceFormats);
    if ((target.type !== 'value' && target.type !== 'any') || convert('1') instanceof Fault)
      return fault(this.#reading, [...path, 'take'], `This field does not accept a ${of}.`);
    if (Object.hasOwn(content, 'order'))
      return fault(
        this.#reading,
        [...path, 'order'],
        `The order of rows has no effect on a ${of}. Remove the key.`,
      );
    const each: Place = { type: 'value', kind: of === 'count' ? 'json' : sumKind(kind) };
    const rows = this.#rows(each, content, path, table);
    return rows === null ? null : { ...rows, type: 'row', aggregate: { of, convert } };
  }

  #anything(place: AnyPlace, content: JsonValue, path: KeyPath, table: string): Spec | null {
    if (typeof content === 'string' || isValueEntry(content))
      return readValue(this.#reading, 'json', content, path, table);
    if (place.isOne && Array.isArray(content))
      return fault(
        this.#reading,
        path,
        'One value is required here, not a list. For the first column that is not empty, write { column: [A, B] }.',
      );
    if (Array.isArray(content) || isRows(content))
      return this.list({ ...place, isOne: false }, content, path, table);
    return this.#open({ without: [], single: place.single }, content, path, table);
  }

  /** An object that the interface does not define: any fields, or a column with the whole object. */
  #open(
    { without, single = [] }: Omit<Extract<Target, { type: 'open' }>, 'type'>,
    content: JsonValue,
    path: KeyPath,
    table: string,
  ): Spec | null {
    if (isValueEntry(content)) return readValue(this.#reading, 'json-object', content, path, table);
    if (!isJsonObject(content)) return fault(this.#reading, path, 'Give an object of fields here.');
    if (Object.hasOwn(content, 'left_over')) {
      const entry = readKeys(this.#reading.text, path, leftOverEntry, content, this.#reading.problems);
      return entry === null ? null : { type: 'left-over', pattern: entry.left_over };
    }
    const names = Object.keys(content).filter((name) => name !== '__proto__' && !without.includes(name));
    for (const name of Object.keys(content)) if (!names.includes(name)) this.#unknownField(name, names, path);
    return this.#fields(
      names.map((name) => [name, { type: 'any', isOne: single.includes(name), single }]),
      content,
      path,
      table,
    );
  }

  #fields(
    fields: readonly (readonly [name: string, target: Place])[],
    content: JsonObject,
    path: KeyPath,
    table: string,
  ): ObjectSpec {
    return {
      type: 'object',
      fields: fields.flatMap(([name, target]): (readonly [string, Spec])[] => {
        const spec = this.#field(target, content[name] ?? '', [...path, name], table);
        return spec === null ? [] : [[name, spec]];
      }),
      origin: this.#reading.text.cell(path),
    };
  }

  #unknownField(name: string, known: readonly string[], path: KeyPath): void {
    const isFilledIn = identificationFields.some((field) => field === name);
    const remedy = isFilledIn
      ? 'The mapping fills it in from the account. Remove the key.'
      : remedyFor(name, known);
    const cell = this.#reading.text.cell([...path, name]);
    this.#reading.problems.push(
      mappingProblem('unknown_field', cell, `There is no field ${name} to map here. ${remedy}`),
    );
  }
}

function isOnePlace(target: Place): boolean {
  return target.type === 'value' || target.type === 'object' || (target.type === 'any' && target.isOne);
}

/** Where the interface takes anything, `take` says that one value is needed. */
function isOneTaken(target: Place, content: JsonObject): boolean {
  return target.type === 'any' && Object.hasOwn(content, 'take');
}

/** The parts of a sum are read as amounts also where its field takes a text. */
function sumKind(kind: FieldKind): FieldKind {
  return kind === 'string' ? 'decimal-string' : kind;
}

function takeOf({ take }: JsonObject): RowSpec['take'] {
  return take === 'first' || take === 'last' || take === 'only' ? take : undefined;
}

/** Whether this is a part under conditions; an object of any fields may have fields of these names. */
function isConditional(content: JsonValue): content is JsonObject {
  return (
    isJsonObject(content) &&
    Object.hasOwn(content, 'each') &&
    !Object.hasOwn(content, 'from') &&
    (Object.hasOwn(content, 'when') || Object.hasOwn(content, 'when_account'))
  );
}

function isRows(content: JsonValue): content is JsonObject {
  return isJsonObject(content) && Object.hasOwn(content, 'from');
}

function wrapped(name: string, spec: Spec): ObjectSpec {
  return { type: 'object', fields: [[name, spec]] };
}
