import { unfinishedOf } from '../../domain/account-state.ts';
import { exitCodeOf } from '../../domain/exit-codes.ts';
import type { NightReason } from '../advice/night-reason.ts';
import { remedyOf } from '../advice/remedies.ts';
import { nightsOf } from './nights-of.ts';
import type { NightVerdict, SupplierNight } from './verdict.ts';

/** What a book still needs, however long ago its last night was. */
const lasting: ReadonlySet<NightReason> = new Set<NightReason>([
  ...(['doubled', 'uncertain', 'lost', 'failed', 'rejected', 'changed'] as const),
  ...(['unknown-codes', 'already-held', 'no-supplier'] as const),
]);

/**
 * The verdict on a journal whose suppliers have runs of their own: what is lost, doubled or uncertain is that of all, the rest is of the
 * supplier that needs somebody most, as a good run of one hides no bad one of another. `whole`: of all runs, as if of one book. `ofRun`:
 * only the suppliers of this run are asked.
 */
export function nightOfSuppliers(
  whole: NightVerdict,
  nights: readonly SupplierNight[],
  ofRun?: number,
): NightVerdict {
  const known = nights.filter(({ verdict }) => verdict.run !== undefined);
  if (new Set(known.map(({ verdict }) => verdict.run?.id)).size < 2) return whole;
  const own = known.filter(({ verdict }) => verdict.run?.id === ofRun);
  const asked = own.length > 0 ? own : known.filter(isToBeTold(known));
  const [worst, ...others] = asked.toSorted(worstFirst);
  if (worst === undefined) return whole;
  const { good, reason, detail, exit, run, pace, older, ahead, before, differences, continues } =
    worst.verdict;
  const { pace: _ofAll, ...rest } = whole;
  return {
    ...rest,
    ...{ good, reason, detail, exit, run, older, ahead, before, differences, continues },
    ...(pace === undefined ? {} : { pace }),
    isRehearsal: worst.verdict.isRehearsal,
    leftToo: [],
    of: worst,
    others,
  };
}

/** Those of the newest night, earlier ones that left something, and those that missed one. */
function isToBeTold(nights: readonly SupplierNight[]): (night: SupplierNight) => boolean {
  const runs = nights.flatMap(({ verdict }) => verdict.run ?? []);
  const [tonight = []] = nightsOf(runs.toSorted((one, other) => other.startedAt - one.startedAt));
  return ({ verdict }) => {
    const { run, reason } = verdict;
    if (reason === 'no-night') return true;
    return lasting.has(reason) || isUnfinished(verdict) || (run !== undefined && tonight.includes(run));
  };
}

function isUnfinished({ book, uncounted }: NightVerdict): boolean {
  return unfinishedOf(book) > 0 || uncounted !== 0;
}

/** What somebody has to do at once, then what needs somebody, what is under way, what is left, and the newest. */
function worstFirst({ verdict: one }: SupplierNight, { verdict: other }: SupplierNight): number {
  const byRank = rankOf(one) - rankOf(other);
  if (byRank !== 0) return byRank;
  if (one.exit !== other.exit) return exitCodeOf([one.exit, other.exit]) === one.exit ? -1 : 1;
  return (other.run?.id ?? 0) - (one.run?.id ?? 0);
}

function rankOf(verdict: NightVerdict): number {
  if (verdict.good) return isUnfinished(verdict) ? 3 : 4;
  if (verdict.reason === 'running') return 2;
  return remedyOf(verdict.reason).urgent === undefined ? 1 : 0;
}
