import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import type { PayloadProblem } from '../domain/problem.ts';
import { knownEndpoints, type Endpoint, type KnownEndpointName } from './endpoints.ts';
import { wrapsPayload } from './scheduled-import.ts';
import { addFieldMessages, toldProblem } from './field-messages.ts';
import { foreignCode, foreignPath } from './foreign-names.ts';
import { publishedCodes } from './published-codes.ts';
import { nothingSent, type SentValues } from './sent-values.ts';

/** The contents of a 4xx body, from either dialect (section 7; the second dialect is shaped like the payload). */
export interface Refusal {
  /** One problem for each error in the body, up to 200, and one that counts the others; empty if the body names none. */
  readonly problems: readonly PayloadProblem[];
  /** Top-level machine code, such as account_failed_validation; '' if there is none. */
  readonly code: string;
  /** Top-level message for people; '' if there is none. */
  readonly detail: string;
  /** The account's number on the platform, if the body has it: the account was imported before (section 4, rule 3). */
  readonly krakenAccountNumber?: string | undefined;
  /** The body says that the dry run would have imported the account (section 7). */
  readonly wouldImport: boolean;
}

/** The request that was refused: only its endpoint's forms count, and only its own fields are named. */
export interface RefusedRequest {
  readonly endpoint: KnownEndpointName;
  /** Statuses with which the tenancy refuses, besides those of the endpoint. */
  readonly refusals?: readonly number[] | undefined;
  /** Fields that name what the request of an added step is about: a refusal may repeat them beside `error_detail`. */
  readonly echoes?: readonly string[] | undefined;
  payload(): JsonObject;
  /** What the platform was sent about the account: no code may repeat any of it. */
  readonly sent: SentValues;
}

/** Codes that say "this account exists already" (section 4, rules 2 and 3). */
export const alreadyImportedCode = 'account_import_process_already_imported';

/** Whether the answer or one of its problems has this code. */
export function hasCode({ code, problems }: Refusal, sought: string): boolean {
  return code === sought || problems.some((problem) => problem.code === sought);
}

/** An account's number on the platform is never longer, in characters. */
const longestNumber = 128;

/** Errors of one answer that are kept. */
const mostProblems = 200;

const dryRunMessage = 'account would successfully import';

/** Where a body says what it is about, as a text. */
const echoKeys: ReadonlySet<string> = new Set([
  'kraken_account_number',
  'account_number',
  'account_id',
  'external_account_number',
  'import_supplier',
  'import_supplier_code',
  'reference',
]);

/** Members of a flat error. */
const flatKeys: ReadonlySet<string> = new Set(['detail', 'code', 'domain']);
const messageKeys: ReadonlySet<string> = new Set(['detail', 'code', 'message']);
const listKeys: ReadonlySet<string> = new Set(['errors', 'non_field_errors']);

/**
 * Reads the body of a refusal into one list of problems; undefined if it has none of the platform's forms. These are
 * all of them: gateways, firewalls and frameworks write other JSON, and none of that is a refusal.
 *
 * - `{detail, code, errors: [{detail, code, attr}]}` (section 7)
 * - messages in the shape of the payload, under fields of the endpoint and `non_field_errors`
 * - `{detail, code, domain}`; without a domain, the code must be a published one
 * - the first failing transaction (section 4, rule 6), and the `error_detail` of the payment instruction and of registration
 * - the message of a dry run (section 7)
 *
 * Without the request (a conformance check, which shows what it reads to nobody else) any field counts.
 */
export function readRefusal(body: JsonValue | undefined, request?: RefusedRequest): Refusal | undefined {
  if (saysDryRun(messageOf(body)) && isOnlyMessage(body))
    return { problems: [], code: '', detail: messageOf(body), wouldImport: true };
  if (!isJsonObject(body)) return undefined;
  const problems =
    readListed(body) ??
    readFailedTransaction(body, request) ??
    readErrorDetail(body, request) ??
    readFlat(body, request?.endpoint) ??
    readAlreadyImported(body) ??
    readFields(body, request);
  if (problems === undefined) return undefined;
  const code = textAt(body, 'code');
  const kept = upToMost(problems);
  return {
    problems: request === undefined ? kept : kept.map((problem) => ofRequest(problem, request)),
    code: code === '' ? '' : foreignCode(code, request?.sent ?? nothingSent),
    detail: messageOf(body),
    wouldImport: false,
    krakenAccountNumber: ['kraken_account_number', 'account_id', 'account_number']
      .map((key) => textAt(body, key))
      .find((number) => number !== '' && number.length <= longestNumber),
  };
}

/** The journal and the log keep every problem of an account: a platform may name more than anybody reads. */
function upToMost(problems: readonly PayloadProblem[]): readonly PayloadProblem[] {
  const cut = problems.length - mostProblems;
  if (cut <= 0) return problems;
  const detail = `The platform named ${cut} more errors for this account. They are not kept.`;
  return [...problems.slice(0, mostProblems), { code: 'more_errors', path: '', detail, severity: 'error' }];
}

/** Codes and paths are foreign text: a code may repeat data, and a path may lead nowhere. */
function ofRequest(problem: PayloadProblem, request: RefusedRequest): PayloadProblem {
  const isWrapped = wrapsPayload(request.endpoint);
  // A path begins in the body, or in the account payload within it.
  const path = isWrapped ? problem.path.replace(/^payload\.?/, '') : problem.path;
  return {
    ...problem,
    code: foreignCode(problem.code, request.sent),
    path: foreignPath(path, request.payload(), fieldsOf(request)),
  };
}

/** Dialect one. Once it names a path, members of later versions are ignored (section 9, rule 2). */
function readListed(body: JsonObject): PayloadProblem[] | undefined {
  const { detail, code, errors, ...others } = body;
  if (typeof detail !== 'string' || typeof code !== 'string' || !Array.isArray(errors)) return undefined;
  const problems: PayloadProblem[] = [];
  let namesPath = false;
  for (const item of errors) {
    if (!isJsonObject(item) || typeof item['detail'] !== 'string' || typeof item['code'] !== 'string')
      return undefined;
    const { attr = null } = item;
    if (attr !== null && typeof attr !== 'string') return undefined;
    namesPath ||= attr !== null && attr !== '';
    const path = (attr ?? '').replace(/(?:^|\.)non_field_errors$/, '');
    problems.push(toldProblem(item['code'] || 'invalid', path, item['detail']));
  }
  const isKnown = Object.keys(others).every(
    (key) => echoKeys.has(key) || key === 'domain' || key === 'error_detail',
  );
  return isKnown || namesPath ? problems : undefined;
}

/** The first failing transaction of a request (section 4, rule 6). */
function readFailedTransaction(
  body: JsonObject,
  request: RefusedRequest | undefined,
): PayloadProblem[] | undefined {
  const { status, error_detail: detail, transaction_data: _data, ...others } = body;
  if (status !== 'TRANSACTION_IMPORT_ERROR' || typeof detail !== 'string') return undefined;
  if (Object.keys(others).length > 0 || (request?.endpoint ?? 'transactions') !== 'transactions')
    return undefined;
  return [toldProblem('TRANSACTION_IMPORT_ERROR', 'transactions', detail)];
}

/** A payment instruction, or a registration, that was not accepted, with what it was about. */
function readErrorDetail(
  body: JsonObject,
  request: RefusedRequest | undefined,
): PayloadProblem[] | undefined {
  const { error_detail: detail, ...others } = body;
  if (typeof detail !== 'string' || detail === '') return undefined;
  const { endpoint = 'paymentInstruction', echoes } = request ?? {};
  const isKnown = Object.keys(others).every(
    (key) => echoKeys.has(key) || flatKeys.has(key) || echoes?.includes(key) === true,
  );
  const hasForm =
    endpoint === 'paymentInstruction' || endpoint === 'sendRegistration' || echoes !== undefined;
  if (!isKnown || !hasForm) return undefined;
  return [toldProblem(textAt(body, 'code') || 'invalid', '', detail)];
}

function readFlat(body: JsonObject, endpoint?: KnownEndpointName): PayloadProblem[] | undefined {
  const code = textAt(body, 'code');
  if (code === '' || messageOf(body) === '') return undefined;
  const isKnown = Object.entries(body).every(
    ([key, value]) => flatKeys.has(key) || (echoKeys.has(key) && typeof value === 'string'),
  );
  const isPublished = publishedCodes.has(code) || (code === 'not_found' && endpoint === 'scheduleStatus');
  return isKnown && (textAt(body, 'domain') !== '' || isPublished) ? [] : undefined;
}

/** An account that was imported before, named by both its numbers and nothing else (section 4, rule 3). */
function readAlreadyImported(body: JsonObject): PayloadProblem[] | undefined {
  const isNamed = ['external_account_number', 'kraken_account_number'].every(
    (key) => textAt(body, key) !== '',
  );
  const isAlone = Object.entries(body).every(
    ([key, value]) => echoKeys.has(key) && typeof value === 'string',
  );
  return isNamed && isAlone ? [] : undefined;
}

/** Dialect two, with the identification of the account or a message beside it. */
function readFields(body: JsonObject, request: RefusedRequest | undefined): PayloadProblem[] | undefined {
  const problems: PayloadProblem[] = [];
  for (const [key, value] of Object.entries(body)) {
    const isSaidBeside = flatKeys.has(key) || (echoKeys.has(key) && typeof value === 'string');
    if (isSaidBeside || (listKeys.has(key) && isEmptyList(value))) continue;
    if (key !== 'non_field_errors' && !isField(key, request)) return undefined;
    if (!addFieldMessages(value, key === 'non_field_errors' ? '' : key, problems)) return undefined;
  }
  return problems.length === 0 ? undefined : problems;
}

function isField(key: string, request: RefusedRequest | undefined): boolean {
  if (request === undefined) return key !== 'errors' && key !== 'message';
  const fields = fieldsOf(request)?.['properties'];
  return (isJsonObject(fields) && Object.hasOwn(fields, key)) || Object.hasOwn(request.payload(), key);
}

/** The schema of the payload, which may be a field of the body. */
function fieldsOf({ endpoint: name }: RefusedRequest): JsonObject | undefined {
  if (wrapsPayload(name)) return knownEndpoints.stage.request;
  const endpoint: Endpoint = knownEndpoints[name];
  return endpoint.request;
}

/** Fields of a failure take precedence over its message: a field, an error or an account number beside the message. */
function isOnlyMessage(body: JsonValue | undefined): boolean {
  if (!isJsonObject(body)) return true;
  return Object.entries(body).every(
    ([key, value]) => messageKeys.has(key) || (listKeys.has(key) && (value === null || isEmptyList(value))),
  );
}

function isEmptyList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0;
}

function saysDryRun(text: string): boolean {
  return text.toLowerCase().includes(dryRunMessage);
}

/** The body's message: a text, a list of one, or what is said under the name of a message. */
function messageOf(body: JsonValue | undefined): string {
  if (typeof body === 'string') return body;
  if (Array.isArray(body)) return body.length === 1 && typeof body[0] === 'string' ? body[0] : '';
  if (!isJsonObject(body)) return '';
  const { detail, message } = body;
  for (const said of [detail, message])
    if (!isJsonObject(said) && messageOf(said) !== '') return messageOf(said);
  return '';
}

function textAt(body: JsonObject, key: string): string {
  const value = body[key];
  return typeof value === 'string' ? value : '';
}
