import type { AccountKey } from '../domain/account-key.ts';
import { parseDecimal } from '../domain/decimal.ts';
import { isJsonObject, numberText, type JsonObject, type JsonValue } from '../domain/json.ts';
import type { EndpointName } from './endpoints.ts';

/** The request, to compare an answer with. */
export interface Asked {
  readonly key: Partial<AccountKey>;
  /** The account's platform number, if it is known. */
  readonly krakenAccountNumber?: string | undefined;
  /** The payload that was sent, parsed when it is first needed. */
  readonly payload: () => JsonObject;
}

/** Fields that identify the account of an answer, under every published name (sections 2.2 and 2.4). */
const identityFields = {
  import_supplier: 'supplier',
  import_supplier_code: 'supplier',
  external_account_number: 'account',
  kraken_account_number: 'number',
  account_number: 'number',
} as const;

const identities = Object.entries(identityFields);

/**
 * Whether a success names anything that the request did not: another account, other notes, ids or amounts (section
 * 4). Missing fields contradict nothing; neither does what the platform fills in or moves: a `created_at`, a date.
 */
export function contradicts(name: EndpointName, answer: JsonValue, asked: Asked): boolean {
  if (isJsonObject(answer) && namesAnother(answer, asked)) return true;
  switch (name) {
    case 'notes':
      return Array.isArray(answer) && holdsOtherNotes(answer, objectsIn(asked.payload()['notes']));
    case 'transactions':
      return isJsonObject(answer) && holdsOtherTransactions(objectsIn(answer['results']), asked);
    case 'statements':
      return isJsonObject(answer) && holdsOtherStatements(answer['statements'], asked);
    case 'paymentInstruction':
      return isJsonObject(answer) && differ(answer['reference'], () => asked.payload()['reference']);
    default:
      return false;
  }
}

/**
 * Whether a refusal is about another account, or about a transaction that was not sent, by this request or by one to its
 * endpoint (section 4, rules 3 and 6).
 */
export function refusesAnother(name: EndpointName, answer: JsonValue | undefined, asked: Asked): boolean {
  if (!isJsonObject(answer)) return false;
  // A field's own error may be a bare text under its name: only together with other messages does the name identify
  // an account. With a platform number they refer to an account that was imported before (rule 3).
  const isEcho =
    Object.keys(answer).some((key) => !(key in identityFields)) ||
    typeof answer['kraken_account_number'] === 'string';
  if (isEcho && namesAnother(answer, asked)) return true;
  const failed = answer['transaction_data'];
  if (!isJsonObject(failed)) return false;
  if (name !== 'transactions') return true;
  const id = failed['transaction_id'];
  const sent = objectsIn(asked.payload()['transactions']);
  return typeof id === 'string' && !sent.some((one) => isSame(one['transaction_id'], id));
}

/** Whether an answer repeats any field of the request, unlike `{}` and a proxy's own JSON. */
export function echoes(answer: JsonValue, asked: Asked): boolean {
  if (!isJsonObject(answer)) return false;
  if (Object.keys(identityFields).some((key) => typeof answer[key] === 'string')) return true;
  const sent = asked.payload();
  return Object.keys(answer).some((key) => Object.hasOwn(sent, key));
}

/**
 * Whether an answer repeats a field of the payload besides those that identify the account, as validate does and
 * stage does not.
 */
export function repeatsPayload(answer: JsonValue, { payload }: Asked): boolean {
  if (!isJsonObject(answer)) return false;
  const others = Object.keys(answer).filter((key) => !(key in identityFields));
  return others.some((key) => Object.hasOwn(payload(), key));
}

function namesAnother(answer: JsonObject, { key, krakenAccountNumber }: Asked): boolean {
  for (const [field, what] of identities) {
    const named = answer[field];
    if (named === undefined) continue;
    const own = what === 'number' ? krakenAccountNumber : key[what];
    if (own === undefined || named === own) continue;
    if (!isSentence(named, own) && differ(named, () => own)) return true;
  }
  return false;
}

/** A message instead of an echo: text with blanks, which an identifier does not have. */
function isSentence(named: JsonValue | undefined, own: string): boolean {
  return typeof named === 'string' && /\s/.test(named.trim()) && !/\s/.test(own.trim());
}

/**
 * Whether every note is one of ours, each once, and the count is right (section 2.7: matched by body, and created_at
 * if sent; by its documents if it has no body).
 */
function holdsOtherNotes(answered: readonly JsonValue[], sent: readonly JsonObject[]): boolean {
  if (answered.length !== sent.length) return true;
  const left = [...sent];
  for (const one of answered) {
    if (!isJsonObject(one)) continue;
    const isAlike = likenessTo(one);
    if (isAlike === undefined) continue;
    const alike = left.filter(
      (note) => isAlike(note) && !isOtherInstant(note['created_at'], one['created_at']),
    );
    // A note that was sent without a time matches any time, so it is matched last.
    const own = alike.find((note) => note['created_at'] !== undefined) ?? alike[0];
    if (own === undefined) return true;
    left.splice(left.indexOf(own), 1);
  }
  return false;
}

/** Finds the notes that an answered note may stand for; undefined if it does not say. */
function likenessTo(answered: JsonObject): ((note: JsonObject) => boolean) | undefined {
  const { body } = answered;
  if (typeof body === 'string' && body.trim() !== '') return (note) => isSame(note['body'], body);
  const documents = documentsOf(answered);
  return documents === ''
    ? undefined
    : (note) => (textOf(note['body']) ?? '') === '' && documentsOf(note) === documents;
}

/** The names of a note's files; their directory is the platform's own matter. */
function documentsOf(note: JsonObject): string {
  const paths = objectsIn(note['document_paths']).map((one) => textOf(one['document_path']) ?? '');
  return paths
    .map((path) => path.slice(path.lastIndexOf('/') + 1))
    .sort()
    .join('\n');
}

/** Whether each result has the id of one of ours, each of ours has one, and what was added has our amount and type. */
function holdsOtherTransactions(results: readonly JsonObject[], asked: Asked): boolean {
  const echoed = results.map((result) => result['transaction_data']);
  const sent = objectsIn(asked.payload()['transactions']);
  if (results.length !== sent.length) return true;
  const left = [...sent];
  return echoed.some((data, index) => {
    const id = isJsonObject(data) ? data['transaction_id'] : undefined;
    if (!isJsonObject(data) || typeof id !== 'string') return false;
    const at = left.findIndex((one) => isSame(one['transaction_id'], id));
    const [own] = at < 0 ? [] : left.splice(at, 1);
    if (own === undefined) return true;
    const isAdded = results[index]?.['status'] === 'TRANSACTION_ADDED_TO_ACCOUNT';
    return isAdded && isOtherAmount(own, data);
  });
}

/** Whether amount or type differ, if both sides have them (section 2.6). */
export function isOtherAmount(ours: JsonObject, theirs: JsonObject): boolean {
  if (typeof theirs['type'] === 'string' && differ(theirs['type'], () => ours['type'])) return true;
  const [a, b] = [numberText(ours['amount']), numberText(theirs['amount'])];
  if (a === undefined || b === undefined) return false;
  const [x, y] = [parseDecimal(a.trim()), parseDecimal(b.trim())];
  return x !== undefined && y !== undefined && !x.eq(y);
}

function holdsOtherStatements(answered: JsonValue | undefined, asked: Asked): boolean {
  if (!Array.isArray(answered)) return false;
  const left = objectsIn(asked.payload()['statements']).map((statement) => statement['statement_id']);
  if (answered.length !== left.length) return true;
  return answered.some((one) => {
    const id = isJsonObject(one) ? one['statement_id'] : undefined;
    if (id === undefined || id === null) return false;
    const at = left.findIndex((own) => isSame(own, id));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function isOtherInstant(ours: JsonValue | undefined, theirs: JsonValue | undefined): boolean {
  if (typeof ours !== 'string' || typeof theirs !== 'string') return false;
  const [a, b] = [Date.parse(ours), Date.parse(theirs)];
  return Number.isFinite(a) && Number.isFinite(b) && a !== b;
}

/** Whether both are present and differ. */
function differ(theirs: JsonValue | undefined, ours: () => JsonValue | undefined): boolean {
  if (textOf(theirs) === undefined) return false;
  const own = ours();
  return textOf(own) !== undefined && !isSame(own, theirs);
}

/** Outer blanks and the style of line ends carry no meaning. */
function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return textOf(a) === textOf(b);
}

function textOf(value: JsonValue | undefined): string | undefined {
  return numberText(value)?.replace(/\r\n?/g, '\n').trim();
}

function objectsIn(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter((one): one is JsonObject => isJsonObject(one)) : [];
}
