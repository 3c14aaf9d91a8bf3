import type { AccountKey } from '../../domain/account-key.ts';
import type { StepName } from '../../domain/steps.ts';
import type { BookEntry, Journal } from '../../journal/journal.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import type { NeededItems } from '../added/needed-items.ts';
import { isTaken, type AccountFilter } from './account-filter.ts';
import { knownAccount } from '../account/known-account.ts';
import { forecast, type AheadPlan, type Forecast } from '../account/forecast.ts';
import { IdSet } from './book.ts';
import { sharedNumbers } from '../numbers/shared-numbers.ts';
import { supersededData } from '../account/superseded-data.ts';
import type { Settings } from '../settings.ts';

/** An account of the export. */
type Planned = AheadPlan &
  Pick<AccountPlan, 'fix'> & {
    /** Steps that it has data for, and that the tenancy's contract does not have. */
    readonly notOffered: readonly StepName[];
  };

export interface PlanInput extends AccountFilter {
  readonly plans: AsyncIterable<Planned>;
  /** Absent: nothing was ever recorded for this platform. */
  readonly recorded?: { readonly journal: Journal; readonly platform: string } | undefined;
  /** The export's location, as an absolute path. */
  readonly place: string;
  /** The locations of the `--with` directories, as absolute paths. */
  readonly fixes?: readonly string[];
  /** Whether the export has faults that belong to no account: missing accounts cannot be determined then. */
  readonly faults: number;
  /** Called after the last account, with those that a run read from this export and that are no longer in it. */
  readonly absent: (account: BookEntry) => void;
  readonly settings: Settings;
  /** Items of the steps before the accounts that are known not to be done. */
  readonly needed: NeededItems;
}

export interface ForecastAccount extends Forecast {
  readonly key: AccountKey;
  /** Fingerprint of everything that the export has of it. */
  readonly planHash: string;
  readonly notOffered: Planned['notOffered'];
  /** Whether more may have been sent of it than a restored journal knows: the run asks the platform first. */
  readonly isInDoubt: boolean;
}

/** What `runMigration` would do with each account that it would take, in the order of the export. Writes nothing. */
export async function* planMigration(input: PlanInput): AsyncGenerator<ForecastAccount> {
  const { plans, recorded, settings, faults, needed } = input;
  const seen = new IdSet();
  const recordedBefore = await recordedIds(input);
  const sharesNumber = recorded && (await sharedNumbers(recorded.journal, recorded.platform));
  let hasStray = false;
  for await (const read of plans) {
    const { plan, isUnnamed } = await named(read, input);
    const entry = await recorded?.journal.find(recorded.platform, plan.key);
    if (entry !== undefined) seen.add(entry.id);
    if (plan.key.supplier === '') hasStray = true;
    if (!isTaken(plan.key, input)) continue;
    const place = placeOf(plan, input);
    const { print, notOffered } = plan;
    const replaced =
      entry === undefined || recorded === undefined || isUnnamed
        ? undefined
        : await supersededData(recorded.journal, entry, print, place);
    const isSuperseded = isUnnamed || replaced !== undefined;
    const isContested = entry?.steps.process === 'done' && (await sharesNumber?.(entry)) === true;
    const lacking = () => needed.of({ print });
    const ahead = forecast({ plan, entry, isSuperseded, isContested, lacking }, settings);
    // Of a completed account the platform has everything.
    const isInDoubt = entry?.inDoubtSince !== undefined && entry.state !== 'completed';
    yield { key: plan.key, planHash: print.planHash, notOffered, isInDoubt, ...ahead };
  }
  if (recorded === undefined || hasStray || faults > 0) return;
  for (const place of placesRead(input))
    for await (const account of recorded.journal.accountsFrom(recorded.platform, place))
      if (recordedBefore.has(account.id) && !seen.has(account.id) && isTaken(account.key, input))
        input.absent(account);
}

/** The accounts of the export in the journal by now: a run may add others while the export is read here. */
async function recordedIds(input: PlanInput): Promise<IdSet> {
  const ids = new IdSet();
  const { recorded } = input;
  if (recorded === undefined) return ids;
  for (const place of placesRead(input))
    for await (const { id } of recorded.journal.accountsFrom(recorded.platform, place)) ids.add(id);
  return ids;
}

const placesRead = ({ place, fixes = [] }: PlanInput): ReadonlySet<string> => new Set([place, ...fixes]);

function placeOf({ fix }: Planned, { place }: PlanInput): string {
  return fix?.place ?? place;
}

/** Data that names no supplier belongs to the account that the journal knows by its number; `isUnnamed`: a fix replaces it. */
async function named(
  plan: Planned,
  input: PlanInput,
): Promise<{ readonly plan: Planned; readonly isUnnamed: boolean }> {
  const { recorded } = input;
  const asRead = { plan, isUnnamed: false };
  if (plan.key.supplier !== '' || recorded === undefined) return asRead;
  const { journal, platform } = recorded;
  const known = await knownAccount(journal, platform, plan.key.account, placeOf(plan, input));
  return known === undefined ? asRead : { plan: { ...plan, key: known.key }, isUnnamed: known.isFixed };
}
