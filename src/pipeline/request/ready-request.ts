import { moneyIn, type MinorUnits } from '../../contract/money.ts';
import { stringifyJson, type JsonObject } from '../../domain/json.ts';
import { writeMoney } from '../../domain/money.ts';
import type { ExtraStepName } from '../../domain/steps.ts';
import { fingerprint } from '../hash.ts';
import { fieldPrints } from '../steps/field-prints.ts';

/** A request of a further step for which nothing was sent before. */
export interface ReadyRequest {
  /** Serialised JSON, as text or in UTF-8. */
  readonly body: string | Buffer;
  /** Its identity in the journal. */
  readonly hash: string;
  /** Its amounts, as written by `writeMoney`. */
  readonly money: string | undefined;
  /** The number of items of the step's array in it; 1 for a payload that is sent whole. */
  readonly items: number;
  /** Fingerprints of its items (steps/item-prints.ts) and of its fields (steps/field-prints.ts). */
  readonly prints?: string | undefined;
}

/** A payload that is sent unchanged. */
export function wholeRequest(
  step: ExtraStepName,
  payload: JsonObject,
  minorUnits?: MinorUnits,
): ReadyRequest {
  const body = stringifyJson(payload);
  const money = writeMoney(moneyIn(step, payload, minorUnits));
  return { body, hash: fingerprint(body), money, items: 1, prints: fieldPrints(payload) };
}
