import type { Journal, RunEntry, SupplierOverview } from '../journal/journal.ts';

/** Accounts of each supplier that show which exports are theirs. */
const sampled = 50;

/**
 * The same runs, of which those without --supplier have the supplier of their export, if samples of the accounts show that the
 * export is of one supplier alone: what such a run did is not told of other suppliers.
 *
 * @param suppliers all of the journal
 */
export async function attributedRuns(
  journal: Pick<Journal, 'accounts'>,
  suppliers: readonly Pick<SupplierOverview, 'platform' | 'supplier'>[],
  runs: readonly RunEntry[],
): Promise<readonly RunEntry[]> {
  const isOpen = ({ supplier }: RunEntry): boolean => supplier === undefined;
  if (suppliers.length < 2 || !runs.some(isOpen)) return runs;
  const owners = new Map<string, Set<string>>();
  for (const { platform, supplier } of suppliers) {
    let seen = 0;
    for await (const { from } of journal.accounts(platform, supplier)) {
      const name = nameOf(platform, from);
      if (from !== undefined) owners.set(name, (owners.get(name) ?? new Set()).add(supplier));
      seen += 1;
      if (seen === sampled) break;
    }
  }
  return runs.map((run) => {
    const [supplier, ...others] = owners.get(nameOf(run.platform, placeOf(run, runs))) ?? [];
    return !isOpen(run) || supplier === undefined || others.length > 0 ? run : { ...run, supplier };
  });
}

/** Where its export is; a run that did not read it is known by another one that was given the same. */
function placeOf(run: RunEntry, runs: readonly RunEntry[]): string | undefined {
  const isAlike = (one: RunEntry): boolean =>
    one.platform === run.platform && one.export === run.export && one.facts?.profile === run.facts?.profile;
  const known =
    run.facts?.given ?? runs.find((one) => isAlike(one) && one.facts?.given !== undefined)?.facts?.given;
  return known?.place;
}

function nameOf(platform: string, place: string | undefined): string {
  return JSON.stringify([platform, place ?? null]);
}
