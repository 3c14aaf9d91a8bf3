import type { AccountKey } from '../domain/account-key.ts';
import { parseDecimal } from '../domain/decimal.ts';
import { isJsonObject, numberText, type JsonObject, type JsonValue } from '../domain/json.ts';

/** The request, to compare an answer with. */
export interface EchoedRequest {
  readonly key: Partial<AccountKey>;
  /** The account's platform number, if it is known. */
  readonly krakenAccountNumber?: string | undefined;
  /** Whether a text can be a platform number in this tenancy; absent: nothing but the interface says it. */
  readonly isNumber?: ((text: string) => boolean) | undefined;
  /** The payload that was sent, parsed when it is first needed. */
  payload(): JsonObject;
}

/**
 * Whether every note is one of ours, each once, and the count is right (section 2.7: matched by body, and created_at
 * if sent; by its documents if it has no body).
 */
export function holdsOtherNotes(answered: JsonValue, asked: EchoedRequest): boolean {
  if (!Array.isArray(answered)) return false;
  const sent = objectsIn(asked.payload()['notes']);
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

/** Finds the notes that an answered note may refer to; undefined if it does not say. */
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
export function holdsOtherTransactions(answer: JsonValue, asked: EchoedRequest): boolean {
  if (!isJsonObject(answer)) return false;
  const results = objectsIn(answer['results']);
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

/** Whether each statement has the id of one of ours, and the count is right. */
export function holdsOtherStatements(answer: JsonValue, asked: EchoedRequest): boolean {
  const answered = isJsonObject(answer) ? answer['statements'] : undefined;
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

/** Whether the reference of the payment instruction is another one. */
export function holdsOtherReference(answer: JsonValue, asked: EchoedRequest): boolean {
  return isJsonObject(answer) && differ(answer['reference'], () => asked.payload()['reference']);
}

/** Whether both are present and differ. */
export function differ(theirs: JsonValue | undefined, ours: () => JsonValue | undefined): boolean {
  if (textOf(theirs) === undefined) return false;
  const own = ours();
  return textOf(own) !== undefined && !isSame(own, theirs);
}

/** Outer blanks and the style of line ends carry no meaning. */
export function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return textOf(a) === textOf(b);
}

function textOf(value: JsonValue | undefined): string | undefined {
  return numberText(value)?.replace(/\r\n?/g, '\n').trim();
}

export function objectsIn(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter((one): one is JsonObject => isJsonObject(one)) : [];
}
