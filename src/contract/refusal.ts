import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import type { PayloadProblem } from '../domain/problem.ts';

/** What a 4xx body says, either dialect folded into one list (section 7; the second dialect is field-shaped). */
export interface Refusal {
  /** One problem for each error in the body; empty where the body names none. */
  readonly problems: readonly PayloadProblem[];
  /** Top-level machine code, such as account_failed_validation; '' where there is none. */
  readonly code: string;
  /** Top-level message, for people; '' where there is none. */
  readonly detail: string;
  /** The account's number on the platform, where the body carries it: it was imported before (section 4, rule 3). */
  readonly krakenAccountNumber?: string;
  /** The body says that the dry run would have imported the account (section 7). */
  readonly wouldImport: boolean;
}

/** Codes that say "this account exists already" (section 4, rules 2 and 3). */
export const alreadyImportedCode = 'account_import_process_already_imported';

const dryRunMessage = 'account would successfully import';
const messageKeys = new Set(['detail', 'code', 'message']);
const topLevelKeys = new Set([
  'detail',
  'code',
  'errors',
  'non_field_errors',
  'kraken_account_number',
  'account_id',
  'account_number',
  'external_account_number',
  'import_supplier',
  'import_supplier_code',
  'message',
  'status',
  'error_detail',
  'transaction_data',
  'reference',
]);

/** Folds the body of a refusal into one list of problems, whatever its dialect; undefined if it is in neither. */
export function readRefusal(body: JsonValue | undefined): Refusal | undefined {
  if (typeof body === 'string') return saysDryRun(body) ? refusal([], '', body, undefined, true) : undefined;
  if (Array.isArray(body)) {
    const problems = messages(body, '');
    const said = body.length === 1 && typeof body[0] === 'string' && saysDryRun(body[0]);
    return problems.length === 0 ? undefined : refusal(said ? [] : problems, '', '', undefined, said);
  }
  if (!isJsonObject(body)) return undefined;
  const detail = stringAt(body, 'detail') ?? stringAt(body, 'message') ?? '';
  const code = stringAt(body, 'code') ?? '';
  const number =
    stringAt(body, 'kraken_account_number') ??
    stringAt(body, 'account_id') ??
    stringAt(body, 'account_number');
  const problems = [
    ...listed(body['errors']),
    ...nonField(body['non_field_errors']),
    ...transactionError(body),
    ...paymentError(body),
    ...Object.entries(body).flatMap(([key, value]) => (topLevelKeys.has(key) ? [] : messages(value, key))),
  ];
  // A failure's marks outweigh its wording: only a body with nothing but a message may be a dry run's success.
  const wouldImport = saysDryRun(detail) && Object.keys(body).every((key) => messageKeys.has(key));
  if (problems.length === 0 && detail === '' && code === '' && number === undefined) return undefined;
  return refusal(problems, code, detail, number, wouldImport);
}

function refusal(
  problems: readonly PayloadProblem[],
  code: string,
  detail: string,
  number: string | undefined,
  wouldImport: boolean,
): Refusal {
  return {
    problems,
    code,
    detail,
    wouldImport,
    ...(number === undefined ? {} : { krakenAccountNumber: number }),
  };
}

function saysDryRun(text: string): boolean {
  return text.toLowerCase().includes(dryRunMessage);
}

/** Dialect one: errors is an array of detail, code and attr. */
function listed(errors: JsonValue | undefined): PayloadProblem[] {
  if (!Array.isArray(errors)) return isJsonObject(errors) ? messages(errors, '') : [];
  return errors.map((item) =>
    isJsonObject(item)
      ? error(
          stringAt(item, 'code') ?? 'invalid',
          stringAt(item, 'attr') ?? '',
          stringAt(item, 'detail') ?? '',
        )
      : error('invalid', '', typeof item === 'string' ? item : ''),
  );
}

/** Dialect two: a list of strings, or one object with detail and code. */
function nonField(value: JsonValue | undefined): PayloadProblem[] {
  if (isJsonObject(value) && typeof value['detail'] === 'string')
    return [error(stringAt(value, 'code') ?? 'invalid', '', value['detail'])];
  if (isJsonObject(value) && typeof value['code'] === 'string') return [error(value['code'], '', '')];
  return value === undefined ? [] : messages(value, '');
}

/** The first failing transaction of a request (section 4, rule 6). */
function transactionError(body: JsonObject): PayloadProblem[] {
  if (body['status'] !== 'TRANSACTION_IMPORT_ERROR') return [];
  return [error('TRANSACTION_IMPORT_ERROR', 'transactions', stringAt(body, 'error_detail') ?? '')];
}

function paymentError(body: JsonObject): PayloadProblem[] {
  const detail = stringAt(body, 'error_detail');
  if (detail === undefined || body['status'] === 'TRANSACTION_IMPORT_ERROR') return [];
  return [error(stringAt(body, 'code') ?? 'invalid', '', detail)];
}

/** Dialect two: the shape of the payload with lists of messages at its leaves. */
function messages(value: JsonValue, path: string): PayloadProblem[] {
  if (typeof value === 'string') return [error('invalid', path, value)];
  if (Array.isArray(value)) {
    const plain = value.every((item) => typeof item === 'string' || isMessage(item));
    return value.flatMap((item, index) => messages(item, plain ? path : join(path, String(index))));
  }
  if (isMessage(value))
    return [error(stringAt(value, 'code') ?? 'invalid', path, stringAt(value, 'detail') ?? '')];
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    messages(inner, key === 'non_field_errors' ? path : join(path, key)),
  );
}

function isMessage(value: JsonValue): value is JsonObject {
  return (
    isJsonObject(value) && typeof value['detail'] === 'string' && typeof (value['code'] ?? '') === 'string'
  );
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function error(code: string, path: string, detail: string): PayloadProblem {
  return { code, path, detail, severity: 'error' };
}

function stringAt(body: JsonObject, key: string): string | undefined {
  const value = body[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
