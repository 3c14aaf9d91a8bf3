import { partStates } from '../core/codes.ts';
import type { PartRow } from '../core/rows.ts';
import type { Intent, Settlement } from '../journal.ts';

/** A part whose request is about to leave; `before`: its last attempt. */
export function sentPart(
  before: PartRow | undefined,
  part: Pick<PartRow, 'step' | 'part'>,
  { hash, run, at, money, prints }: Intent,
): PartRow {
  return {
    ...part,
    ...{ state: partStates.of.sent, hash, attempt: (before?.attempt ?? 0) + 1, run, sent_at: at },
    ...{ took: null, outcome: null, status: null, code: null, words: null },
    ...{ money: money ?? null, prints: prints ?? null },
  };
}

/** A part whose attempt has an outcome. */
export function settledPart(
  before: PartRow,
  { state, outcome, status, code, words, money, at }: Settlement,
): PartRow {
  return {
    ...before,
    state: partStates.of[state],
    took: at - before.sent_at,
    outcome,
    status: status ?? null,
    code: code ?? null,
    words: words ?? null,
    money: money ?? before.money,
  };
}

/** Parts are numbered from zero to some thousands. */
export function partKey(step: number, part: number): number {
  return step * 2 ** 32 + part;
}

export function inOrder(a: PartRow, b: PartRow): number {
  return a.step - b.step || a.part - b.part;
}
