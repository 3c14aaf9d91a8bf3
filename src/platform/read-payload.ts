import type { AccountKey } from '../domain/account-key.ts';
import type { JsonObject } from '../domain/json.ts';
import type { StepName } from '../domain/steps.ts';
import { readJson, readText } from './http/json-body.ts';
import type { PayloadRules } from './payload-rules.ts';
import { invalid } from './refusals.ts';
import type { Refused } from './reply.ts';

/** A payload that passed the rules. */
export interface Payload {
  readonly key: AccountKey;
  /** The JSON object of the body; absent for an account's payload that was met before. */
  readonly body?: JsonObject;
  /** The body as it was sent. */
  readonly text: string;
}

/** Reads the body of a step's request and holds it to the contract and the rules. */
export function readPayload(step: StepName, bytes: Buffer, rules: PayloadRules): Payload | Refused {
  const text = readText(bytes);
  if (typeof text !== 'string') return invalid([text]);
  const isAccount = step === 'validate' || step === 'stage';
  const known = isAccount ? rules.recent().find(text) : undefined;
  if (known !== undefined) return { key: known, text };

  const read = readJson(text);
  if (!read.ok) return invalid([read.problem]);
  const body = read.value;
  const key = {
    supplier: textAt(body, 'import_supplier') ?? textAt(body, 'import_supplier_code') ?? '',
    account: textAt(body, 'external_account_number') ?? '',
  };
  const problems = rules.check(step, key.supplier, body);
  if (problems.length > 0) return invalid(problems);
  if (step === 'validate') rules.recent().add(text, key);
  return { key, body, text };
}

function textAt(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' ? value : undefined;
}
