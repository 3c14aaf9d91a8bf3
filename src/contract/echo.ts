import type { AccountKey } from '../domain/account-key.ts';
import { parseDecimal } from '../domain/decimal.ts';
import { isJsonObject, numberText, type JsonObject, type JsonValue } from '../domain/json.ts';
import type { EndpointName } from './endpoints.ts';

/** What was asked, to hold an answer against it. */
export interface Asked {
  readonly key: Partial<AccountKey>;
  /** The account's platform number, where it is known. */
  readonly krakenAccountNumber?: string | undefined;
  /** The payload that was sent, read when it is first needed. */
  readonly payload: () => JsonObject;
}

/** Fields that say whom an answer is about, under every published name (sections 2.2 and 2.4). */
const identityFields = {
  import_supplier: 'supplier',
  import_supplier_code: 'supplier',
  external_account_number: 'account',
  kraken_account_number: 'number',
  account_number: 'number',
} as const;

const identities = Object.entries(identityFields);

/**
 * Whether a success names anything that the request did not: another account, other notes, ids or amounts (section 4).
 * What is missing contradicts nothing, and neither does what the platform fills in or moves: a `created_at`, a date.
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
  // A field's own error may be a bare text under its name: only beside other words does the name tell whom they are about.
  // Beside a platform number they tell of an account that was imported before (rule 3).
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

/** Whether an answer repeats any field of the request: `{}` and a proxy's own JSON do not. */
export function echoes(answer: JsonValue, asked: Asked): boolean {
  if (!isJsonObject(answer)) return false;
  if (Object.keys(identityFields).some((key) => typeof answer[key] === 'string')) return true;
  const sent = asked.payload();
  return Object.keys(answer).some((key) => Object.hasOwn(sent, key));
}

/** Whether an answer repeats a field of the payload beside whom it is about, as validate does and stage does not. */
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

/** A message in place of an echo: words, where the identifier itself has no blank. */
function isSentence(named: JsonValue | undefined, own: string): boolean {
  return typeof named === 'string' && /\s/.test(named.trim()) && !/\s/.test(own.trim());
}

/**
 * Every note is one of ours, each once, and there are as many (section 2.7: matched on body, and created_at if sent; on its
 * documents where it has no body).
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
    // One that was sent without a time takes any: it is left for the others.
    const own = alike.find((note) => note['created_at'] !== undefined) ?? alike[0];
    if (own === undefined) return true;
    left.splice(left.indexOf(own), 1);
  }
  return false;
}

/** Tells the notes that an answered one may stand for; undefined where it says nothing of that. */
function likenessTo(answered: JsonObject): ((note: JsonObject) => boolean) | undefined {
  const { body } = answered;
  if (typeof body === 'string' && body.trim() !== '') return (note) => isSame(note['body'], body);
  const documents = documentsOf(answered);
  return documents === ''
    ? undefined
    : (note) => (textOf(note['body']) ?? '') === '' && documentsOf(note) === documents;
}

/** The names of a note's files: where they lie is the platform's own matter. */
function documentsOf(note: JsonObject): string {
  const paths = objectsIn(note['document_paths']).map((one) => textOf(one['document_path']) ?? '');
  return paths
    .map((path) => path.slice(path.lastIndexOf('/') + 1))
    .sort()
    .join('\n');
}

/** Each result is one of ours by its id, each of ours has one, and what was added has our amount and type. */
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

/** Amount or type, as far as both have them, are not the same (section 2.6). */
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

/** Both are there, and are not the same. */
function differ(theirs: JsonValue | undefined, ours: () => JsonValue | undefined): boolean {
  if (textOf(theirs) === undefined) return false;
  const own = ours();
  return textOf(own) !== undefined && !isSame(own, theirs);
}

/** Outer blanks and the way lines end tell nothing. */
function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return textOf(a) === textOf(b);
}

function textOf(value: JsonValue | undefined): string | undefined {
  return numberText(value)?.replace(/\r\n?/g, '\n').trim();
}

function objectsIn(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter((one): one is JsonObject => isJsonObject(one)) : [];
}
