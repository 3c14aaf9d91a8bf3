import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { ContractSchemas } from './contract-schema.ts';

/** What a contract says of the field that a path leads to. */
export interface Documented {
  readonly isField: boolean;
  /** It lists the values that the field may have. */
  readonly hasValues: boolean;
}

const undocumented: Documented = { isField: false, hasValues: false };

/** Looks fields up in a request schema, by dotted path with array positions; what was found is kept by its shape. */
export class DocumentedFields {
  private readonly schemas: ContractSchemas;
  private readonly root: JsonValue;
  private readonly found = new Map<string, Documented>();

  constructor(schemas: ContractSchemas, root: JsonValue) {
    this.schemas = schemas;
    this.root = root;
  }

  at(path: string): Documented {
    const shape = path.replaceAll(/(^|\.)\d+(?=\.|$)/g, '$1*');
    const known = this.found.get(shape) ?? this.lookUp(shape.split('.'));
    this.found.set(shape, known);
    return known;
  }

  private lookUp(names: readonly string[]): Documented {
    let schemas = this.whole(this.root);
    for (const name of names)
      schemas = schemas.flatMap((schema) => {
        const properties = schema['properties'];
        if (isJsonObject(properties) && Object.hasOwn(properties, name)) return this.whole(properties[name]);
        return name === '*' ? this.whole(schema['items']) : [];
      });
    if (schemas.length === 0) return undocumented;
    return { isField: true, hasValues: schemas.some(({ enum: values }) => Array.isArray(values)) };
  }

  /** A schema and all that it is made of: what it refers to, and its alternatives. */
  private whole(schema: JsonValue | undefined, seen = new Set<JsonValue>()): JsonObject[] {
    if (!isJsonObject(schema) || seen.has(schema)) return [];
    seen.add(schema);
    const { $ref: reference, allOf, anyOf, oneOf } = schema;
    const parts = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
    if (typeof reference === 'string') parts.push(this.schemas.target(reference));
    return [schema, ...parts.flatMap((part) => this.whole(part, seen))];
  }
}
