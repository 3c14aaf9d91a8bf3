import {
  uncountedOf,
  unfinishedOf,
  zeroCounts,
  accountStates,
  type AccountCounts,
} from '../../domain/account-state.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { hasRefusals } from '../advice/of-book.ts';
import type { NightReason } from '../advice/night-reason.ts';
import { isNightReason } from '../advice/remedies.ts';
import { aboutStop, asStopReason, endedWell } from '../../domain/stop-reason.ts';
import type { RunEntry, SupplierOverview } from '../../journal/journal.ts';
import { differences, isKnown, type Differences } from '../last-run/compare-runs.ts';
import { isOfBook } from '../last-run/same-book.ts';
import { isRehearsal } from '../rehearsals.ts';
import { runElsewhere } from './changed-platform.ts';
import type { SupplierNight } from './nights-of-suppliers.ts';
import { nightsOf } from './nights-of.ts';
import { olderExport, type OlderExport } from './older-export.ts';
import type { WarnedAccounts } from '../failures/warned-accounts.ts';
import { unknownCodesIn, type FailureGroup } from '../failures/failure-groups.ts';
import { isFullDisk, lackOfRoom, leftToRecord, type LackOfRoom } from '../journal-room.ts';
import { withoutSupplierIn, type WithoutSupplier } from '../without-supplier.ts';

/** What the journal says of the nights of a book. */
export interface NightFacts {
  /** Newest first, without those of other suppliers. */
  readonly runs: readonly RunEntry[];
  /** The runs of living processes. */
  readonly running: ReadonlySet<number>;
  /** The books that the last runs worked on. */
  readonly suppliers: readonly SupplierOverview[];
  /** Whether the journal has suppliers that are not judged: runs that chose none may have driven theirs; default: no. */
  readonly hasOthers?: boolean;
  /** Those of the same suppliers on other platforms. */
  readonly elsewhere: readonly SupplierOverview[];
  /** Requests of these accounts that were sent and have no outcome, on any of these platforms. */
  readonly unanswered: number;
  /** Of these, those of accounts that left the export: no run takes them up; default: none. */
  readonly unansweredGone?: number;
  /** Accounts that share a platform number with another, on any of these platforms. */
  readonly doubled: number;
  /** Bytes that the disk of the journal has left now; absent if it is on another machine. */
  readonly free?: number | undefined;
  /** Skipped accounts that a person ruled to be somebody else's. */
  readonly ruledNotOurs: number;
  /** When somebody last ruled on an account, in ms since the epoch; absent if nobody did. */
  readonly ruledAt?: number | undefined;
  /** When somebody last ruled, had something sent again, or restored the journal, in ms since the epoch; absent if nobody did. */
  readonly intervenedAt?: number | undefined;
  /** When each of these books was compared with its export last, without a difference; absent if one never was. */
  readonly provedAt?: number | undefined;
  /** The same, whatever the comparison found. */
  readonly comparedAt?: number | undefined;
  readonly warned: WarnedAccounts | undefined;
  /** Of the rejected and failed accounts. */
  readonly failures: readonly FailureGroup[];
  /** The time in ms since the epoch. */
  readonly now: number;
}

/** What a night achieved, beside those before it. */
export interface NightPace {
  /** Accounts that the last night completed. */
  readonly completed: number;
  readonly durationMs: number;
  /** Of the nights before, at most five: the mean number of completed accounts; absent if there were none. */
  readonly before?: number;
  /** Accounts that a run has to do. */
  readonly left: number;
  /** Accounts that no run takes as they are: rejected, uncertain or skipped. */
  readonly aside: number;
  /** Whether the last night drove accounts of other suppliers too: its figures are of all of them, and say nothing of the rest. */
  readonly isShared?: boolean;
  /** What is left at this pace, or at that of the nights before if the last one was cut short; absent if that cannot be said. */
  readonly nightsLeft?: number;
  /** The length of such a night, in ms. */
  readonly nightMs?: number;
  /** Whether the nights before set that pace. */
  readonly isOfBefore?: boolean;
  /** Working time that is left, in ms, where no night shows how long nights are. */
  readonly msLeft?: number;
}

export interface NightVerdict {
  readonly good: boolean;
  readonly reason: NightReason;
  /** More about it, as the run recorded it. */
  readonly detail: string;
  readonly exit: ExitCode;
  /** The run that the verdict is about. */
  readonly run?: RunEntry | undefined;
  readonly book: AccountCounts;
  /** Accounts of exports that no run has read to their end; null: their number is not known. */
  readonly uncounted: number | null;
  /** Accounts whose data names no import supplier: they are in none of the counts. */
  readonly withoutSupplier?: WithoutSupplier | undefined;
  /** Of the rejected accounts, those that the platform has in another form than the export has now. */
  readonly changed: number;
  /** Of the rejected accounts, those of which the platform has something already that it refused. */
  readonly alreadyHeld: number;
  /** Accounts that arrived earlier, whose data in the export is refused now. */
  readonly refusedData: number;
  /** Whether the platform refused anything of the accounts, or failed at it. */
  readonly isRefusedThere: boolean;
  /** Accounts that left the export before they were created; this and the next two are of all platforms of the suppliers. */
  readonly lost: number;
  readonly doubled: number;
  readonly uncertain: number;
  /** Requests that were sent and have no outcome: of a run under way, or of one that ended without it. */
  readonly unanswered: number;
  /** Of these, those of accounts that left the export: no run takes them up. */
  readonly unansweredGone: number;
  /** Rows of the export that belong to none of its accounts, as the last run that counted them found; 0 if none did. */
  readonly strayRows: number;
  /** Of the skipped accounts, those that a person ruled to be somebody else's. */
  readonly ruledNotOurs: number;
  readonly pace?: NightPace;
  readonly isRehearsal: boolean;
  /** The suppliers of the books. */
  readonly suppliers: readonly string[];
  /** The run that the next one continues: the last one, or that of another supplier where only this has work left. */
  readonly continues?: RunEntry | undefined;
  /** Suppliers with runs of their own and work left, beside that of the continued run. */
  readonly leftToo: readonly string[];
  /** Whether a comparison since the last run, ruling and restore found no difference. */
  readonly isProved: boolean;
  /** Whether there was such a comparison, whatever it found. */
  readonly isCompared: boolean;
  /** Books of the same suppliers on other platforms, where something is left or the night before went. */
  readonly elsewhere: readonly SupplierOverview[];
  /** Present if the export of the night is an earlier one than that of the night before. */
  readonly older?: OlderExport | undefined;
  /** The run before if it began later, by its clock, or the run itself if it began later than now: a clock was set back. */
  readonly ahead?: RunEntry | undefined;
  /** The run before, if the night is the first on another platform. */
  readonly before?: RunEntry | undefined;
  /** Present if the disk of the journal will fill before the book is finished. */
  readonly lackOfRoom?: LackOfRoom | undefined;
  /** Completed accounts with warnings. */
  readonly warned: WarnedAccounts | undefined;
  /** Whether the book was never sent to another platform than the embedded one. */
  readonly isRehearsedOnly: boolean;
  /** The rejected and failed accounts by what they share, the largest group first. */
  readonly failures: readonly FailureGroup[];
  /** Where suppliers have runs of their own: the night that decides. The counts are those of all suppliers. */
  readonly of?: SupplierNight | undefined;
  /** The nights of the others. */
  readonly others?: readonly SupplierNight[];
  /** How what the run was given differs from what the run before it was given; absent if that is not known. */
  readonly differences?: Differences | undefined;
}

const hourMs = 3_600_000;
/** Clocks of several machines differ by less. */
const mostSkewMs = hourMs;
/** A night that begins this much later than a day after the last one counts as missed. */
const latestMs = 26 * hourMs;

/** Judges the last night of a book. */
export function judgeNight(facts: NightFacts): NightVerdict {
  const { runs, suppliers, doubled, failures } = facts;
  const book = bookOf(suppliers);
  const last = lastOf(runs);
  const isRehearsedOnly = runs.length > 0 && runs.every(isRehearsal);
  const before = last && runElsewhere(last, runs);
  const everywhere = [...suppliers, ...facts.elsewhere];
  const changedAt = Math.max(last?.end?.endedAt ?? Infinity, facts.intervenedAt ?? 0);
  const found = {
    book,
    before,
    older: last && olderExport(last, runs),
    ahead: last && aheadOf(last, runs, facts.now),
    elsewhere: facts.elsewhere.filter((one) => needsSomebody(one) || one.platform === before?.platform),
    uncounted: uncountedOf(suppliers.flatMap(({ partlyRead }) => partlyRead)),
    changed: suppliers.reduce((sum, { changedAfterImport }) => sum + changedAfterImport, 0),
    alreadyHeld: suppliers.reduce((sum, one) => sum + one.alreadyHeld, 0),
    refusedData: suppliers.reduce((sum, { refusedData }) => sum + refusedData, 0),
    isRefusedThere: suppliers.some(hasRefusals),
    lost: everywhere.reduce((sum, { absent }) => sum + absent, 0),
    doubled,
    unanswered: facts.unanswered,
    unansweredGone: facts.unansweredGone ?? 0,
    strayRows: last === undefined ? 0 : strayRowsOf(last, runs),
    failures,
    withoutSupplier: withoutSupplierIn(runs),
    uncertain: everywhere.reduce((sum, { accounts }) => sum + accounts.uncertain, 0),
    run: last,
    isRehearsal: last !== undefined && isRehearsal(last),
    isRehearsedOnly,
    suppliers: [...new Set(suppliers.map(({ supplier }) => supplier))],
    ...continuedOf(last, runs, suppliers),
    isProved: (facts.provedAt ?? 0) >= changedAt,
    isCompared: (facts.comparedAt ?? 0) >= changedAt,
    ruledNotOurs: facts.ruledNotOurs,
    warned: facts.warned,
    lackOfRoom: lackOfRoom(facts.free, leftToRecord(suppliers) ?? 0, isRehearsedOnly),
    differences: last === undefined ? undefined : differencesOf(last, runs),
  };
  const ofPlatform = runs.filter(
    ({ platform }) => last === undefined || found.isRehearsal || platform === last.platform,
  );
  const pace = paceOf(workedNights(ofPlatform), found, facts.hasOthers);
  const { reason, good } = reasonOf(facts, last, found);
  return {
    ...found,
    ...(pace === undefined ? {} : { pace }),
    ...{ good, reason, exit: good ? exitCodes.done : exitOf(reason, last) },
    detail: last?.end?.reason === reason ? (last.end.detail ?? '') : '',
  };
}

function bookOf(suppliers: readonly Pick<SupplierOverview, 'accounts'>[]): AccountCounts {
  const book = zeroCounts();
  for (const { accounts } of suppliers) for (const state of accountStates) book[state] += accounts[state];
  return book;
}

/** Whether accounts of a book wait for a run or a person. */
function needsSomebody({ accounts, absent }: SupplierOverview): boolean {
  return unfinishedOf(accounts) + accounts.uncertain + accounts.rejected + absent > 0;
}

/** Where each supplier has runs of its own, the one whose work is left comes next. */
function continuedOf(
  last: RunEntry | undefined,
  runs: readonly RunEntry[],
  suppliers: readonly SupplierOverview[],
): Pick<NightVerdict, 'continues' | 'leftToo'> {
  const own = last?.supplier;
  if (last === undefined || own === undefined || suppliers.length < 2)
    return { continues: last, leftToo: [] };
  const open = suppliers.filter(({ accounts }) => unfinishedOf(accounts) > 0);
  // The command goes to the platform of the night: a book on another one has a command of its own.
  const isHere = (one: { readonly platform: string }): boolean => one.platform === last.platform;
  const next = open.some(({ supplier }) => supplier === own) ? undefined : open.find(isHere);
  const isOfNext = (run: RunEntry): boolean => !run.dryRun && isHere(run) && run.supplier === next?.supplier;
  const continues = (next && runs.find(isOfNext)) ?? last;
  const left = open.map(({ supplier }) => supplier).filter((supplier) => supplier !== continues.supplier);
  return { continues, leftToo: [...new Set(left)] };
}

/** As the newest run counted them that read an export for the same platform. */
function strayRowsOf({ platform }: RunEntry, runs: readonly RunEntry[]): number {
  const counted = runs.find((run) => !run.dryRun && run.platform === platform && isKnown(run));
  const files = counted?.facts?.given?.files ?? [];
  return files.reduce((sum, { orphans = 0 }) => sum + orphans, 0);
}

/** The run whose beginning shows that the clock of the last run, or that of now, is behind. */
function aheadOf(last: RunEntry, runs: readonly RunEntry[], now: number): RunEntry | undefined {
  if (last.startedAt > now + mostSkewMs) return last;
  // One wrong clock is told once.
  const before = runs.find(({ id }) => id < last.id);
  return before !== undefined && before.startedAt > last.startedAt + mostSkewMs ? before : undefined;
}

/**
 * The run of the last night. Another run held the supplier of a start that came too early: the night is that of the other run. A rehearsal
 * that a person started beside a platform is no night of it.
 */
function lastOf(runs: readonly RunEntry[]): RunEntry | undefined {
  const hasPlatform = runs.some((run) => !run.dryRun && !isRehearsal(run));
  const isMeantSo = (run: RunEntry): boolean =>
    hasPlatform && isRehearsal(run) && run.facts?.unattended === false;
  const real = runs.filter((run) => !run.dryRun && !isMeantSo(run));
  return real.find(({ end }) => end?.reason !== 'held') ?? real[0];
}

function isSameSupplier({ supplier }: RunEntry, other: RunEntry): boolean {
  return supplier !== undefined && supplier === other.supplier;
}

/** Of the newest run before it that read an export of the same book for the same platform. */
function differencesOf(last: RunEntry, runs: readonly RunEntry[]): Differences | undefined {
  if (!isKnown(last)) return undefined;
  const before = runs
    .filter(({ id, dryRun, platform }) => id < last.id && !dryRun && platform === last.platform)
    .filter(isKnown)
    .find((run) => isSameSupplier(run, last) || isOfBook(run.facts.given, last.facts.given));
  if (before === undefined) return undefined;
  const { platformLabel, facts, by } = last;
  return differences({ platformLabel, facts, version: by?.version ?? '' }, before);
}

type Found = Pick<
  NightVerdict,
  | 'book'
  | 'changed'
  | 'alreadyHeld'
  | 'failures'
  | 'refusedData'
  | 'lost'
  | 'doubled'
  | 'uncertain'
  | 'uncounted'
  | 'withoutSupplier'
  | 'ruledNotOurs'
  | 'before'
  | 'older'
  | 'ahead'
>;

function reasonOf(
  { runs, running, now, free, ruledAt = 0 }: NightFacts,
  last: RunEntry | undefined,
  found: Found,
): Pick<NightVerdict, 'reason' | 'good'> {
  const bad = (reason: NightReason): Pick<NightVerdict, 'reason' | 'good'> => ({ reason, good: false });
  if (last === undefined) return bad('no-run');
  const { end } = last;
  if (end === undefined)
    return bad(running.has(last.id) ? 'running' : isFullDisk(free) ? 'disk-full' : 'killed');
  // When a run with a clock ahead of now began is not known.
  if (found.ahead?.id !== last.id && isMissed(runs, now, found)) return bad('no-night');
  const stopped = asStopReason(end.reason);
  if (end.reason !== '' && !endedWell(end.exit, stopped))
    return bad(isNightReason(end.reason) ? end.reason : 'broke-off');
  const isAlone = runs.every(isRehearsal);
  if (isRehearsal(last) && !isAlone) return bad('rehearsal');
  if (found.before !== undefined) return bad('other-platform');
  const left = leftIn(found);
  if (left !== undefined) return bad(left);
  // Without a ruling, it was another supplier's accounts that the run left.
  const settled = ruledAt > end.endedAt ? 'ruled' : (stopped ?? 'done');
  // No account is uncertain or shares a number any more.
  if (end.exit === exitCodes.uncertain) return { reason: settled, good: true };
  if (end.exit === exitCodes.accountsRejected && isRuled(found, end.accounts))
    return { reason: settled, good: true };
  if (!endedWell(end.exit, stopped)) return bad(ofExit(end.exit, found));
  return { reason: stopped ?? 'done', good: true };
}

/** What of the night needs somebody, the most urgent first; undefined if nothing does. */
function leftIn(found: Found): NightReason | undefined {
  const { doubled, uncertain, lost, older, ahead, book, changed, alreadyHeld, withoutSupplier } = found;
  const unknownCodes = unknownCodesIn(found.failures);
  const reasons: readonly (readonly [boolean, NightReason])[] = [
    [doubled > 0, 'doubled'],
    [uncertain > 0, 'uncertain'],
    [lost > 0, 'lost'],
    [older !== undefined, 'older-export'],
    [ahead !== undefined, 'clock-back'],
    [book.failed > 0, 'failed'],
    [book.rejected > changed + alreadyHeld + unknownCodes, 'rejected'],
    [unknownCodes > 0, 'unknown-codes'],
    [alreadyHeld > 0, 'already-held'],
    [book.rejected > 0, 'changed'],
    [withoutSupplier !== undefined, 'no-supplier'],
  ];
  return reasons.find(([applies]) => applies)?.[1];
}

/** The run ended with a code that no stop explains. */
function ofExit(exit: number, { book, refusedData, ruledNotOurs }: Found): NightReason {
  if (exit !== exitCodes.accountsRejected) return 'broke-off';
  if (refusedData > 0) return 'refused-data';
  return book.skipped > ruledNotOurs ? 'not-ours' : 'faults';
}

/** Whether a run ended so for accounts on all of which somebody has ruled since. */
function isRuled(
  { book, refusedData, ruledNotOurs }: Found,
  { rejected, failed, skipped }: AccountCounts,
): boolean {
  return refusedData === 0 && book.skipped <= ruledNotOurs && rejected + failed + skipped > 0;
}

const exits: Partial<Record<NightReason, ExitCode>> = {
  running: exitCodes.stoppedEarly,
  killed: exitCodes.stoppedEarly,
  'disk-full': exitCodes.usage,
  'no-run': exitCodes.stoppedEarly,
  'no-night': exitCodes.stoppedEarly,
  'no-journal': exitCodes.usage,
  rehearsal: exitCodes.usage,
  'other-platform': exitCodes.usage,
  'older-export': exitCodes.usage,
  'clock-back': exitCodes.usage,
  doubled: exitCodes.uncertain,
  uncertain: exitCodes.uncertain,
  lost: exitCodes.accountsRejected,
  failed: exitCodes.accountsRejected,
  rejected: exitCodes.accountsRejected,
  changed: exitCodes.accountsRejected,
  'already-held': exitCodes.accountsRejected,
  'unknown-codes': exitCodes.accountsRejected,
  'refused-data': exitCodes.accountsRejected,
  'no-supplier': exitCodes.accountsRejected,
  'not-ours': exitCodes.accountsRejected,
  faults: exitCodes.accountsRejected,
};

/** Never 0. */
function exitOf(reason: NightReason, last: RunEntry | undefined): ExitCode {
  const known = exits[reason];
  if (known !== undefined) return known;
  const ended = Object.values(exitCodes).find((code) => code === last?.end?.exit);
  return ended === undefined || ended === exitCodes.done ? exitCodes.stoppedEarly : ended;
}

/**
 * Whether a run should have begun since the last one. Runs of a week ago show the nights on which none is due; a book that is
 * done needs none, unless it got one every night.
 */
function isMissed(runs: readonly RunEntry[], now: number, { book, uncounted }: Found): boolean {
  const starts = startsOfNights(runs, now);
  const [last, ...before] = starts;
  if (last === undefined || now - last <= latestMs) return false;
  const isOpen = uncounted !== 0 || unfinishedOf(book) > 0;
  const isNightly = before.length >= 2 && last - (before[1] ?? 0) <= 3 * latestMs;
  if (!isOpen && !isNightly) return false;
  const weekMs = 7 * 24 * hourMs;
  const oldest = starts.at(-1) ?? last;
  if (now - weekMs - latestMs < oldest) return true;
  // A week ago, in the same day, one began.
  return starts.some((at) => at <= now - weekMs && at > now - weekMs - latestMs);
}

/** When each night began, newest first. Runs with a clock ahead of now are left out. */
function startsOfNights(runs: readonly RunEntry[], now: number): readonly number[] {
  const begun = runs.filter(({ dryRun, startedAt }) => !dryRun && startedAt <= now + mostSkewMs);
  const byClock = begun.toSorted((one, other) => other.startedAt - one.startedAt);
  return nightsOf(byClock).map((night) => night.at(-1)?.startedAt ?? now);
}

/** Rehearsals say nothing of the pace on a platform. */
function comparable(runs: readonly RunEntry[]): readonly RunEntry[] {
  const real = runs.filter((run) => !isRehearsal(run));
  return real.length === 0 ? runs : real;
}

/** The nights that are compared with the last one. */
const mostBefore = 5;

/** A night that completed accounts: a run, without dry runs. */
export interface WorkedNight {
  readonly run: RunEntry;
  readonly completed: number;
  readonly durationMs: number;
}

/** The last night that completed accounts, and those that it is compared with. `runs`: newest first. */
export function workedNights(runs: readonly RunEntry[]): readonly WorkedNight[] {
  const nights = comparable(runs).flatMap((run): WorkedNight[] => {
    const completed = run.end?.driven?.completed ?? 0;
    if (run.dryRun || run.end === undefined || completed === 0) return [];
    return [{ run, completed, durationMs: run.end.endedAt - run.startedAt }];
  });
  return nights.slice(0, mostBefore + 1);
}

/**
 * The pace of the nights of a book, and how long its rest takes; undefined if none has completed an account. `runs`: newest first.
 * `hasOthers`: whether runs that chose no supplier may have driven accounts of another.
 */
export function paceOfNights(
  runs: readonly RunEntry[],
  { accounts, partlyRead }: Pick<SupplierOverview, 'accounts' | 'partlyRead'>,
  hasOthers = false,
): NightPace | undefined {
  return paceOf(workedNights(runs), { book: accounts, uncounted: uncountedOf(partlyRead) }, hasOthers);
}

function paceOf(
  [last, ...before]: readonly WorkedNight[],
  { book, uncounted }: Pick<Found, 'book' | 'uncounted'>,
  hasOthers = false,
): NightPace | undefined {
  if (last === undefined) return undefined;
  const isOfAll = ({ run }: WorkedNight): boolean => hasOthers && run.supplier === undefined;
  const nights = before.filter((night) => isOfAll(night) === isOfAll(last));
  const { completed, durationMs } = last;
  const meanOf = (figure: (night: WorkedNight) => number): number =>
    nights.reduce((sum, one) => sum + figure(one), 0) / nights.length;
  const mean = Math.round(meanOf((night) => night.completed));
  const left = unfinishedOf(book) + (uncounted ?? 0);
  const aside = book.rejected + book.uncertain + book.skipped;
  const pace = { completed, durationMs, left, aside, ...(nights.length === 0 ? {} : { before: mean }) };
  if (isOfAll(last)) return { ...pace, isShared: true };
  if (left === 0 || uncounted === null) return pace;
  if (!cutsShort(last.run.end?.reason ?? ''))
    return { ...pace, nightsLeft: Math.ceil(left / completed), nightMs: durationMs };
  if (nights.length === 0) return { ...pace, msLeft: Math.ceil((left / completed) * durationMs) };
  return {
    ...{ ...pace, nightsLeft: Math.ceil(left / Math.max(1, mean)), isOfBefore: true },
    nightMs: Math.round(meanOf((night) => night.durationMs)),
  };
}

/** A run that ends where it was told to has used the time, or the accounts, that it was given. */
function cutsShort(reason: string): boolean {
  const stop = asStopReason(reason);
  return reason !== '' && (stop === undefined || aboutStop(stop).kind !== 'planned');
}
