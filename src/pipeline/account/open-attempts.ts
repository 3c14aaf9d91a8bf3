import type { Journal, PartEntry, PartRef } from '../../journal/journal.ts';

/** The outcome of a request that may have left since the backup from which the journal was restored; of process, that had. */
export const restoredOutcome = 'restored';

/** The outcome of process for an account that somebody else created (`--adopt`). */
export const adoptedOutcome = 'adopted';

/** The outcome of a request that was settled by reading the account back. */
export const readOutcome = 'reading';

/** The attempts at a part whose outcome is unknown, in this run or an earlier one. */
export interface OpenAttempts {
  /** Those that nobody has ruled on since. */
  readonly unknown: number;
  /** Those with a lost answer that must not be repeated. */
  readonly lost: number;
  /** All of them, with or without a ruling. */
  readonly ever: readonly PartEntry[];
}

export const nothingOpen: OpenAttempts = { unknown: 0, lost: 0, ever: [] };

/** `mayRepeat`: an answer after which the request is repeated unchanged (section 4, rule 8). */
export async function openAttempts(
  journal: Journal,
  { accountId, ...part }: PartRef & { readonly hash: string },
  mayRepeat?: (status: number | undefined) => boolean,
): Promise<OpenAttempts> {
  // Stryker disable next-line ArrayDeclaration: what is no attempt is left out below
  const attempts: PartEntry[] = [];
  // Stryker disable next-line ConditionalExpression: what is kept of the others takes memory, and is left out below
  for await (const one of journal.attempts(accountId)) if (isOf(one, part)) attempts.push(one);
  return openAmong(attempts, part, mayRepeat);
}

/** The same among all attempts of an account. */
export function openAmong(
  attempts: readonly PartEntry[],
  part: Pick<PartEntry, 'step' | 'part' | 'hash'>,
  mayRepeat?: (status: number | undefined) => boolean,
): OpenAttempts {
  const unknown = new Set<number>();
  const lost = new Set<number>();
  const ever: PartEntry[] = [];
  for (const one of attempts) {
    if (!isOf(one, part)) continue;
    if (one.state === 'uncertain') {
      ever.push(one);
      unknown.clear();
      lost.clear();
    }
    if (one.state !== 'sent' || !isUnknown(one.outcome)) continue;
    ever.push(one);
    unknown.add(one.attempt);
    if (mayRepeat?.(one.status) !== true) lost.add(one.attempt);
  }
  return { unknown: unknown.size, lost: lost.size, ever };
}

function isOf(one: PartEntry, { step, part, hash }: Pick<PartEntry, 'step' | 'part' | 'hash'>): boolean {
  return one.step === step && one.part === part && one.hash === hash;
}

/** An attempt without an outcome was cut short by a crash. */
function isUnknown(outcome = 'unknown'): boolean {
  return outcome === 'unknown' || outcome === restoredOutcome;
}
