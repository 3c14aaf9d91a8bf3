import { hash } from 'node:crypto';
import { stringifyJson } from '../domain/json.ts';
import { extraStepNames } from '../domain/steps.ts';
import type { AccountPlan } from '../mapping/plan.ts';

/** Fingerprint of sent data: 132 bits of SHA-256, to notice a change in the export. */
export function fingerprint(content: string | Buffer): string {
  return hash('sha256', content, 'base64url').slice(0, 22);
}

/**
 * The identity of an account's plan: its serialised account payload, and the fingerprints of that and of the whole.
 */
export interface PlanPrint {
  readonly payloadBody: string | Buffer;
  readonly payloadHash: string;
  readonly planHash: string;
}

/** A suffix for the fingerprint of a plan that a local check refused. */
export const localRefusal = ', refused';

/** `extraTexts`: the payloads of each further step as one JSON array, in the order of the steps. */
export function printOf(
  { payload, extras }: AccountPlan,
  extraTexts: readonly string[] = extraStepNames.map((step) => stringifyJson([...extras[step]])),
): PlanPrint & { readonly payloadBody: string } {
  const payloadBody = stringifyJson(payload);
  const payloadHash = fingerprint(payloadBody);
  return { payloadBody, payloadHash, planHash: fingerprint(payloadHash + extraTexts.join('\n')) };
}
