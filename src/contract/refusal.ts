import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import type { PayloadProblem } from '../domain/problem.ts';
import { joinPath } from '../domain/paths.ts';

/** The contents of a 4xx body, from either dialect (section 7; the second dialect is shaped like the payload). */
export interface Refusal {
  /** One problem for each error in the body; empty if the body names none. */
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

/** Codes that say "this account exists already" (section 4, rules 2 and 3). */
export const alreadyImportedCode = 'account_import_process_already_imported';

/** Whether the answer or one of its problems has this code. */
export function hasCode({ code, problems }: Refusal, sought: string): boolean {
  return code === sought || problems.some((problem) => problem.code === sought);
}

const dryRunMessage = 'account would successfully import';

const messageKeys = new Set(['detail', 'code', 'message']);
const listKeys = new Set(['errors', 'non_field_errors']);

/** These fields are read separately and are never a field of a payload. */
const topLevelKeys = new Set([
  ...messageKeys,
  ...listKeys,
  'status',
  'error_detail',
  'transaction_data',
  'account_id',
  'account_number',
]);

/** As a string, the field says what the body is about; any other value is an ordinary field. */
const echoKeys = new Set([
  'kraken_account_number',
  'external_account_number',
  'import_supplier',
  'import_supplier_code',
  'reference',
]);

/** The deepest level that is searched for messages: deeper than any payload, and safe for the stack. */
const deepest = 32;

/** Reads the body of a refusal into one list of problems, in either dialect; undefined if it is in neither. */
export function readRefusal(body: JsonValue | undefined): Refusal | undefined {
  if (typeof body === 'string') return saysDryRun(body) ? readList([body]) : undefined;
  if (Array.isArray(body)) return readList(body);
  if (!isJsonObject(body)) return undefined;
  const detail = messageAt(body, 'detail') ?? messageAt(body, 'message') ?? '';
  const code = stringAt(body, 'code') ?? '';
  const number =
    stringAt(body, 'kraken_account_number') ??
    stringAt(body, 'account_id') ??
    stringAt(body, 'account_number');
  const problems: PayloadProblem[] = [];
  addListed(body['errors'], problems);
  addMessages(body['non_field_errors'], '', problems);
  addErrorDetail(body, problems);
  const remarks: PayloadProblem[] = [];
  for (const [key, value] of Object.entries(body)) {
    if (topLevelKeys.has(key) || (echoKeys.has(key) && typeof value === 'string')) continue;
    // A bare string is not the format of either dialect; it is used only if there is nothing else.
    addMessages(value, key, typeof value === 'string' ? remarks : problems);
  }
  const silent = problems.length === 0 && detail === '' && code === '';
  if (silent && remarks.length === 0 && number === undefined) return undefined;
  return {
    problems: silent ? remarks : problems,
    code,
    detail,
    wouldImport: saysDryRun(detail) && isOnlyMessage(body),
    krakenAccountNumber: number,
  };
}

/** A body that is a list of messages. */
function readList(body: JsonValue[]): Refusal | undefined {
  const problems: PayloadProblem[] = [];
  addMessages(body, '', problems);
  const [only] = problems;
  if (only === undefined) return undefined;
  const alone = problems.length === 1 && only.path === '';
  if (alone && saysDryRun(only.detail))
    return { problems: [], code: '', detail: only.detail, wouldImport: true };
  return { problems, code: '', detail: '', wouldImport: false };
}

/** Fields of a failure take precedence over its message: a field, an error or an account number beside the message. */
function isOnlyMessage(body: JsonObject): boolean {
  return Object.entries(body).every(
    ([key, value]) =>
      messageKeys.has(key) ||
      (listKeys.has(key) && (value === null || (Array.isArray(value) && value.length === 0))),
  );
}

function saysDryRun(text: string): boolean {
  return text.toLowerCase().includes(dryRunMessage);
}

/** Dialect one: errors is an array of detail, code and attr. */
function addListed(errors: JsonValue | undefined, problems: PayloadProblem[]): void {
  if (!Array.isArray(errors)) addMessages(errors, '', problems);
  else
    for (const item of errors) {
      if (typeof item === 'string') problems.push(error('invalid', '', item));
      if (!isJsonObject(item)) continue;
      const path = (stringAt(item, 'attr') ?? '').replace(/(?:^|\.)non_field_errors$/, '');
      problems.push(error(stringAt(item, 'code') ?? 'invalid', path, stringAt(item, 'detail') ?? ''));
    }
}

/** The first failing transaction of a request (section 4, rule 6), or a payment instruction that was not accepted. */
function addErrorDetail(body: JsonObject, problems: PayloadProblem[]): void {
  const detail = stringAt(body, 'error_detail') ?? '';
  if (body['status'] === 'TRANSACTION_IMPORT_ERROR')
    problems.push(error('TRANSACTION_IMPORT_ERROR', 'transactions', detail));
  else if (detail !== '') problems.push(error(stringAt(body, 'code') ?? 'invalid', '', detail));
}

/** Dialect two: the shape of the payload with messages, or lists of them, at its leaves. */
function addMessages(
  value: JsonValue | undefined,
  path: string,
  problems: PayloadProblem[],
  depth = 0,
): void {
  if (typeof value === 'string') {
    if (value !== '') problems.push(error('invalid', path, value));
  } else if (isMessage(value)) {
    problems.push(error(stringAt(value, 'code') ?? 'invalid', path, stringAt(value, 'detail') ?? ''));
  } else if (depth === deepest) {
    return;
  } else if (Array.isArray(value)) {
    const atLeaf = value.every((item) => typeof item === 'string' || isMessage(item));
    for (const [index, item] of value.entries())
      addMessages(item, atLeaf ? path : joinPath(path, index), problems, depth + 1);
  } else if (isJsonObject(value)) {
    for (const [key, inner] of Object.entries(value))
      addMessages(inner, key === 'non_field_errors' ? path : joinPath(path, key), problems, depth + 1);
  }
}

/** An object with detail and code, either of which may be missing; what is there must be text. */
function isMessage(value: JsonValue | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const { detail, code } = value;
  return [detail, code].every((text) => typeof (text ?? '') === 'string') && (detail ?? code) !== undefined;
}

function error(code: string, path: string, detail: string): PayloadProblem {
  return { code, path, detail, severity: 'error' };
}

function stringAt(body: JsonObject, key: string): string | undefined {
  return textOf(body[key]);
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A message, or a list that holds one. */
function messageAt(body: JsonObject, key: string): string | undefined {
  const value = body[key];
  return textOf(Array.isArray(value) && value.length === 1 ? value[0] : value);
}
