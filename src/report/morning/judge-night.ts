import {
  uncountedOf,
  unfinishedOf,
  zeroCounts,
  accountStates,
  type AccountCounts,
} from '../../domain/account-state.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { continuedRun, hasRefusals } from '../advice/of-book.ts';
import type { NightReason } from '../advice/night-reason.ts';
import { isNightReason } from '../advice/remedies.ts';
import { asStopReason, endedWell } from '../../domain/stop-reason.ts';
import type { RunEntry, SupplierOverview } from '../../journal/journal.ts';
import { differences, isKnown, readOthers, type Differences } from '../last-run/compare-runs.ts';
import { isOfBook } from '../last-run/same-book.ts';
import { isRehearsal } from '../rehearsals.ts';
import { runElsewhere } from './changed-platform.ts';
import { isMissed, mostSkewMs } from './missed-night.ts';
import { outageMet } from './met-outage.ts';
import { olderExport } from './older-export.ts';
import { earlierPace, hasDoneNothing, paceOf, workedNights } from './pace-of-nights.ts';
import { unknownCodesIn } from '../failures/failure-groups.ts';
import { isFullDisk, lackOfRoom, leftToRecord } from '../journal-room.ts';
import { withoutSupplierIn } from '../without-supplier.ts';
import type { NightFacts, NightVerdict } from './verdict.ts';

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
  const ofWorked = paceOf(workedNights(ofPlatform), found, facts.hasOthers);
  const pace = ofWorked && last && hasDoneNothing(last) ? earlierPace(ofWorked) : ofWorked;
  const { reason, good } = reasonOf(facts, last, found);
  return {
    ...found,
    ...(pace === undefined ? {} : { pace }),
    ...{ good, reason, exit: good ? exitCodes.done : exitOf(reason, last) },
    detail: detailOf(reason, last),
  };
}

/** What the run recorded of the reason. */
function detailOf(reason: NightReason, last: RunEntry | undefined): string {
  if (last?.end?.reason === reason) return last.end.detail ?? '';
  return reason === 'unavailable' && last !== undefined ? outageMet(last) : '';
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
    return { continues: last !== undefined && readOthers(last) ? continuedRun(runs) : last, leftToo: [] };
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
  const real = runsOfNights(runs);
  return real.find(({ end }) => end?.reason !== 'held') ?? real[0];
}

/** Without dry runs, and without the rehearsals that a person started beside a platform. */
function runsOfNights(runs: readonly RunEntry[]): readonly RunEntry[] {
  const hasPlatform = runs.some((run) => !run.dryRun && !isRehearsal(run));
  const isMeantSo = (run: RunEntry): boolean =>
    hasPlatform && isRehearsal(run) && run.facts?.unattended === false;
  return runs.filter((run) => !run.dryRun && !isMeantSo(run));
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
  if (found.ahead?.id !== last.id && isMissed(runsOfNights(runs), now, found)) return bad('no-night');
  const stopped = asStopReason(end.reason);
  if (end.reason !== '' && !endedWell(end.exit, stopped))
    return bad(isNightReason(end.reason) ? end.reason : 'broke-off');
  if (outageMet(last) !== '') return bad('unavailable');
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
  unavailable: exitCodes.unavailable,
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
