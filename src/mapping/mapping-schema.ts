import { z } from 'zod';
import {
  caseEntry,
  conditionalEntry,
  formatSection,
  leftOverEntry,
  lookupEntry,
  rowsEntry,
  sourceEntry,
  tableEntry,
  valueEntry,
} from './mapping-keys.ts';
import { origins } from './read-value.ts';
import { itemsEntry } from './top-level.ts';
import { interfaceShape, onlyField, type Fields, type PayloadShape, type Target } from './payload-shape.ts';

type Schema = Record<string, unknown>;

/** YAML reads 0123 as a number and true as a truth value; the mapping takes both as they are written. */
const anyText = { type: ['string', 'number', 'boolean'] };

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });

/**
 * The JSON Schema of mapping files, made from the schemas that read them and the fields that can be mapped. `guide` is
 * docs/mapping.md: its tables say what each key means.
 */
export function mappingSchema(guide: string, shape: PayloadShape = interfaceShape()): object {
  const maker = new Maker(guide);
  const account = maker.object(shape.account, 'account', ['external_account_number']);
  const chosen = shape.sections.map(({ name, element }): [string, Schema] => [
    name,
    maker.list(element, name),
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Mapping file of migrate',
    type: 'object',
    required: ['version', 'tables', 'account'],
    additionalProperties: false,
    properties: maker.described('Top level', {
      version: { enum: [1, '1'] },
      source: maker.entry(sourceEntry, '`format`, and a table'),
      format: maker.entry(formatSection, '`format`, and a table'),
      tables: {
        type: 'object',
        required: ['accounts'],
        additionalProperties: maker.entry(tableEntry, '`format`, and a table'),
      },
      lookups: { type: 'object', additionalProperties: maker.entry(lookupEntry, '`format`, and a table') },
      module: { type: 'string' },
      account,
      items: {
        type: 'object',
        additionalProperties: maker.entry(itemsEntry, 'Items', { each: ref('open') }),
      },
      ...Object.fromEntries(chosen),
    }),
    $defs: maker.definitions(),
  };
}

/** An object of any fields is a value where it has one of a value's keys, and may be what is left over. */
function special(otherwise: Schema): Schema {
  const isValue = origins.map((key) => ({ required: [key] }));
  return {
    if: { type: 'object', anyOf: isValue },
    then: ref('entry'),
    else: {
      if: { type: 'object', required: ['left_over'] },
      then: ref('leftOver'),
      else: otherwise,
    },
  };
}

class Maker {
  readonly #guide: string;
  readonly #elements = new Map<string, Schema>();

  constructor(guide: string) {
    this.#guide = guide;
  }

  definitions(): Schema {
    const value = this.entry(valueEntry, 'A value', {
      cases: {
        type: 'array',
        items: this.entry(caseEntry, 'A value', { then: ref('value') }),
      },
      parts: { type: 'object', additionalProperties: ref('valueOrRow') },
    });
    return {
      value: { anyOf: [{ ...anyText, description: 'The name of a column.' }, ref('entry')] },
      entry: value,
      rows: this.entry(rowsEntry, 'Rows of a child table'),
      conditional: this.entry(conditionalEntry, 'Rows of a child table'),
      valueOrRow: { anyOf: [ref('value'), this.#rows('value', ['distinct']), this.#conditional('value')] },
      leftOver: this.entry(leftOverEntry, 'A value'),
      // What is said of an object of any fields, and of each of its fields.
      open: special({ type: 'object', additionalProperties: ref('anything') }),
      anything: special({
        ...{ if: { type: 'object', required: ['from'] }, then: this.#rows('anything') },
        else: {
          type: [...anyText.type, 'array', 'object'],
          items: ref('anything'),
          additionalProperties: ref('anything'),
        },
      }),
      ...Object.fromEntries(this.#elements),
    };
  }

  object(fields: Fields, path: string, without: readonly string[] = []): Schema {
    const known = [...fields].filter(([name]) => !without.includes(name));
    return {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(
        known.map(([name, field]) => [name, this.#fieldOrRow(field, `${path}.${name}`)]),
      ),
    };
  }

  /** A single value or object may also come from one row of a child table. */
  #fieldOrRow(target: Target, path: string): Schema {
    if (target.type === 'value') return ref('valueOrRow');
    if (target.type !== 'object') return this.#field(target, path);
    this.#elements.set(path, this.#field(target, path));
    return {
      if: { type: 'object', required: ['from'] },
      then: this.#rows(path, ['distinct']),
      else: {
        if: { type: 'object', required: ['each'] },
        then: this.#conditional(path),
        else: ref(path),
      },
    };
  }

  /** A part that exists under conditions. */
  #conditional(path: string): Schema {
    const shared = ['when', 'when_account'].map((key) => [key, ref(`conditional/properties/${key}`)]);
    return {
      type: 'object',
      required: ['each'],
      additionalProperties: false,
      properties: { ...Object.fromEntries(shared), each: ref(path) },
    };
  }

  #rows(path: string, without: readonly string[] = []): Schema {
    const keys = Object.keys(rowsEntry.shape).filter((key) => !without.includes(key));
    const shared = keys.map((key) => [key, ref(`rows/properties/${key}`)]);
    return {
      type: 'object',
      required: ['from', 'each'],
      additionalProperties: false,
      properties: { ...Object.fromEntries(shared), each: ref(path) },
    };
  }

  list(element: Target, path: string): Schema {
    const only = onlyField(element)?.[1].type === 'value' || element.type === 'value';
    this.#elements.set(path, this.#field(element, path));
    const rows = `${path}.rows`;
    this.#elements.set(rows, this.#rows(path, ['take']));
    const some = `${path}.when`;
    this.#elements.set(some, this.#conditional(path));
    const parts = { type: 'array', items: { anyOf: [ref(path), ref(rows), ref(some)] } };
    return { anyOf: [parts, ref(rows), ref(some), ...(only ? [ref('value')] : [])] };
  }

  #field(target: Target, path: string): Schema {
    switch (target.type) {
      case 'value':
        return ref('value');
      case 'object':
        return this.object(target.fields, path);
      case 'list':
        return this.list(target.element, path);
      case 'open':
        return ref('open');
    }
  }

  /** An object that a zod schema reads; `special` are keys whose content zod leaves open. */
  entry(schema: z.ZodObject, chapter: string, special: Schema = {}): Schema {
    const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const { $schema: _meta, properties = {}, ...rest } = loosened(made) as { properties?: Schema } & Schema;
    return { ...rest, properties: this.described(chapter, { ...properties, ...special }) };
  }

  /** With what the guide's tables in that chapter say of each key. */
  described(chapter: string, properties: Schema): Schema {
    const text = this.#guide.split(/^#+ /m).find((part) => part.startsWith(`${chapter}\n`)) ?? '';
    const said = new Map(
      [...text.matchAll(/^\| `(\w+)` +\| (.*?) *\|$/gm)].map(([, key, meaning]) => [key, meaning]),
    );
    return Object.fromEntries(
      Object.entries(properties).map(([key, schema]) => [
        key,
        said.has(key) ? { description: said.get(key), ...(schema as Schema) } : schema,
      ]),
    );
  }
}

/** As YAML editors read a file: values are not only text. */
function loosened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(loosened);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, enum: values, minLength: _least, propertyNames: _names, ...rest } = schema as Schema;
  if (Array.isArray(values) && values.includes('true')) return { enum: [true, false, 'true', 'false'] };
  const kept = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, loosened(inner)]));
  if (values !== undefined) return { enum: values };
  if (type === 'string') return { ...anyText, ...kept };
  return type === undefined ? kept : { type, ...kept };
}
