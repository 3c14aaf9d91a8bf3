import { createHash } from 'node:crypto';
import type { ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  ExactNumber,
  isJsonObject,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import { stepNames, type StepName } from '../../domain/steps.ts';
import { endpointOf, endpoints, type EndpointName } from '../endpoints.ts';
import { contractProblems } from './contract-problem.ts';
import { triedPattern } from './contract-pattern.ts';
import { ContractRefused } from './contract-refused.ts';
import { ContractSchemas, decimalKeyword } from './contract-schema.ts';
import { ContractFields, type ContractField } from './contract-field.ts';
import { fittedPayload } from './fitted-payload.ts';
import { numberFormOf } from './number-form.ts';
import { findUnknownFields, isAllKnown } from './unknown-fields.ts';
import { leadInto, readReference } from './contract-reference.ts';
import { lineOf, parseContract } from './parse-contract.ts';
import { requestSchemas } from './request-schemas.ts';

/** The contract that a tenancy publishes: it decides what the payloads of each step are. */
export interface TenancyContract {
  /** Names its text: two contracts with the same one say the same. */
  readonly fingerprint: string;
  readonly document: JsonObject;
  /** The documents of all its files, the same one first. */
  readonly documents: readonly JsonObject[];
  /** Whether it has the step's endpoint. Process, whose payload the tool makes itself, need not be described. */
  offers(step: StepName): boolean;
  /** What it documents of the step's payload; undefined for a step that it does not offer. */
  field(step: StepName): ContractField | undefined;
  /** What it documents at a dotted path of that payload. */
  at(step: StepName, path: string): ContractField | undefined;
  /** The payload with its numbers written as the contract wants them; no digit changes. */
  formed<Payload extends JsonValue>(step: StepName, payload: Payload): Payload;
  /** A synthetic payload of the interface as the contract has it; undefined for a step that it does not offer. */
  fitted(step: StepName, payload: JsonObject): JsonObject | undefined;
  /** What it does not allow in the step's payload. Of a step that it does not offer: `not_offered`, whatever is in it. */
  check(step: StepName, payload: JsonValue): PayloadProblem[];
  /** Places in it of patterns that are not checked, because no engine that always ends can run them. */
  readonly unchecked: readonly string[];
}

/** The endpoints that a step's payload is sent to. */
const endpointsOf: Readonly<Record<StepName, readonly EndpointName[]>> = {
  validate: ['validate', 'stage'],
  stage: ['validate', 'stage'],
  process: ['process'],
  notes: ['notes'],
  transactions: ['transactions'],
  agreements: ['agreements'],
  'billing-documents': ['billingDocuments'],
  statements: ['statements'],
  'payment-instruction': ['paymentInstruction'],
};

/** What holds a step's payloads to the contract. */
interface Request {
  /** undefined where the contract was read without its checks. */
  readonly validates: readonly ValidateFunction[] | undefined;
  readonly field: ContractField;
  readonly form: (payload: JsonValue) => JsonValue;
}

/** One file of a contract. */
export interface ContractText {
  /** For messages. */
  readonly file: string;
  readonly text: string;
}

/** How a contract is read. */
export interface Reading {
  /** Without the leniency that docs/tenancies.md lists. */
  readonly isStrict?: boolean;
  /** False: nothing will be checked, so compiling the checks is left out. */
  readonly checks?: boolean;
}

/**
 * Reads a tenancy's OpenAPI document (3.0 or 3.1; JSON, which is YAML too, or YAML), or several that share the
 * endpoints among them, and prepares the request schemas of the interface's endpoints, found by their paths. Throws
 * ContractRefused, with the file and the line, where that cannot be done.
 */
export function readTenancyContract(
  contract: string | readonly ContractText[],
  reading: Reading = {},
): TenancyContract {
  const files = typeof contract === 'string' ? [{ text: contract }] : contract;
  try {
    return readContract(files, reading);
  } catch (error) {
    if (error instanceof RangeError)
      throw new ContractRefused('its schemas are nested too deeply', 'Correct the contract.', {
        cause: error,
      });
    throw error instanceof ContractRefused ? located(error, files) : error;
  }
}

type Files = readonly { readonly file?: string; readonly text: string }[];

/** The line of a fault is looked for only when there is one: parsing with positions takes longer. */
function located(refused: ContractRefused, files: Files): ContractRefused {
  const { reference } = refused.place;
  const read = reference === undefined ? undefined : readReference(reference);
  const found = read && files[read.file];
  return found === undefined ? refused : refused.at(found.file, lineOf(found.text, read?.names ?? []));
}

function readContract(files: Files, { isStrict = false, checks = true }: Reading): TenancyContract {
  const documents = files.map(({ file, text }, position) => {
    const document = parsed(text, file);
    if (position > 0) leadInto(position, document);
    return document;
  });
  const names = files.map(({ file }) => file);
  const schemas = new ContractSchemas(documents, isStrict);
  const references = requestSchemas(documents, names, new Set(Object.values(endpointsOf).flat()));
  const roots = new Map([...references.values()].map((reference) => [reference, schemas.refer(reference)]));
  schemas.settle();
  refuseCircles(schemas);
  const fields = new ContractFields(schemas);
  const compiled = checks ? compiledChecks(schemas, roots) : undefined;
  const requests = new Map<StepName, Request>();
  for (const step of stepNames) {
    const wanted = new Set(endpointsOf[step].flatMap((name) => references.get(name) ?? []));
    if (wanted.size === 0) continue;
    const field = fields.of(...[...wanted].map((reference) => ({ $ref: reference })));
    const validates = compiled && [...wanted].flatMap((reference) => compiled.get(reference) ?? []);
    requests.set(step, { validates, field, form: numberFormOf(field) });
  }
  return {
    unchecked: schemas.unchecked.map((reference) => namedReference(reference, names)),
    fingerprint: createHash('sha256')
      .update(files.map(({ text }) => text).join('\0'))
      .digest('base64url')
      .slice(0, 12),
    document: documents[0] ?? {},
    documents,
    offers: (step) => requests.has(step) || step === 'process',
    field: (step) => requests.get(step)?.field,
    at: (step, path) => fieldAt(requests.get(step)?.field, path),
    // A form changes numbers alone, so what it gives is a payload of the same kind.
    formed: <Payload extends JsonValue>(step: StepName, payload: Payload) =>
      (requests.get(step)?.form(payload) ?? payload) as Payload,
    fitted(step, payload) {
      const [reference] = endpointsOf[step].flatMap((name) => references.get(name) ?? []);
      return reference === undefined ? undefined : fittedPayload(schemas, reference, payload);
    },
    check(step, payload) {
      const request = requests.get(step);
      if (request !== undefined) return problemsIn(request, payload, isStrict);
      return step === 'process' ? [] : [notOffered(step)];
    },
  };
}

/** A reference as its file has it, after the file's name where there are several. */
function namedReference(reference: string, names: readonly (string | undefined)[]): string {
  const pointer = reference.slice(reference.indexOf('#'));
  return names.length === 1 ? pointer : `${names[readReference(reference)?.file ?? 0]}${pointer}`;
}

/** A schema that a value has to fit before it can fit that schema: no check of it would end. */
function refuseCircles(schemas: ContractSchemas): void {
  const { definitions } = schemas;
  const whereIs = (name: string): { reference?: string } => {
    const reference = schemas.referenceTo(`#/$defs/${name}`);
    return reference === undefined ? {} : { reference };
  };
  const done = new Set<string>();
  const visit = (name: string, above: ReadonlySet<string>): void => {
    if (above.has(name))
      throw new ContractRefused(
        'a schema of it consists of itself by $ref, allOf, anyOf or oneOf',
        'Correct it.',
        whereIs(name),
      );
    if (done.has(name)) return;
    for (const inner of partsOf(definitions[name])) visit(inner, new Set([...above, name]));
    done.add(name);
  };
  for (const name of Object.keys(definitions)) visit(name, new Set());
}

/** The definitions that a value has to be held to beside this schema, its fields and elements aside. */
function partsOf(schema: JsonValue | undefined): string[] {
  if (!isJsonObject(schema)) return [];
  const { $ref: reference, allOf, anyOf, oneOf, not, if: test, then, else: otherwise } = schema;
  const own = typeof reference === 'string' ? [reference.replace('#/$defs/', '')] : [];
  const lists = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...own, ...[...lists, not, test, then, otherwise].flatMap(partsOf)];
}

/** The checks of these requests, by the reference to their schema. */
function compiledChecks(
  schemas: ContractSchemas,
  roots: ReadonlyMap<string, string>,
): ReadonlyMap<string, ValidateFunction> {
  const ajv = prepared(schemas);
  return new Map([...roots].map(([reference, root]) => [reference, compiledBy(ajv, root, reference)]));
}

function compiledBy(ajv: Ajv2020, root: string, reference: string): ValidateFunction {
  try {
    return ajv.compile({ $ref: `contract${root}` });
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error)) throw error;
    throw new ContractRefused(`a schema of it cannot be used, ${error.message}`, 'Correct it.', {
      cause: error,
      reference,
    });
  }
}

function fieldAt(root: ContractField | undefined, path: string): ContractField | undefined {
  let at = root;
  for (const name of path.split('.')) at = at?.fields.get(name) ?? at?.element ?? at?.others;
  return at;
}

function notOffered(step: StepName): PayloadProblem {
  return {
    code: 'not_offered',
    path: '',
    detail: `The tenancy's contract has no endpoint ${endpoints[endpointOf[step]].path}, so this data has nowhere to go. Leave it out of the export or the mapping.`,
    severity: 'error',
  };
}

function problemsIn({ validates, field }: Request, payload: JsonValue, isStrict: boolean): PayloadProblem[] {
  if (validates === undefined) throw new Error('a contract that was read without its checks');
  // A number that no float can hold is an object here, which a schema would not know for a number.
  const plain: unknown = hasExactNumber(payload) ? JSON.parse(stringifyJson(payload)) : payload;
  const problems = new Map<string, PayloadProblem>();
  const add = (problem: PayloadProblem): void => {
    problems.set(`${problem.code} ${problem.path}`, problem);
  };
  for (const validate of validates)
    if (!validate(plain)) contractProblems(validate.errors ?? []).forEach(add);
  if (isAllKnown(payload, field)) return [...problems.values()];
  findUnknownFields(payload, field, (path, isReadOnly) => {
    if (isReadOnly) {
      if (isStrict) add(readOnly(path));
      return;
    }
    // The tool adds these: every endpoint of the interface takes them.
    if (path === 'import_supplier' || path === 'external_account_number') return;
    add({
      code: 'unknown_field',
      path,
      detail:
        "The tenancy's contract does not document this field. Remove it from the mapping or the export.",
      severity: 'error',
    });
  });
  return [...problems.values()];
}

function readOnly(path: string): PayloadProblem {
  return {
    code: 'read_only',
    path,
    detail:
      "The tenancy's contract has this field in answers alone. Remove it from the mapping or the export.",
    severity: 'error',
  };
}

function hasExactNumber(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof ExactNumber) return true;
  if (Array.isArray(value)) return value.some(hasExactNumber);
  for (const name in value) if (hasExactNumber(value[name] as JsonValue)) return true;
  return false;
}

function parsed(text: string, file: string | undefined): JsonObject {
  const document = parseContract(text, file);
  const version = isJsonObject(document) ? document['openapi'] : undefined;
  if (!isJsonObject(document) || typeof version !== 'string' || !/^3\.[01]\./.test(version))
    throw new ContractRefused('it is not an OpenAPI document of version 3.0 or 3.1', 'Name another file.', {
      file,
    });
  return document;
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
      return (value: unknown) => typeof value === 'string' && form.test(value);
    },
  });
  ajv.addSchema({ $id: 'contract', $defs: definitions });
  return ajv;
}
