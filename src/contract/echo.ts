import { isJsonObject, numberText, type JsonObject, type JsonValue } from '../domain/json.ts';
import { extraStepNames } from '../domain/steps.ts';
import { differ, isSame, objectsIn, type EchoedRequest } from './echoed-items.ts';
import { endpointOf, type KnownEndpointName } from './endpoints.ts';
import { extraStepContract, type ExtraStepContract } from './extra-steps.ts';

export type { EchoedRequest } from './echoed-items.ts';

/** Fields that identify the account of an answer, under every published name (sections 2.2 and 2.4). */
const identityFields = {
  import_supplier: 'supplier',
  import_supplier_code: 'supplier',
  external_account_number: 'account',
  kraken_account_number: 'number',
  account_number: 'number',
} as const;

const identities = Object.entries(identityFields);

/** Whether a success names other items of the payload than ours, where an endpoint repeats any. */
const holdsOthers = new Map<KnownEndpointName, ExtraStepContract['holdsOthers']>(
  extraStepNames.map((step) => [endpointOf[step], extraStepContract(step).holdsOthers]),
);

/**
 * Whether a success names anything that the request did not: another account, other notes, ids or amounts (section
 * 4), two platform numbers, or one that no account of the tenancy can have. What identifies the account is compared exactly. Missing fields contradict nothing;
 * neither does what the platform fills in or moves: a `created_at`, a date.
 */
export function contradicts(name: KnownEndpointName, answer: JsonValue, asked: EchoedRequest): boolean {
  if (isJsonObject(answer) && (hasNoNumber(answer, asked) || namesExactlyAnother(answer, asked))) return true;
  return holdsOthers.get(name)?.(answer, asked) === true;
}

/**
 * Whether a refusal is about another account, or about a transaction that was not sent, by this request or by one to its
 * endpoint (section 4, rules 3 and 6).
 */
export function refusesAnother(
  name: KnownEndpointName,
  answer: JsonValue | undefined,
  asked: EchoedRequest,
): boolean {
  if (!isJsonObject(answer)) return false;
  // A field's own error may be a bare text under its name: only together with other messages does the name identify
  // an account. With a platform number they refer to an account that was imported before (rule 3).
  const isEcho =
    Object.keys(answer).some((key) => !(key in identityFields)) ||
    typeof answer['kraken_account_number'] === 'string';
  if (isEcho && (hasNoNumber(answer, asked) || namesAnother(answer, asked))) return true;
  const failed = answer['transaction_data'];
  if (!isJsonObject(failed)) return false;
  if (name !== 'transactions') return true;
  const id = failed['transaction_id'];
  const sent = objectsIn(asked.payload()['transactions']);
  return typeof id === 'string' && !sent.some((one) => isSame(one['transaction_id'], id));
}

/** Whether an answer repeats any field of the request, unlike `{}` and a proxy's own JSON. */
export function echoes(answer: JsonValue, asked: EchoedRequest): boolean {
  if (!isJsonObject(answer)) return false;
  if (Object.keys(identityFields).some((key) => typeof answer[key] === 'string')) return true;
  const sent = asked.payload();
  return Object.keys(answer).some((key) => Object.hasOwn(sent, key));
}

/**
 * Whether an answer repeats a field of the payload besides those that identify the account, as validate does and
 * stage does not.
 */
export function repeatsPayload(answer: JsonValue, asked: EchoedRequest): boolean {
  if (!isJsonObject(answer)) return false;
  const others = Object.keys(answer).filter((key) => !(key in identityFields));
  return others.some((key) => Object.hasOwn(asked.payload(), key));
}

/** Whether its names for the platform number give different ones, or one of another form. */
function hasNoNumber(answer: JsonObject, { isNumber }: EchoedRequest): boolean {
  const numbers = [answer['kraken_account_number'], answer['account_number']];
  const isOther = (number: JsonValue | undefined): boolean =>
    typeof number === 'string' && number.trim() !== '' && isNumber?.(number) === false;
  return hasTwoNumbers(answer) || numbers.some(isOther);
}

/** Whether its two names for the platform number give different ones. */
function hasTwoNumbers({ kraken_account_number: number, account_number: other }: JsonObject): boolean {
  return typeof number === 'string' && typeof other === 'string' && number !== other;
}

function namesExactlyAnother(answer: JsonObject, { key, krakenAccountNumber }: EchoedRequest): boolean {
  return identities.some(([field, what]) => {
    const named = answer[field];
    const own = what === 'number' ? krakenAccountNumber : key[what];
    if (named === undefined || named === null || own === undefined) return false;
    return numberText(named) !== own;
  });
}

function namesAnother(answer: JsonObject, { key, krakenAccountNumber }: EchoedRequest): boolean {
  return identities.some(([field, what]) => {
    const named = answer[field];
    const own = what === 'number' ? krakenAccountNumber : key[what];
    return own !== undefined && !isSentence(named, own) && differ(named, () => own);
  });
}

/** A message of a refusal instead of an echo: text with blanks, which an identifier does not have. */
function isSentence(named: JsonValue | undefined, own: string): boolean {
  return typeof named === 'string' && /\s/.test(named.trim()) && !/\s/.test(own.trim());
}
