import type { ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  isJsonObject,
  numberText,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { StepName } from '../../domain/steps.ts';
import { endpoints, type EndpointName } from '../endpoints.ts';
import { contractProblems } from './contract-problem.ts';
import { triedPattern } from './contract-pattern.ts';
import { ContractRefused } from './contract-refused.ts';
import { ContractSchemas, decimalKeyword } from './contract-schema.ts';
import { DocumentedFields, type Documented } from './documented.ts';
import { parseContract } from './parse-contract.ts';

/** What a tenancy publishes of its own fields and bounds, beyond the interface. */
export interface TenancyContract {
  /** What it does not allow in a request payload of this step. */
  check(step: StepName, payload: JsonValue): PayloadProblem[];
  /** What it says of a field of that payload. */
  documents(step: StepName, path: string): Documented;
  /** Places in it of patterns that are not checked, because no engine that always ends can run them. */
  readonly unchecked: readonly string[];
}

/** The endpoints that a step's payload is sent to. */
const endpointsOf: Readonly<Record<StepName, readonly EndpointName[]>> = {
  validate: ['validate', 'stage'],
  stage: ['stage'],
  process: ['process'],
  notes: ['notes'],
  transactions: ['transactions'],
  agreements: ['agreements'],
  'billing-documents': ['billingDocuments'],
  statements: ['statements'],
  'payment-instruction': ['paymentInstruction'],
};

interface Request {
  readonly validate: ValidateFunction;
  readonly fields: DocumentedFields;
}

/**
 * Reads a tenancy's OpenAPI document (3.0 or 3.1; JSON, which is YAML too, or YAML) and prepares the request schemas of
 * the interface's endpoints, found by their paths. Throws ContractRefused where that cannot be done.
 */
export function readTenancyContract(text: string): TenancyContract {
  const document = parsed(text);
  const schemas = new ContractSchemas(document);
  const references = new Map<EndpointName, string>();
  for (const name of Object.values(endpointsOf).flat()) {
    const reference = requestOf(document, endpoints[name].path);
    if (reference !== undefined) references.set(name, reference);
  }
  if (references.size === 0)
    throw new ContractRefused(
      "it describes no request of the interface's endpoints, such as /v1/data-import/validate-account/. Name another file.",
    );
  const roots = new Map([...references.values()].map((reference) => [reference, schemas.refer(reference)]));
  schemas.settle();
  const ajv = prepared(schemas);
  const requests = new Map<string, Request>();
  for (const [reference, root] of roots) {
    const validate = ajv.compile({ $ref: `contract${root}` });
    requests.set(reference, { validate, fields: new DocumentedFields(schemas, { $ref: reference }) });
  }
  const requestsFor = (step: StepName): readonly Request[] => {
    const wanted = new Set(endpointsOf[step].map((name) => references.get(name)));
    return [...wanted].flatMap((reference) => requests.get(reference ?? '') ?? []);
  };
  return {
    unchecked: schemas.unchecked,
    check: (step, payload) => requestsFor(step).flatMap(({ validate }) => problemsOf(validate, payload)),
    documents(step, path) {
      const found = requestsFor(step).map(({ fields }) => fields.at(path));
      return {
        isField: found.some(({ isField }) => isField),
        hasValues: found.some(({ hasValues }) => hasValues),
      };
    },
  };
}

function parsed(text: string): JsonObject {
  const document = parseContract(text);
  const version = isJsonObject(document) ? document['openapi'] : undefined;
  if (!isJsonObject(document) || typeof version !== 'string' || !/^3\.[01]\./.test(version))
    throw new ContractRefused('it is not an OpenAPI document of version 3.0 or 3.1. Name another file.');
  return document;
}

/** The reference to the schema of a path's JSON request; its server may hold the beginning of the path. */
function requestOf({ paths }: JsonObject, path: string): string | undefined {
  if (!isJsonObject(paths)) return undefined;
  const plain = path.replace(/\/$/, '');
  const key = Object.keys(paths).find((name) => {
    const end = name.replace(/\/$/, '');
    return end !== '' && (plain === end || plain.endsWith(end));
  });
  if (key === undefined) return undefined;
  const names = ['post', 'requestBody', 'content'];
  const content = names.reduce(
    (at: JsonValue | undefined, name) => (isJsonObject(at) ? at[name] : undefined),
    paths[key],
  );
  if (!isJsonObject(content)) return undefined;
  const type = Object.keys(content).find((name) => /^application\/(?:[\w.-]+\+)?json/i.test(name));
  const media = type === undefined ? undefined : content[type];
  if (type === undefined || !isJsonObject(media) || media['schema'] === undefined) return undefined;
  const { schema } = media;
  // Two requests that name the same schema are held to it once.
  if (isJsonObject(schema) && typeof schema['$ref'] === 'string' && Object.keys(schema).length === 1)
    return schema['$ref'];
  const parts = ['paths', key, ...names, type, 'schema'];
  const escaped = parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
  return `#/${escaped.join('/')}`;
}

function prepared({ definitions }: ContractSchemas): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    unicodeRegExp: false,
    code: { regExp: Object.assign(triedPattern, { code: 'triedPattern' }) },
    logger: false,
  });
  ajvFormats.default(ajv);
  ajv.addKeyword({
    keyword: decimalKeyword,
    compile: (pattern: string) => {
      const form = triedPattern(pattern);
      return (value: unknown) => {
        const digits = numberText(value);
        return digits !== undefined && form.test(digits);
      };
    },
  });
  ajv.addSchema({ $id: 'contract', $defs: definitions });
  return ajv;
}

function problemsOf(validate: ValidateFunction, payload: JsonValue): PayloadProblem[] {
  // A number that no float can hold is an object here, which a schema would not know for a number.
  const plain: unknown = JSON.parse(stringifyJson(payload));
  return validate(plain) ? [] : contractProblems(validate.errors ?? []);
}
