import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { endpoints, type Endpoint } from '../endpoints.ts';
import { extraComponents } from '../extra-steps.ts';
import * as account from '../schemas/account.ts';
import { processPayload } from '../schemas/import-process.ts';
import type { Schema } from '../schemas/schema.ts';
import type { Contract } from '../tenancy/contract.ts';
import { describedContract } from '../tenancy/described-contract.ts';
import { interfaceWords } from '../tenancy/misfit-words.ts';

/** The schemas of requests, and of their parts, that have a name in the document. */
const named = {
  Account: account.accountPayload,
  Address: account.address,
  Customer: account.customer,
  Ledger: account.ledger,
  SupplyAddress: account.supplyAddress,
  SupplyPoint: account.supplyPoint,
  Agreement: account.agreement,
  MetadataEntry: account.metadataEntry,
  CreateAccount: processPayload,
  ...extraComponents,
} satisfies Record<string, Schema>;

const names: ReadonlyMap<JsonValue, string> = new Map(
  Object.entries(named).map(([name, schema]): [JsonValue, string] => [schema, name]),
);

/** The name of a request's schema among `requestComponents`. */
export function requestName(request: Schema): string {
  const name = names.get(request);
  if (name === undefined) throw new Error('The schema of a request has no name.');
  return name;
}

function referenceTo(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** Each named schema of the requests, with references to those within it. */
export function requestComponents(): JsonObject {
  return Object.fromEntries(
    Object.entries(named).map(([name, schema]) => [name, referring(Object.entries(schema))]),
  );
}

function referring(members: readonly [string, JsonValue][]): JsonObject {
  return Object.fromEntries(members.map(([key, value]) => [key, referred(value)]));
}

function referred(value: JsonValue): JsonValue {
  const name = names.get(value);
  if (name !== undefined) return referenceTo(name);
  if (Array.isArray(value)) return value.map(referred);
  return isJsonObject(value) ? referring(Object.entries(value)) : value;
}

/** The requests of the interface document (sections 2 and 4) as an OpenAPI document. */
export function interfaceDocument(): JsonObject {
  return {
    openapi: '3.1.0',
    info: { title: 'Account migration data import', version: '1' },
    paths: Object.fromEntries(
      Object.values<Endpoint>(endpoints).flatMap(({ path, request }): [string, JsonValue][] =>
        request === undefined ? [] : [[path, { post: { requestBody: bodyOf(request) } }]],
      ),
    ),
    components: { schemas: requestComponents() },
  };
}

function bodyOf(request: Schema): JsonObject {
  return { required: true, content: { 'application/json': { schema: referred(request) } } };
}

let made: Contract | undefined;

/** The interface document as a contract, which applies if a tenancy publishes none of its own. */
export function interfaceContract(): Contract {
  made ??= describedContract([interfaceDocument()], {
    names: ['the interface document'],
    fingerprint: 'interface',
    isStrict: false,
    examines: 'nothing',
    words: interfaceWords,
  });
  return made;
}
