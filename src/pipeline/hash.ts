import { hash } from 'node:crypto';
import { stringifyJson } from '../domain/json.ts';
import { extraStepNames } from '../domain/steps.ts';
import type { AccountPlan } from '../mapping/plan.ts';

/** Fingerprint of what is sent: 132 bits of SHA-256, so that a change in the export is noticed. */
export function fingerprint(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/** What an account's plan is known by: its account payload as it is sent, and the fingerprints of it and of the whole. */
export interface PlanPrint {
  readonly payloadBody: string;
  readonly payloadHash: string;
  readonly planHash: string;
}

export function printOf({ payload, extras }: AccountPlan): PlanPrint {
  const payloadBody = stringifyJson(payload);
  const payloadHash = fingerprint(payloadBody);
  const texts = extraStepNames.map((step) => stringifyJson([...extras[step]]));
  return { payloadBody, payloadHash, planHash: fingerprint(payloadHash + texts.join('\n')) };
}
