import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import { ofEachStep, stepNames, type StepName } from '../../domain/steps.ts';
import { endpointOf, endpoints, type KnownEndpointName } from '../endpoints.ts';
import { registrationEndpoints } from '../registration.ts';
import type { ImportKind } from '../../domain/import-kind.ts';
import { ContractFields, type ContractField } from './contract-field.ts';
import { contractProblems, type Words } from './contract-problem.ts';
import { readReference } from './contract-reference.ts';
import { ContractRefused } from './contract-refused.ts';
import { ContractSchemas } from './contract-schema.ts';
import type { AddedRequest, Contract } from './contract.ts';
import { fittedPayload } from './fitted-payload.ts';
import { numberFormOf } from './number-form.ts';
import { PayloadChecks, type PayloadCheck } from './payload-check.ts';
import { requestSchemaAt, requestSchemas } from './request-schemas.ts';

/** The endpoints that an account's payload is sent to, by the kind of import. */
const ofAccount = { v1: ['validate', 'stage'], v2: ['scheduleValidate', 'schedule'] } as const;

/** The endpoints that a step's payload is sent to. */
function endpointsOfSteps(kind: ImportKind): Readonly<Record<StepName, readonly KnownEndpointName[]>> {
  return ofEachStep((step) =>
    step === 'validate' || step === 'stage' ? ofAccount[kind] : [endpointOf[step]],
  );
}

/** How documents are taken for a contract. */
export interface ContractChoice {
  /** The documents' files, for messages. */
  readonly names: readonly (string | undefined)[];
  readonly fingerprint: string;
  /** Without the leniency that docs/tenancies.md lists. */
  readonly isStrict: boolean;
  /**
   * What is examined at once, so that a fault in it is refused: the fields, and the checks too. Otherwise either is read
   * when it is first needed.
   */
  readonly examines: 'nothing' | 'fields' | 'checks';
  /** How accounts are imported; absent: in the first of the ways that the documents have. */
  readonly kind?: ImportKind | undefined;
  /** The paths of steps that a profile adds. */
  readonly paths?: readonly string[] | undefined;
  /** Says what is wrong with a payload. */
  readonly words: Words;
}

/**
 * What the documents say of the requests of the interface's endpoints, found by their paths. Throws
 * ContractRefused, with the reference to the fault, if that cannot be determined.
 */
export function describedContract(documents: readonly JsonObject[], description: ContractChoice): Contract {
  const { names, fingerprint, isStrict, examines, words, kind, paths = [] } = description;
  const schemas = new ContractSchemas(documents, isStrict);
  const wanted = [...ofAccount.v2, ...Object.values(endpointsOfSteps('v1')).flat()];
  const references = requestSchemas(documents, names, new Set(wanted));
  const imports = (['v1', 'v2'] as const).filter((one) =>
    ofAccount[one].some((name) => references.has(name)),
  );
  // What the documents do not have is refused where a run would use it.
  const own = kind !== undefined && imports.includes(kind) ? kind : (imports[0] ?? 'v1');
  for (const other of imports)
    if (other !== own) for (const name of ofAccount[other]) references.delete(name);
  const endpointsOf = endpointsOfSteps(own);
  const added = new Map(
    paths.flatMap((path) => {
      const reference = requestSchemaAt(documents, path);
      return reference === undefined ? [] : [[path, reference] as const];
    }),
  );
  for (const reference of [...references.values(), ...added.values()]) schemas.refer(reference);
  schemas.settle();
  refuseCircles(schemas);
  const checks = new PayloadChecks(schemas);
  const fields = new ContractFields(schemas);
  const requests = new Map<StepName, Request>();
  for (const step of stepNames) {
    const schemasOf = [...new Set(endpointsOf[step].flatMap((name) => references.get(name) ?? []))];
    if (schemasOf.length > 0) requests.set(step, new Request(schemasOf, fields, checks));
  }
  if (examines !== 'nothing') for (const request of requests.values()) request.readFields();
  if (examines === 'checks') for (const reference of new Set(references.values())) checks.compiled(reference);
  return {
    unchecked: schemas.unchecked.map((reference) => namedReference(reference, names)),
    fingerprint,
    document: documents[0] ?? {},
    documents,
    imports,
    offers: (step) => requests.has(step) || step === 'process',
    field: (step) => requests.get(step)?.field,
    at: (step, path) => fieldAt(requests.get(step)?.field, path),
    // A form changes only numbers, so its result is a payload of the same kind.
    formed: <Payload extends JsonValue>(step: StepName, payload: Payload) =>
      (requests.get(step)?.form(payload) ?? payload) as Payload,
    fitted(step, payload) {
      const [reference] = endpointsOf[step].flatMap((name) => references.get(name) ?? []);
      return reference === undefined ? undefined : fittedPayload(schemas, reference, payload);
    },
    check(step, payload) {
      const request = requests.get(step);
      if (request !== undefined) return request.problems(payload, words, isStrict);
      return step === 'process' ? [] : [notOffered(step)];
    },
    registers: Object.values(registrationEndpoints).every(({ method, path }) =>
      documents.some((document) => hasPath(document, method, path)),
    ),
    asks: (path) => documents.some((document) => hasPath(document, 'GET', path)),
    added(path) {
      const reference = added.get(path);
      return reference === undefined
        ? undefined
        : addedRequest(new Request([reference], fields, checks), words, isStrict, (item) =>
            fittedPayload(schemas, reference, item),
          );
    },
  };
}

/** What holds a step's payloads to the contract. */
class Request {
  readonly field: ContractField;
  readonly #checks: readonly PayloadCheck[];
  #form: ((payload: JsonValue) => JsonValue) | undefined;

  constructor(references: readonly string[], fields: ContractFields, checks: PayloadChecks) {
    this.field = fields.of(...references.map((reference) => ({ $ref: reference })));
    this.#checks = references.map((reference) => checks.of(reference));
  }

  form(payload: JsonValue): JsonValue {
    return this.readFields()(payload);
  }

  /** Throws ContractRefused if a reference leads nowhere. */
  readFields(): (payload: JsonValue) => JsonValue {
    return (this.#form ??= numberFormOf(this.field));
  }

  problems(payload: JsonValue, words: Words, isStrict: boolean): readonly PayloadProblem[] {
    const isKnown = isAllKnown(payload, this.field);
    if (isKnown && this.#checks.every(({ fits }) => fits(payload))) return [];
    const problems = new Map<string, PayloadProblem>();
    const add = (problem: PayloadProblem): void => {
      problems.set(`${problem.code} ${problem.path}`, problem);
    };
    for (const { errors } of this.#checks) contractProblems(errors(payload), words).forEach(add);
    if (!isKnown)
      findUnknownFields(payload, this.field, (path, isReadOnly) => {
        if (isReadOnly && !isStrict) return;
        const code = isReadOnly ? 'read_only' : 'unknown_field';
        // The tool adds these: every endpoint of the interface takes them.
        if (!isReadOnly && (path === 'import_supplier' || path === 'external_account_number')) return;
        add({ code, path, detail: words({ code, path }), severity: 'error' });
      });
    return inContractOrder([...problems.values()], this.field);
  }
}

function hasPath({ paths }: JsonObject, method: 'GET' | 'POST', path: string): boolean {
  const shape = (name: string): string => name.replaceAll(/\{[^}]*\}/g, '{}').replace(/\/+$/, '');
  return Object.entries(isJsonObject(paths) ? paths : {}).some(
    ([name, item]) =>
      name.startsWith('/') &&
      shape(path).endsWith(shape(name)) &&
      isJsonObject(item) &&
      item[method.toLowerCase()] !== undefined,
  );
}

/** Requests that take one item: the body itself, or the only element of a list. */
function addedRequest(
  request: Request,
  words: Words,
  isStrict: boolean,
  fitted: AddedRequest['fitted'],
): AddedRequest {
  const { element } = request.field;
  const isList = element !== undefined;
  return {
    field: element ?? request.field,
    isList,
    fitted,
    formed(item) {
      const formed = request.form(isList ? [item] : item);
      const own = Array.isArray(formed) ? formed[0] : formed;
      return isJsonObject(own) ? own : item;
    },
    check(item) {
      const problems = request.problems(isList ? [item] : item, words, isStrict);
      return isList
        ? problems.map((problem) => ({ ...problem, path: problem.path.replace(/^0\.?/, '') }))
        : problems;
    },
  };
}

/** A reference as its file has it, after the file's name where there are several. */
function namedReference(reference: string, names: readonly (string | undefined)[]): string {
  const pointer = reference.slice(reference.indexOf('#'));
  return names.length === 1 ? pointer : `${names[readReference(reference)?.file ?? 0]}${pointer}`;
}

/** A schema that a value must fit before it can fit that schema: no check of it would end. */
function refuseCircles(schemas: ContractSchemas): void {
  const { definitions } = schemas;
  const done = new Set<string>();
  const visit = (name: string, above: ReadonlySet<string>): void => {
    if (above.has(name))
      throw new ContractRefused(
        'one of its schemas consists of itself through $ref, allOf, anyOf or oneOf',
        'Correct it.',
        { reference: schemas.referenceTo(`#/$defs/${name}`) },
      );
    if (done.has(name)) return;
    for (const inner of partsOf(definitions[name])) visit(inner, new Set([...above, name]));
    done.add(name);
  };
  for (const name of Object.keys(definitions)) visit(name, new Set());
}

/**
 * The definitions that a value must fit in addition to this schema, except those of its fields and elements.
 */
function partsOf(schema: JsonValue | undefined): string[] {
  if (!isJsonObject(schema)) return [];
  const { $ref: reference, allOf, anyOf, oneOf, not, if: test, then, else: otherwise } = schema;
  const own = typeof reference === 'string' ? [reference.replace('#/$defs/', '')] : [];
  const lists = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...own, ...[...lists, not, test, then, otherwise].flatMap(partsOf)];
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
    detail: `The tenancy's contract has no endpoint ${endpoints[endpointOf[step]].path}, so this data cannot be sent. Leave it out of the export or the mapping.`,
    severity: 'error',
  };
}

/** Problems in the order of the contract's fields, and of the elements of arrays; unknown fields come last. */
function inContractOrder(
  problems: readonly PayloadProblem[],
  root: ContractField,
): readonly PayloadProblem[] {
  if (problems.length < 2) return problems;
  const placed = problems.map((problem) => ({ problem, place: placeOf(problem.path, root) }));
  return placed.toSorted((one, other) => compared(one.place, other.place)).map(({ problem }) => problem);
}

function placeOf(path: string, root: ContractField): readonly number[] {
  const place: number[] = [];
  let at: ContractField | undefined = root;
  for (const name of path === '' ? [] : path.split('.')) {
    if (at?.element !== undefined && /^\d+$/.test(name)) {
      place.push(Number(name));
      at = at.element;
      continue;
    }
    const names: readonly string[] = [...(at?.fields.keys() ?? [])];
    const index = names.indexOf(name);
    place.push(index < 0 ? Infinity : index);
    at = at?.fields.get(name) ?? at?.others;
  }
  return place;
}

function compared(one: readonly number[], other: readonly number[]): number {
  const differs = one.findIndex((index, at) => index !== other[at]);
  if (differs < 0) return one.length - other.length;
  const [left = 0, right = -1] = [one[differs], other[differs]];
  return left < right ? -1 : 1;
}

/** Whether a contract documents every field of a payload for requests; faster than to look for those that it does not. */
function isAllKnown(value: JsonValue, field: ContractField): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) {
    const { element } = field;
    return element === undefined || value.every((item) => isAllKnown(item, element));
  }
  if (!isJsonObject(value) || isNoObject(field)) return true;
  const { fields } = field;
  for (const name in value) {
    const inner = fields.get(name) ?? field.others;
    if (inner === undefined || inner.isReadOnly || !isAllKnown(value[name] as JsonValue, inner)) return false;
  }
  return true;
}

/**
 * Calls `found` with the path of every field of a payload that a contract does not document, or has only in
 * answers.
 */
function findUnknownFields(
  value: JsonValue,
  field: ContractField,
  found: (path: string, isReadOnly: boolean) => void,
  at = '',
): void {
  if (Array.isArray(value)) {
    const { element } = field;
    if (element !== undefined)
      for (const [index, item] of value.entries()) findUnknownFields(item, element, found, under(at, index));
    return;
  }
  if (!isJsonObject(value) || isNoObject(field)) return;
  for (const name of Object.keys(value)) {
    const inner = field.fields.get(name) ?? field.others;
    if (inner === undefined) found(under(at, name), false);
    else if (inner.isReadOnly) found(under(at, name), true);
    else findUnknownFields(value[name] as JsonValue, inner, found, under(at, name));
  }
}

/** If a contract requires something other than an object, its type is the fault, not its fields. */
function isNoObject({ types, fields }: ContractField): boolean {
  return types.size > 0 && !types.has('object') && fields.size === 0;
}

function under(at: string, name: string | number): string {
  return at === '' ? String(name) : `${at}.${name}`;
}
