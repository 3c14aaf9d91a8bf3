import type { RunEntry, SupplierOverview } from '../../journal/journal.ts';
import { isRehearsal } from '../rehearsals.ts';
import { undatedName } from '../undated-name.ts';
import { nightsOf } from './nights-of.ts';

/** The nights before that show which platforms are as they should be. */
const mostBefore = 5;

/** Those that reached a platform; rehearsals do not count where there are others. */
function reaching(runs: readonly RunEntry[]): readonly RunEntry[] {
  const worked = runs.filter(
    ({ dryRun, end }) =>
      !dryRun && !['not-begun', 'held', 'export-shrank', 'export-changed'].includes(end?.reason ?? ''),
  );
  const real = worked.filter((run) => !isRehearsal(run));
  return real.length === 0 ? worked : real;
}

/** Whether a run ended before it completed an account, as where its address or key was wrong. */
function metNobody({ end }: RunEntry): boolean {
  return ['unavailable', 'credentials'].includes(end?.reason ?? '') && (end?.driven?.completed ?? 0) === 0;
}

/**
 * The last run on another platform, if the night of `last` is the first on its platform since: a platform that had one of the nights
 * before is as it should be. `runs`: newest first.
 */
export function runElsewhere(last: RunEntry, runs: readonly RunEntry[]): RunEntry | undefined {
  if (isRehearsal(last)) return undefined;
  // Where suppliers are not known, several exports may go to platforms of their own every night.
  const worked = reaching(runs).filter((run) =>
    run.supplier === undefined || last.supplier === undefined
      ? undatedName(run.export) === undatedName(last.export)
      : run.supplier === last.supplier,
  );
  const earlier = worked.filter((run) => run.id <= last.id && !metNobody(run));
  if (earlier[0]?.id !== last.id) return undefined;
  const [, ...nights] = nightsOf(earlier);
  const hadNight = nights
    .slice(0, mostBefore)
    .some((night) => night.some(({ platform }) => platform === last.platform));
  return hadNight ? undefined : earlier.find(({ platform }) => platform !== last.platform);
}

/** Whether the last night of a supplier was the first on the platform of this book. `runs`: of all platforms, newest first. */
export function isFirstNightOf(
  { platform, supplier }: Pick<SupplierOverview, 'platform' | 'supplier'>,
  runs: readonly RunEntry[],
): boolean {
  const last = runs.find((run) => !run.dryRun && (run.supplier ?? supplier) === supplier);
  return last?.platform === platform && runElsewhere(last, runs) !== undefined;
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
