import type { RunEntry } from '../../journal/journal.ts';
import { isKnown, type KnownRun } from '../last-run/compare-runs.ts';
import { isOfBook } from '../last-run/same-book.ts';
import { nightsOf } from './nights-of.ts';

/** An export with fewer than this share of the accounts of another one is a part of it, not another state of it. */
const leastAccounts = 0.5;

/** An earlier run whose very export the last night read again, and the one after it, which had another. */
export interface OlderExport {
  readonly of: KnownRun;
  readonly since: KnownRun;
}

/**
 * Whether the export of a night is one that was read before the last one; undefined if it is not, if a night had it since, or if that is
 * not known. `runs`: newest first.
 */
export function olderExport(last: RunEntry, runs: readonly RunEntry[]): OlderExport | undefined {
  if (!isKnown(last) || last.dryRun) return undefined;
  const { content } = last.facts.given;
  if (content === undefined) return undefined;
  const before = runs
    .filter((run) => run.id < last.id && !run.dryRun && run.platform === last.platform)
    .filter(isKnown)
    .filter((run) => isStateOf(run, last));
  // The newest export is the one that was read for the first time after all others.
  const firstOf = (wanted: string | undefined): number =>
    before.findLast(({ facts }) => facts.given.content === wanted)?.id ?? last.id;
  const first = firstOf(content);
  const hasIt = ({ facts }: KnownRun): boolean => facts.given.content === content;
  const at = before.findIndex((run) => !hasIt(run) && firstOf(run.facts.given.content) > first);
  const since = before[at];
  if (since?.facts.given.content === undefined) return undefined;
  const [tonight = []] = nightsOf([last, ...before]);
  if (before.slice(0, at).some((run) => hasIt(run) && !tonight.includes(run))) return undefined;
  const of = before.slice(at).find(hasIt);
  return of && { of, since };
}

/** Whether two runs read the same book, and about as much of it. */
function isStateOf({ facts: { given } }: KnownRun, { facts }: KnownRun): boolean {
  const sizes = [given.accounts, facts.given.accounts];
  return isOfBook(given, facts.given) && Math.min(...sizes) >= leastAccounts * Math.max(...sizes);
}
