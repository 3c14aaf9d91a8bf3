import type { RunEntry } from '../../journal/journal.ts';
import { isKnown, type KnownRun } from '../last-run/compare-runs.ts';

/** Runs of one export within this time of the last one are of its night. */
const oneNightMs = 12 * 3_600_000;

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
  const { content, place } = last.facts.given;
  if (content === undefined) return undefined;
  const before = runs
    .filter((run) => run.id < last.id && !run.dryRun && run.platform === last.platform)
    .filter(isKnown)
    .filter(
      ({ facts, supplier }) =>
        facts.given.place === place || (supplier !== undefined && supplier === last.supplier),
    );
  const at = before.findIndex(({ facts }) => facts.given.content !== content);
  const since = before[at];
  if (since?.facts.given.content === undefined) return undefined;
  if (before.slice(0, at).some(({ startedAt }) => startedAt < last.startedAt - oneNightMs)) return undefined;
  const of = before.slice(at).find(({ facts }) => facts.given.content === content);
  return of && { of, since };
}
