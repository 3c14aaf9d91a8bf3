import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { ContractSchemas } from './contract-schema.ts';
import { SchemaFitting } from './fitted-payload.ts';

/** Words of the interface, and what published contracts say instead. */
const otherWords: Readonly<Record<string, string>> = { IN_PROGRESS: 'PENDING' };

/**
 * Adds to a platform's answers what a contract requires of them. What the platform says stays: a value that does not fit, such as
 * a number of another form, is not replaced.
 */
export class FittedAnswers {
  readonly #fitting: SchemaFitting;

  constructor(schemas: ContractSchemas) {
    this.#fitting = new SchemaFitting(schemas, 'answers');
  }

  /** `facts`: what the platform knows, by every name that a contract may have for it; for the answer, or each element of a list. */
  fit(reference: string, answer: JsonValue, facts: JsonObject): JsonValue {
    return this.#fit({ $ref: reference }, answer, facts);
  }

  #fit(stated: JsonValue | undefined, value: JsonValue, facts: JsonObject): JsonValue {
    const schema = this.#fitting.whole(stated, value);
    if (Array.isArray(value)) return value.map((item) => this.#fit(schema['items'], item, facts));
    if (isJsonObject(value)) return this.#object(schema, value, facts);
    const { enum: words } = schema;
    if (typeof value === 'string' && Array.isArray(words) && !words.includes(value)) {
      const other = otherWords[value];
      return other !== undefined && words.includes(other) ? other : value;
    }
    return value === null && schema['type'] === 'string' && schema['nullable'] !== true ? '' : value;
  }

  #object(schema: JsonObject, value: JsonObject, facts: JsonObject): JsonObject {
    const { properties: stated, required: names, additionalProperties: others } = schema;
    const properties = isJsonObject(stated) ? stated : {};
    const required = new Set(Array.isArray(names) ? names : []);
    const fitted: JsonObject = {};
    for (const [name, item] of Object.entries(value))
      if (Object.hasOwn(properties, name)) fitted[name] = this.#fit(properties[name], item, {});
      else if (others !== false) fitted[name] = item;
    for (const [name, inner] of Object.entries(properties)) {
      const isOfRequests = this.#fitting.whole(inner, undefined)['writeOnly'] === true;
      if (fitted[name] !== undefined || isOfRequests) continue;
      const fact = facts[name];
      if (fact !== undefined) fitted[name] = fact;
      else if (required.has(name)) fitted[name] = this.#fitting.fit(inner, undefined, 1);
    }
    return fitted;
  }
}
