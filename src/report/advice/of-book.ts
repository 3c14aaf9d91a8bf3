import { zeroCounts } from '../../domain/account-state.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { notOurs } from '../../domain/shared-codes.ts';
import { endedWell } from '../../domain/stop-reason.ts';
import type { RunEntry, SupplierOverview } from '../../journal/journal.ts';
import { givenFlags, type GivenFlags } from '../command-line.ts';
import { unknownCodesIn, type FailureGroup } from '../failures/failure-groups.ts';
import { readOthers } from '../last-run/compare-runs.ts';
import { activeRun, activeText } from '../run-state.ts';
import { withoutSupplierIn } from '../without-supplier.ts';
import type { NightReason } from './night-reason.ts';
import type { CommandPlace, Outstanding } from './outstanding.ts';
import { isNightReason } from './remedies.ts';
import { recordedDetail } from './stop-detail.ts';

/** What the journal shows of a supplier. */
interface BookSeen {
  /** Its flags, and its supplier. */
  readonly place: Omit<CommandPlace, 'source'>;
  readonly overview?: SupplierOverview | undefined;
  /** Newest first. */
  readonly runs: readonly RunEntry[];
  /** Those of living processes. */
  readonly running: ReadonlySet<number>;
  /** IANA name. */
  readonly timeZone: string;
  /** What the last night was judged to be; absent if it was not judged. */
  readonly night?:
    | {
        readonly good: boolean;
        readonly reason: NightReason;
        readonly detail: string;
        readonly doubled: number;
        readonly lost: number;
        readonly isProved: boolean;
        readonly isCompared: boolean;
        readonly failures: readonly Pick<FailureGroup, 'state' | 'code' | 'accounts'>[];
      }
    | undefined;
  /** Whether the last night was the first on its platform, where it was not judged; default: no. */
  readonly isFirstThere?: boolean;
  /** What all accounts were surveyed for; absent if they were not. */
  readonly survey?:
    | {
        readonly failures: readonly Pick<FailureGroup, 'state' | 'code' | 'accounts'>[];
        readonly uncertain: Outstanding['uncertain'];
      }
    | undefined;
}

/** What is left of the book of a supplier. */
export function leftOfBook(seen: BookSeen): Outstanding {
  const { place, overview, runs, running, timeZone, night, survey } = seen;
  const accounts = overview?.accounts ?? zeroCounts();
  const refusedData = overview?.refusedData ?? 0;
  const active = activeRun(runs, running);
  return {
    place: { ...place, source: sourceOf(runs), options: optionsOf(runs) },
    accounts,
    changed: overview?.changedAfterImport ?? 0,
    causes: survey?.failures ?? night?.failures,
    isRefusedThere: overview === undefined ? undefined : hasRefusals(overview),
    unknownCodes: unknownCodesIn(survey?.failures ?? night?.failures ?? []),
    alreadyHeld: overview?.alreadyHeld ?? 0,
    ruledNotOurs: ruledIn(seen),
    refusedData,
    faults: hasRowsOfNoAccount(runs, refusedData) ? null : 0,
    withoutSupplier: withoutSupplierIn(runs),
    isProved: night?.isProved,
    isCompared: night?.isCompared,
    lost: night?.lost ?? 0,
    doubled: night?.doubled ?? 0,
    isPartlyRead: (overview?.partlyRead ?? []).length > 0,
    uncertain: survey?.uncertain,
    stop: stopSeen(seen),
    ...(active === undefined ? {} : { active: { run: active.id, does: activeText(active, timeZone) } }),
  };
}

/** Whether the platform refused anything of the accounts, or failed at it. */
export function hasRefusals({ steps }: Pick<SupplierOverview, 'steps'>): boolean {
  return Object.values(steps).some(({ failed }) => failed > 0);
}

/** The flags of settings and journal, as text to append to a command about a book: the profile is that of its last run, if none is given. `runs`: newest first. */
export function flagsOfBook(given: GivenFlags, runs: readonly RunEntry[]): string {
  const profile = given.profile ?? continuedRun(runs)?.facts?.profile;
  return givenFlags({ ...given, ...(profile === undefined ? {} : { profile }) });
}

/** The export of the last run. */
export function sourceOf(runs: readonly RunEntry[]): string {
  return (continuedRun(runs) ?? runs[0])?.export ?? './export';
}

/** What it was given on its command line; undefined if that is not known. */
export function optionsOf(runs: readonly RunEntry[]): CommandPlace['options'] {
  return (continuedRun(runs) ?? runs[0])?.facts?.typed;
}

/** The run whose command is typed again: the last one, but for dry runs, and for those that read the export of other suppliers. */
export function continuedRun<Run extends Pick<RunEntry, 'dryRun' | 'end'>>(
  runs: readonly Run[],
): Run | undefined {
  const real = runs.filter(({ dryRun }) => !dryRun);
  return real.find((run) => !readOthers(run)) ?? real[0];
}

/** A run that ended well found no accounts of others but those that were ruled on. */
function ruledIn({ overview, runs, survey }: BookSeen): number {
  if (survey !== undefined)
    return survey.failures.find(({ state, code }) => state === 'skipped' && code === notOurs)?.accounts ?? 0;
  return endOf(runs)?.exit === exitCodes.accountsRejected ? 0 : (overview?.accounts.skipped ?? 0);
}

function stopSeen({ night, runs, running, isFirstThere = false }: BookSeen): Outstanding['stop'] {
  if (night === undefined)
    return stopOf(runs, running) ?? (isFirstThere ? { reason: 'other-platform', detail: '' } : undefined);
  if (night.good) return undefined;
  return { reason: night.reason, detail: recordedDetail(night.reason, night.detail) };
}

function stopOf(runs: readonly RunEntry[], running: ReadonlySet<number>): Outstanding['stop'] {
  const last = runs.find(({ dryRun }) => !dryRun);
  if (last === undefined) return undefined;
  const { end } = last;
  if (end === undefined) return running.has(last.id) ? undefined : { reason: 'killed', detail: '' };
  if (end.reason === '' || endedWell(end.exit, end.reason) || !isNightReason(end.reason)) return undefined;
  return { reason: end.reason, detail: recordedDetail(end.reason, end.detail ?? '') };
}

function endOf(runs: readonly RunEntry[]): RunEntry['end'] {
  return runs.find((run) => !run.dryRun && run.end !== undefined)?.end;
}

/**
 * Whether the last run found rows of the export that belong to no account: nothing else makes a run end with 3 whose accounts are
 * all completed. `runs`: newest first.
 */
export function hasRowsOfNoAccount(runs: readonly RunEntry[], refusedData: number): boolean {
  const end = endOf(runs);
  if (end?.exit !== exitCodes.accountsRejected || refusedData > 0) return false;
  const { rejected, failed, skipped } = end.accounts;
  return rejected + failed + skipped === 0;
}
