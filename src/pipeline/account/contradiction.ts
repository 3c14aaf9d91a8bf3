import type { Answer } from '../../client/platform-client.ts';
import { hasCode } from '../../contract/refusal.ts';

/** A refusal that denies what the platform has acknowledged to this journal: a server behind the others answered. */
export type ContradictingAnswer = Extract<Answer<never>, { kind: 'refused' | 'not-found' }>;

const firstPauseMs = 250;
const longestPauseMs = 5_000;

/** Codes that deny that the account, or its staged data, is there. */
const absent = ['account_not_found', 'import_process_does_not_exist'] as const;

/** Whether a refusal says that the account, or its staged data, is not there (section 7). */
export function saysAbsent({ kind, refusal }: ContradictingAnswer): boolean {
  return kind === 'not-found' || absent.some((code) => hasCode(refusal, code));
}

/** Why it is given up in the end: the refusal's own code. */
export function contradictionCode({ refusal, status }: ContradictingAnswer): string {
  return absent.find((code) => hasCode(refusal, code)) ?? (refusal.code || `http_${status}`);
}

/** How long to wait before the n-th repeat (from 0) of a contradicted request, in ms. */
export function pauseAfterContradiction(repeats: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** repeats);
}
