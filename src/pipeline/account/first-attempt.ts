import { alreadyThere } from '../../domain/shared-codes.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { PartEntry, PartRef } from '../../journal/journal.ts';
import type { AccountKey } from '../../domain/account-key.ts';
import type { AccountRun } from './account-run.ts';
import type { RunContext } from '../run/context.ts';
import { creationOf } from './evidence.ts';

/** What a first attempt may find on the platform, though the journal calls it never sent. */
export interface FirstAttempt {
  /** Whether something else of the account may have brought an item, by its index. */
  isExplained(item: number): boolean;
  /** Whether this run created the account. */
  readonly isOfThisRun: boolean;
  /** Leaves to a person what of the account cannot be repeated. Durable before any later write. */
  readonly holdBack: () => Promise<void>;
}

/** For a request of which nothing was sent before; `isExplained`: as in FirstAttempt. */
export function firstAttempt(
  { progress, holdBack }: AccountRun,
  isExplained: FirstAttempt['isExplained'],
): FirstAttempt {
  return { isExplained, isOfThisRun: progress.isCreatedNow, holdBack };
}

/** What the answer to a first attempt says about the past. */
export interface SaidOfFirst {
  /** It is refused, because the platform has it. */
  readonly isThere: boolean;
  /** Items that the platform reports as existing, by index. */
  readonly existed: readonly number[];
  /** It would have said that it was there. */
  readonly isNew: boolean;
}

/** Whether a request of an account that contradicts the journal must not leave. What a person wants repeated may. */
export function isToHoldBack(
  { contradictions }: RunContext,
  accountId: number,
  { isRecognised = false }: { readonly isRecognised?: boolean },
  prior: PartEntry | undefined,
): boolean {
  return !isRecognised && contradictions.holds(accountId) && isUnsent(prior);
}

/** Whether nothing of a part is known to have left; what a person wants repeated may be sent. */
export function isUnsent(prior: PartEntry | undefined): boolean {
  return prior === undefined || (prior.state === 'failed' && prior.outcome !== 'ruling');
}

/** Whether a person wants a part sent again, and no run has since. */
export function isWantedAgain(prior: PartEntry | undefined): prior is PartEntry {
  return prior?.state === 'failed' && prior.outcome === 'ruling';
}

/**
 * Warnings of what the platform has of a first attempt, unless that is explained: then the journal is contradicted, and what of
 * the account cannot be repeated is held back before the answer is recorded.
 */
export async function thereBefore(
  { journal, contradictions }: RunContext,
  { ref, key }: { readonly ref: PartRef; readonly key: AccountKey },
  first: FirstAttempt,
  { isThere, existed, isNew }: SaidOfFirst,
): Promise<readonly PayloadProblem[]> {
  const items = existed.filter((item) => !first.isExplained(item));
  if (!isThere && items.length === 0) {
    if (isNew && existed.length === 0) contradictions.addNew(ref.accountId);
    return [];
  }
  // Stryker disable next-line ArrayDeclaration: what is no attempt tells nothing
  const attempts: PartEntry[] = [];
  for await (const attempt of journal.attempts(ref.accountId)) attempts.push(attempt);
  const creation = creationOf(attempts);
  if (creation === 'elsewhere') return [];
  if (creation === 'ruled') contradictions.hold(ref.accountId);
  else contradictions.add(ref.accountId, key, { is: 'there', isOfThisRun: first.isOfThisRun });
  await first.holdBack();
  const detail =
    'The platform has this already, though the journal calls it never sent. Requests may be sent twice on the way, or the journal may be older than the platform.';
  return items
    .slice(0, 1)
    .map((item) => ({ code: alreadyThere, path: `${ref.step}.${item}`, detail, severity: 'warning' }));
}
