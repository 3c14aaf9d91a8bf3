import type { RunEntry, SupplierOverview } from '../../journal/journal.ts';

/** Runs on one platform within this time of the last one are of its night. */
const oneNightMs = 12 * 3_600_000;
/** The runs before that show which platform is the usual one. */
const mostBefore = 5;

/** Whether a run went to the embedded platform. */
export function isRehearsal({ facts, platformLabel }: Pick<RunEntry, 'facts' | 'platformLabel'>): boolean {
  return facts?.rehearsal ?? platformLabel === 'embedded';
}

/** Those that reached a platform; rehearsals do not count where there are others. */
function reaching(runs: readonly RunEntry[]): readonly RunEntry[] {
  const worked = runs.filter(
    ({ dryRun, end }) => !dryRun && !['not-begun', 'held', 'export-shrank'].includes(end?.reason ?? ''),
  );
  const real = worked.filter((run) => !isRehearsal(run));
  return real.length === 0 ? worked : real;
}

/**
 * The run before the night of `last`, if that night is the first on its platform since: the usual platform, and one that has had a
 * night of its own, are as they should be. `runs`: newest first.
 */
export function runElsewhere(last: RunEntry, runs: readonly RunEntry[]): RunEntry | undefined {
  if (isRehearsal(last)) return undefined;
  // Where suppliers are not known, several exports may go to platforms of their own every night.
  const worked = reaching(runs).filter((run) =>
    run.supplier === undefined || last.supplier === undefined
      ? run.export === last.export
      : run.supplier === last.supplier,
  );
  if (!worked.some(({ id }) => id === last.id)) return undefined;
  const earlier = worked.filter(({ id }) => id <= last.id);
  const at = earlier.findIndex(({ platform }) => platform !== last.platform);
  const before = earlier[at];
  if (before === undefined) return undefined;
  const tonight = earlier.slice(0, at);
  if (tonight.some(({ startedAt }) => startedAt < last.startedAt - oneNightMs)) return undefined;
  const usual = earlier.slice(at, at + mostBefore);
  const here = usual.filter(({ platform }) => platform === last.platform).length;
  return here * 2 >= usual.length ? undefined : before;
}

/** The books of suppliers. */
export interface BooksByPlatform {
  /** Those that the last run of each supplier worked on. */
  readonly here: readonly SupplierOverview[];
  /** Those of the same suppliers on other platforms. */
  readonly elsewhere: readonly SupplierOverview[];
}

/** The books of suppliers, by where their last runs went. `runs`: newest first. */
export function booksByPlatform(
  books: readonly SupplierOverview[],
  runs: readonly RunEntry[],
): BooksByPlatform {
  const worked = reaching(runs);
  const lastOf = (supplier: string): string | undefined =>
    worked.find(
      (run) =>
        (run.supplier ?? supplier) === supplier &&
        books.some((book) => book.platform === run.platform && book.supplier === supplier),
    )?.platform;
  const isHere = ({ platform, supplier }: SupplierOverview): boolean =>
    (lastOf(supplier) ?? platform) === platform;
  return { here: books.filter(isHere), elsewhere: books.filter((book) => !isHere(book)) };
}
