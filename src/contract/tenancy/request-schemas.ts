import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { knownEndpoints, type KnownEndpointName } from '../endpoints.ts';
import { wrapsPayload } from '../scheduled-import.ts';
import { rootOf, within } from './contract-reference.ts';
import { ContractRefused } from './contract-refused.ts';
import { ContractSchemas } from './contract-schema.ts';

/** Where a contract's files describe the requests of the interface's endpoints. */
export type RequestSchemas = Map<KnownEndpointName, string>;

/** An endpoint that a file has, and the reference to the schema of its request, or why there is none. */
type Found = { readonly schema: string } | { readonly lack: ContractRefused };

/** The endpoints whose payload the tool makes itself. */
const undescribed: ReadonlySet<KnownEndpointName> = new Set(['process']);

/** Each of them describes an account. */
const ofAccount: readonly KnownEndpointName[] = ['validate', 'stage', 'scheduleValidate', 'schedule'];

/**
 * The references to the request schemas of these endpoints, found by their paths: each in the file that has it. Throws
 * ContractRefused where one has no schema, where files differ, or where none describes an account.
 */
export function requestSchemas(
  documents: readonly JsonObject[],
  files: readonly (string | undefined)[],
  wanted: Iterable<KnownEndpointName>,
): RequestSchemas {
  const schemas = new ContractSchemas(documents);
  const references = new Map<KnownEndpointName, string>();
  const lacks = new Map<KnownEndpointName, ContractRefused>();
  for (const name of wanted) {
    const request = { path: knownEndpoints[name].path, isWrapped: wrapsPayload(name) };
    const all = documents.map((document, file) => requestOf(document, schemas, request, rootOf(file)));
    const having = [...all.entries()].flatMap(([file, found]) =>
      found !== undefined && 'schema' in found ? [{ file, schema: found.schema }] : [],
    );
    const [first, ...others] = having;
    const other = others.find(({ schema }) => first !== undefined && differ(documents, first.schema, schema));
    if (first !== undefined && other !== undefined)
      throw new ContractRefused(
        `it describes the request of ${knownEndpoints[name].path} differently from ${files[first.file]}`,
        'Remove it from one of the files.',
        { reference: other.schema },
      );
    if (first !== undefined) references.set(name, first.schema);
    const lack = all.find((found) => found !== undefined && 'lack' in found);
    if (lack !== undefined && 'lack' in lack) lacks.set(name, lack.lack);
  }
  if (!ofAccount.some((name) => references.has(name)))
    throw lacks.get('validate') ?? lacks.get('stage') ?? noAccount();
  for (const [name, lack] of lacks)
    if (!references.has(name) && !undescribed.has(name) && !ofAccount.includes(name)) throw lack;
  return references;
}

/**
 * The reference to the schema of the request to another path, in the first file that has it; undefined if none has. Throws
 * ContractRefused where it has no schema.
 */
export function requestSchemaAt(documents: readonly JsonObject[], path: string): string | undefined {
  const schemas = new ContractSchemas(documents);
  for (const [file, document] of documents.entries()) {
    const found = requestOf(document, schemas, { path, isWrapped: false }, rootOf(file));
    if (found !== undefined && 'lack' in found) throw found.lack;
    if (found !== undefined) return found.schema;
  }
  return undefined;
}

function noAccount(): ContractRefused {
  const paths = ofAccount
    .slice(0, 2)
    .map((name) => knownEndpoints[name].path)
    .join(' or ');
  return new ContractRefused(
    `it has no endpoint ${paths}, so it does not define an account`,
    'Name another file.',
    { reference: within('#', 'paths') },
  );
}

/** The schema of an endpoint's JSON request in one file; undefined if the file does not have the endpoint. */
function requestOf(
  document: JsonObject,
  schemas: ContractSchemas,
  { path, isWrapped }: { readonly path: string; readonly isWrapped: boolean },
  root: string,
): Found | undefined {
  const key = pathIn(document, path);
  if (key === undefined) return undefined;
  const lack = (what: string, reference: string): Found => ({
    lack: new ContractRefused(`${what} of POST ${key}`, 'Describe it in the contract.', { reference }),
  });
  const item = schemas.resolved(within(within(root, 'paths'), key));
  const operation = within(item, 'post');
  if (!isJsonObject(schemas.find(operation))) return undefined;
  const body = schemas.resolved(within(operation, 'requestBody'));
  const content = within(body, 'content');
  const types = schemas.find(content);
  if (!isJsonObject(types)) return lack('it does not describe the body', operation);
  const type = jsonTypeIn(types);
  if (type === undefined) return lack('it has no JSON body', content);
  const media = types[type];
  if (!isJsonObject(media) || media['schema'] === undefined)
    return lack('it has no schema for the body', within(content, type));
  const own = within(within(content, type), 'schema');
  const { schema } = media;
  if (isWrapped) {
    const payload = within(within(schemas.resolved(own), 'properties'), 'payload');
    return schemas.find(payload) === undefined
      ? lack('it has no field payload in the body', own)
      : { schema: payload };
  }
  if (!isJsonObject(schema) || typeof schema['$ref'] !== 'string' || Object.keys(schema).length > 1)
    return { schema: own };
  // Two requests that name the same schema are held to it once.
  schemas.target(schema['$ref'], own);
  return { schema: schema['$ref'] };
}

/** JSON itself first, whatever its parameters; otherwise a variant of JSON, or a range that includes it. */
export function jsonTypeIn(types: JsonObject): string | undefined {
  const forms = [
    /^application\/json *(?:;|$)/i,
    /^application\/[\w.-]+\+json *(?:;|$)/i,
    /^(?:application|\*)\/\*/,
  ];
  return forms
    .map((form) => Object.keys(types).find((type) => form.test(type)))
    .find((type) => type !== undefined);
}

const allPaths = Object.values(knownEndpoints).map(({ path }) => path);

/**
 * The contract's own name of a path: the longest that the path ends with, as the contract's server may hold the
 * beginning. One that other endpoints end with too names none of them.
 */
export function pathIn({ paths }: JsonObject, path: string): string | undefined {
  if (!isJsonObject(paths)) return undefined;
  const names = Object.keys(paths).filter(
    (name) =>
      endsWith(path, name) && ![path, ...allPaths].some((other) => other !== path && endsWith(other, name)),
  );
  return names.toSorted((one, other) => other.length - one.length)[0];
}

/** Slashes at the end make no difference. */
function endsWith(path: string, name: string): boolean {
  const end = name.replace(/\/+$/, '');
  return end.startsWith('/') && path.replace(/\/$/, '').endsWith(end);
}

/** Whether two schemas describe a payload differently, whatever their names. */
function differ(documents: readonly JsonObject[], one: string, other: string): boolean {
  if (one === other) return false;
  const [left, right] = [one, other].map((reference): JsonValue => {
    const schemas = new ContractSchemas(documents);
    schemas.refer(reference);
    return schemas.definitions;
  });
  return JSON.stringify(left) !== JSON.stringify(right);
}
