import type { AddedRequest } from '../contract/tenancy/contract.ts';
import { isJsonObject, numberText, parseJson, stringifyJson, type JsonObject } from '../domain/json.ts';
import { canonicalJson, readText } from './http/json-body.ts';
import { businesses, businessPayments } from '../domain/added-step.ts';
import { vendorRefusal } from './endpoints/payment-instruction.ts';
import type { AddedPlace } from './http/added-places.ts';
import type { PlatformContext } from './platform-context.ts';
import { invalid, problem } from './refusals.ts';
import { answer, type Refused } from './reply.ts';
import type { Outcome } from './transaction-batcher.ts';

/** What is asked about one item, ready to be answered. */
export interface AddedTask {
  readonly item: string;
  readonly run: () => Outcome;
}

/**
 * The answer to a request of a step: an item is held to the contract; 201 if it is new, 200 if the very same is there, and 400 if
 * another of its name is. A question has 200 with the item, or 404.
 */
export function addedTask(
  place: AddedPlace,
  bytes: Buffer,
  { store, vendorFailures }: PlatformContext,
): AddedTask | Outcome {
  const { step, request, endpoint } = place;
  if (endpoint === 'addedStatus')
    return {
      item: place.item,
      run: () => {
        const held = store.findItem(step.name, place.item);
        return held === undefined ? noItem : answer(200, parseJson(held));
      },
    };
  const payload = itemIn(bytes, request);
  if (payload === undefined) return invalid([problem('invalid', '', 'One item is required.')]);
  const problems = request.check(payload).filter(({ severity }) => severity === 'error');
  const identity = numberText(payload[step.identity]) ?? '';
  if (problems.length > 0) return invalid(problems);
  if (identity === '') return invalid([problem('required', step.identity, 'This field is required.')]);
  const echo = request.isList ? [payload] : payload;
  if (endpoint === 'addedCheck') return { item: identity, run: () => answer(200, echo) };
  return {
    item: identity,
    run: () => {
      const own = supplierOf(payload);
      const key = own === undefined ? identity : `${own}/${identity}`;
      const isPayment = step.name === businessPayments;
      if (isPayment && store.findItem(businesses, key) === undefined) return noItem;
      const held = store.findItem(step.name, key);
      const trouble = isPayment && vendorRefusal(numberText(payload['reference']) ?? '', vendorFailures);
      if (held === undefined && trouble !== undefined && trouble !== false) return trouble;
      const isSame = held !== undefined && canonicalJson(parseJson(held)) === canonicalJson(payload);
      if (held !== undefined && !isSame)
        return invalid([problem('already_exists', step.identity, 'Another item has this identifier.')]);
      if (held === undefined) store.addItem(step.name, key, stringifyJson(payload));
      return answer(held === undefined ? 201 : 200, { [step.identity]: identity });
    },
  };
}

/** 404: nothing of this name was taken in. */
const noItem: Refused = { status: 404, code: 'not_found', detail: 'There is no such item.' };

function supplierOf({ import_supplier_code: code }: JsonObject): string | undefined {
  return typeof code === 'string' ? code : undefined;
}

function itemIn(bytes: Buffer, { isList }: AddedRequest): JsonObject | undefined {
  const text = readText(bytes);
  if (typeof text !== 'string') return undefined;
  try {
    const body = parseJson(text);
    const items = isList && Array.isArray(body) ? body : [body];
    const [item] = items;
    return items.length === 1 && isJsonObject(item) ? item : undefined;
  } catch {
    return undefined;
  }
}
