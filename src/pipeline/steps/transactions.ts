import { changedAfterImport, dateMovedCode, differsCode } from '../../domain/shared-codes.ts';
import { isOtherAmount } from '../../contract/echoed-items.ts';
import { parseDecimal } from '../../domain/decimal.ts';
import {
  isJsonObject,
  numberText,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { PartPolicy, Verdict } from '../request/part.ts';
import type { Settings } from '../settings.ts';
import { changeOf } from './changed-item.ts';
import type { ItemsStep } from './items-step.ts';
import type { RequestItems } from './sent-items.ts';
import { changedProblem } from './recorded-parts.ts';

/**
 * Adds the transactions (endpoint 9). With check_previously_added a repeat finds existing ones; without it a lost
 * answer is left to a person. A transaction that the platform already has must be ours: same amount, same type.
 */
export function transactions({
  transactionsQuery,
  requestSizes,
}: Pick<Settings, 'transactionsQuery' | 'requestSizes'>): ItemsStep {
  return {
    kind: 'items',
    step: 'transactions',
    endpoint: 'transactions',
    array: 'transactions',
    size: requestSizes.transactions,
    // Without the check, what a refused request added before its first failing item would be added again.
    isAlone: () => !transactionsQuery.checkPreviouslyAdded,
    marks: { coreOf, idOf: ({ transaction_id: id }) => stringifyJson(id ?? null) },
    isLike: ({ transaction_id: id }, other) => id === other['transaction_id'],
    hasIds: true,
    nameOf: ({ transaction_id: id }) => (typeof id === 'string' ? id : undefined),
    keepsEarlier: (code) => code === importError,
    isRecognised: () => transactionsQuery.checkPreviouslyAdded,
    query: transactionsQuery,
    policy: (sent): PartPolicy => ({
      namesNothing: !transactionsQuery.checkPreviouslyAdded,
      whenLost: transactionsQuery.checkPreviouslyAdded ? 'repeat' : 'uncertain',
      isRecognised: transactionsQuery.checkPreviouslyAdded,
      bearsWitness: transactionsQuery.checkPreviouslyAdded,
      isSeveral: sent.count > 1,
      keptCode: sent.count > 1 ? importError : undefined,
      read: (body) => read(body, sent),
      provesOurs: ({ problems }) =>
        problems.length > 0 && problems.every(({ code }) => code === alreadyExists),
    }),
  };
}

function coreOf({ transaction_id: id, type, amount }: JsonObject): string {
  const digits = numberText(amount) ?? '';
  const plain = shortest.test(digits) ? digits : (parseDecimal(digits)?.toFixed() ?? digits);
  return stringifyJson([id ?? null, type ?? null, plain]);
}

/** Decimals that can be written no shorter. */
// Stryker disable next-line Regex: one that it misses is parsed, which gives the same text and takes longer
const shortest = /^(?:[1-9]\d*|0)(?:\.\d*[1-9])?$/;

const alreadyExists = 'TRANSACTION_ALREADY_EXISTS';
const importError = 'TRANSACTION_IMPORT_ERROR';
/** The platform may move it (section 4, rule 6). */
const dateMember = 'transaction_date';
/** The platform has different data with the id, whichever attempt sent it. */
const conflicts: ReadonlySet<string> = new Set([differsCode, changedAfterImport]);

/** Every transaction must have a result that says that it exists; a tenancy's own answer has none. */
function read(body: JsonValue | undefined, sent: RequestItems): Verdict {
  if (body === undefined) return { state: 'done' };
  // Stryker disable next-line ArrayDeclaration: what is no object is no result
  const results = isJsonObject(body) && Array.isArray(body['results']) ? body['results'] : [];
  // Stryker disable next-line ConditionalExpression: what follows finds the same, and takes longer
  if (results.length === sent.count && results.every(isPlainlyAdded)) return { state: 'done', existed: [] };
  const byId = new Map<string | undefined, JsonValue>();
  for (const result of results) if (isJsonObject(result)) byId.set(idOf(result['transaction_data']), result);
  const existed: number[] = [];
  const problems = sent.items.flatMap((item, index) => {
    const named = byId.get(idOf(item));
    const unnamed = results[index];
    const isUnnamed = isJsonObject(unnamed) && idOf(unnamed['transaction_data']) === undefined;
    const result = named ?? (isUnnamed ? unnamed : undefined);
    if (!isJsonObject(result)) return [missing(index)];
    if (result['status'] === alreadyExists) existed.push(index);
    return problemsOf(item, result, index, sent);
  });
  const first = problems.find((problem) => problem.severity === 'error');
  const isConflict = problems.every(({ code, severity }) => severity !== 'error' || conflicts.has(code));
  if (first !== undefined) return { state: 'refused', code: first.code, problems, isConflict };
  // The part's record keeps a moved date, after a later run has replaced the problem.
  const moved = problems.some(({ code }) => code === dateMovedCode);
  return { state: 'done', problems, existed, code: moved ? dateMovedCode : undefined };
}

// Stryker disable BlockStatement,StringLiteral: what it misses is found in the longer way
/** It was added, and nothing in the answer can differ from what was sent. */
function isPlainlyAdded(result: JsonValue): boolean {
  return (
    // Stryker disable next-line ConditionalExpression: the same
    isJsonObject(result) &&
    result['status'] === 'TRANSACTION_ADDED_TO_ACCOUNT' &&
    result['transaction_data'] === undefined
  );
}
// Stryker restore BlockStatement,StringLiteral

function problemsOf(
  item: JsonObject,
  result: JsonObject,
  index: number,
  sent: Pick<RequestItems, 'likeness' | 'wasSent' | 'changedMembers'>,
): PayloadProblem[] {
  const path = `transactions.${index}`;
  const echoed = isJsonObject(result['transaction_data']) ? result['transaction_data'] : {};
  if (result['status'] === importError)
    return [{ code: importError, path, detail: 'The platform could not add it.', severity: 'error' }];
  const isThere = result['status'] === alreadyExists;
  const likeness = isThere ? sent.likeness(item) : undefined;
  // Whatever the platform names, the journal knows what was sent first.
  if (likeness === 'another') return [changedProblem(`${path}.amount`)];
  if (isThere && isOtherAmount(item, echoed)) {
    const detail = 'The platform has another transaction with this id: its amount or type differs.';
    return [{ code: differsCode, path, detail, severity: 'error' }];
  }
  const change =
    likeness === 'same-core' ? changeOf(item, echoed, (form) => sent.wasSent(form), dateMember) : undefined;
  if (change !== undefined && change.sent === undefined) {
    const members = sent.changedMembers(item);
    return members.length === 0
      ? [changedProblem(path)]
      : members.map((name) => changedProblem(`${path}.${name}`));
  }
  const changed = (change?.members ?? []).map((name) => changedProblem(`${path}.${name}`));
  const date = echoed[dateMember];
  if (typeof date === 'string' && date !== (change?.sent ?? item)[dateMember]) {
    const detail = `The platform moved the date into the open statement period, to ${date.slice(0, 10)}.`;
    return [...changed, { code: dateMovedCode, path: `${path}.${dateMember}`, detail, severity: 'warning' }];
  }
  if (changed.length > 0) return changed;
  if (!isThere) return [];
  const detail = 'The platform has a different value here for this transaction, and keeps it.';
  return Object.entries(item)
    .filter(([name, value]) => isOtherText(value, echoed[name]))
    .map(([name]) => ({
      code: 'transaction_details_differ',
      path: `${path}.${name}`,
      detail,
      severity: 'warning',
    }));
}

/** Numbers have several notations, and a separate check of them is stricter. */
function isOtherText(ours: JsonValue, theirs: JsonValue | undefined): boolean {
  return typeof ours === 'string' && typeof theirs === 'string' && !isNumber(ours) && ours !== theirs;
}

function isNumber(text: string): boolean {
  return parseDecimal(text) !== undefined;
}

function missing(index: number): PayloadProblem {
  return {
    code: 'transaction_result_missing',
    path: `transactions.${index}`,
    detail: 'The platform answered the request without a result for this transaction.',
    severity: 'error',
  };
}

function idOf(data: JsonValue | undefined): string | undefined {
  const id = isJsonObject(data) ? data['transaction_id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
