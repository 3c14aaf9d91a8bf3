import { unfinishedOf, withUncounted } from '../../domain/account-state.ts';
import type { Outstanding } from '../advice/outstanding.ts';
import { leftOutIn, remedyOf, whoIn } from '../advice/remedies.ts';
import { whoActs } from '../advice/remedy.ts';
import { recordedDetail } from '../advice/stop-detail.ts';
import { flagsOfBook } from '../advice/of-book.ts';
import { directoryOf, directoryText } from '../advice/run-directory.ts';
import { commandsAt } from '../advice/commands.ts';
import { quoted, type GivenFlags } from '../command-line.ts';
import { counted, formatCount, formatDuration, formatShare, formatTime, inSentence } from '../format.ts';
import { paragraph } from '../paragraph.ts';
import type { Page } from '../terminal.ts';
import { unknownCodesIn } from '../failures/failure-groups.ts';
import { differencesText, sameExportText } from '../last-run/differences-text.ts';
import { failureRecord, failureTexts } from '../failures/failures-text.ts';
import { causeOf, whoseFault } from '../failures/causes.ts';
import { warnedText } from '../failures/warned-accounts.ts';
import { lackText } from '../journal-room.ts';
import { howStopped, whetherPlanned } from '../how-stopped.ts';
import { waitText } from '../advice/can-wait.ts';
import { activeText } from '../run-state.ts';
import { withoutSupplierText } from '../without-supplier.ts';
import { doubtTexts } from './doubt-texts.ts';
import type { NightPace } from './pace-of-nights.ts';
import type { NightVerdict } from './verdict.ts';

/** What the suggested command needs. */
export interface MorningFlags extends GivenFlags {
  readonly supplier?: string | undefined;
  /** The flags of settings and journal as text, if they are not among the others. */
  readonly text?: string;
  /** The working directory of whoever reads it; absent if that is not known. */
  readonly here?: string;
}

/** Groups of failures that are told to people, and to programs. */
const mostTold = 3;
const mostInJson = 20;

/** For programs: the fields of the summary of `morning`. */
export function morningSummary(verdict: NightVerdict, flags: MorningFlags = {}): object {
  const { good, reason, detail, run, book, uncounted, lost, doubled, uncertain, pace, isRehearsal } = verdict;
  const { unanswered, strayRows } = verdict;
  const first = firstOf({ ...verdict, detail: '' }, flags);
  return {
    ...{ good, reason, lost, doubled, uncertain, unanswered, strayRows },
    next: nextCommand(verdict, flags),
    first: first === '' ? null : first,
    who: whoIn(remedyOf(reason), leftOfNight(verdict, flags)),
    canWait: remedyOf(reason).urgent === undefined,
    detail: detail === '' ? null : detail,
    ...runRecord(run),
    rehearsal: isRehearsal,
    accounts: withUncounted(book, uncounted),
    withoutSupplier: verdict.withoutSupplier?.accounts ?? 0,
    warned:
      verdict.warned === undefined
        ? null
        : { accounts: verdict.warned.accounts, byCode: Object.fromEntries(verdict.warned.byCode) },
    failures: verdict.failures.slice(0, mostInJson).map(failureRecord),
    different: verdict.differences === undefined ? null : (differencesText(verdict.differences)[0] ?? null),
    pace: pace ?? null,
    disk: verdict.lackOfRoom ?? null,
  };
}

function runRecord(run: NightVerdict['run']): object {
  if (run === undefined)
    return { run: null, startedAt: null, endedAt: null, runExit: null, platform: null, profile: null };
  const { id, startedAt, end, platformLabel, facts } = run;
  return {
    run: id,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: end === undefined ? null : new Date(end.endedAt).toISOString(),
    runExit: end?.exit ?? null,
    platform: platformLabel,
    profile: facts?.profile ?? null,
  };
}

/** Whether the night was good, why not, whether a stop was planned, and whether it can wait. */
export function morningHeadline({ good, reason, isRehearsedOnly, run, of }: NightVerdict): string {
  const { words, urgent } = remedyOf(reason);
  const kind = isRehearsedOnly ? 'rehearsal' : 'night';
  if (reason === 'running')
    return `The ${kind} is not over: ${run?.stopping === undefined ? words : 'its run is stopping'}.`;
  const whose = good || of === undefined ? '' : ` for ${of.supplier}`;
  return `${good ? 'A good' : 'Not a good'} ${kind}${whose}: ${words}${whetherPlanned(reason)}. ${waitText(urgent, good)}`;
}

/** The answers for whoever is on call: sentences, in their order, without the next command. */
export function morningAnswers(verdict: NightVerdict, timeZone: string, flags: MorningFlags = {}): string[] {
  const { reason, detail, run } = verdict;
  const about = decidingIn(verdict);
  const first = firstOf(verdict);
  const { list, validate } = commandsAt(leftOfNight(verdict, flags).place);
  const said = recordedDetail(reason, detail);
  return [
    ...(run === undefined ? [] : [runText(run, timeZone, reason === 'running')]),
    ...(said === '' || run?.end?.reason !== reason ? stoppedText(run) : []),
    ...(said === '' ? [] : [`The run said: ${said}`]),
    ...doubtTexts(verdict, validate),
    ...bookText(verdict),
    ...elsewhereText(verdict),
    ...othersText(verdict, flags),
    ...warnedText(about.warned, list),
    ...failureTexts(about.failures, mostTold, list),
    ...olderText(verdict, timeZone),
    ...clockText(verdict, timeZone),
    ...differentText(verdict, timeZone),
    ...roomText(verdict),
    ...(first === '' ? [] : [first]),
    ...casesOf(verdict, flags),
    ...whoMustAct(verdict, flags),
    ...leftOutOf(verdict, flags),
    ...directoryIn(verdict, flags),
  ];
}

/** Where to type the next command. */
function directoryIn({ continues }: NightVerdict, { here }: MorningFlags): readonly string[] {
  const told = directoryText(continues && directoryOf([continues]), here);
  return told === '' ? [] : [told];
}

/** Commands that are right in one case only, each after its case. */
function casesOf(verdict: NightVerdict, flags: MorningFlags): readonly string[] {
  return remedyOf(verdict.reason)
    .commands(leftOfNight(verdict, flags))
    .flatMap(({ when, command }) => (when === undefined ? [] : [`${when} \`${command}\`.`]));
}

/** What was changed before the night may be why it is not good. */
function differentText({ good, reason, differences }: NightVerdict, timeZone: string): readonly string[] {
  return good || reason === 'running' || differences === undefined
    ? []
    : differencesText(differences, timeZone);
}

function clockText({ ahead, run }: NightVerdict, timeZone: string): readonly string[] {
  if (ahead === undefined || run === undefined) return [];
  const at = formatTime(ahead.startedAt, timeZone);
  return ahead.id === run.id
    ? [
        `By its clock, run ${run.id} began at ${at}, which is not yet: that clock was ahead, or the clock of this machine is behind.`,
      ]
    : [`By their clocks, run ${ahead.id} began at ${at}, and run ${run.id} after it began earlier.`];
}

function olderText({ older }: NightVerdict, timeZone: string): readonly string[] {
  return older === undefined ? [] : [sameExportText(older.of, older.since, timeZone)];
}

function roomText({ lackOfRoom, reason }: NightVerdict): readonly string[] {
  // The advice is the same.
  if (lackOfRoom === undefined || reason === 'disk-full') return [];
  return [`${inSentence(lackText(lackOfRoom))}. Free space before the next run.`];
}

/** Where accounts were refused or failed, their causes say who; nothing where it is whoever runs the tool. */
function whoMustAct(verdict: NightVerdict, flags: MorningFlags): readonly string[] {
  const { good, reason } = verdict;
  const { failures } = decidingIn(verdict);
  if (good) return [];
  const all =
    reason === 'max-failures'
      ? failures.map(({ state, code }) => whoseFault(state, code))
      : failures.filter(({ state }) => state === reason).map(({ state, code }) => causeOf(state, code).who);
  const first = all.length === 0 ? [whoIn(remedyOf(reason), leftOfNight(verdict, flags))] : all;
  // Somebody has to start the next run.
  const runs = unfinishedOf(decidingIn(verdict).book) > 0 && first.includes('data') ? ['us' as const] : [];
  const who = [...new Set([...first, ...runs])];
  return who.every((one) => one === 'us')
    ? []
    : [`Who must act: ${who.map((one) => whoActs[one]).join(', ')}.`];
}

/** The same with the headline and the next command on a line of its own, for a terminal. */
export function morningText(page: Page, verdict: NightVerdict, flags: MorningFlags = {}): string {
  return [
    page.paint.bold(paragraph(page, morningHeadline(verdict), '')),
    ...morningAnswers(verdict, page.timeZone, flags).map((line) => paragraph(page, line)),
    '',
    `  ${nextCommand(verdict, flags)}`,
  ].join('\n');
}

/** A night may be judged by something else than the stop of its run. */
function stoppedText(run: NightVerdict['run']): readonly string[] {
  const told = run === undefined ? '' : howStopped(run);
  return told === '' ? [] : [told];
}

function runText(run: NonNullable<NightVerdict['run']>, timeZone: string, isActive: boolean): string {
  const { id, startedAt, end, platformLabel, facts } = run;
  const profile = facts?.profile === undefined ? '' : `, profile ${facts.profile}`;
  const place = platformLabel === 'embedded' ? 'the embedded platform' : platformLabel;
  if (isActive) return `Run ${id} on ${place}${profile} ${activeText(run, timeZone)}.`;
  const ended =
    end === undefined
      ? 'and has no end'
      : `and ended at ${formatTime(end.endedAt, timeZone)} with exit code ${end.exit}`;
  return `Run ${id} on ${place}${profile} began at ${formatTime(startedAt, timeZone)} (${timeZone}) ${ended}.`;
}

function bookText({ book, uncounted, withoutSupplier, pace, of }: NightVerdict): string[] {
  const { total: named, completed } = withUncounted(book, uncounted);
  const total = named + (withoutSupplier?.accounts ?? 0);
  if (total === 0 && uncounted !== null) return [];
  const size = uncounted === null ? `at least ${formatCount(total)}` : formatCount(total);
  const share = uncounted === null || total === 0 ? '' : ` (${formatShare(completed, total)})`;
  const others = (['rejected', 'failed', 'uncertain', 'skipped'] as const)
    .filter((state) => book[state] > 0)
    .map((state) => `, ${formatCount(book[state])} ${state}`);
  const unnamed = withoutSupplier === undefined ? '' : ` ${withoutSupplierText(withoutSupplier)}`;
  const are = completed === 1 ? 'is' : 'are';
  const line = `Of ${size} ${total === 1 ? 'account' : 'accounts'}, ${formatCount(completed)} ${are} complete${share}${others.join('')}.${unnamed}`;
  return pace === undefined ? [line] : [line, paceText(pace, of?.supplier)];
}

/** How the nights of the other suppliers went, and what comes next where something does. */
function othersText({ others = [] }: NightVerdict, flags: MorningFlags): string[] {
  return others.map(({ supplier, verdict }) => {
    const { good, reason, book, uncounted, run, continues } = verdict;
    const { total, completed } = withUncounted(book, uncounted);
    const size = uncounted === null ? `at least ${formatCount(total)}` : formatCount(total);
    const how = reason === 'running' ? '' : good ? 'a good night: ' : 'not a good night: ';
    const told = `${supplier}: ${how}${remedyOf(reason).words} (run ${run?.id ?? 0}); ${formatCount(completed)} of ${size} complete.`;
    const { text, here: _here, supplier: _supplier, ...given } = flags;
    const ofBook = text ?? flagsOfBook(given, continues === undefined ? [] : [continues]);
    const isDone = good && completed === total && uncounted === 0;
    return isDone
      ? told
      : `${told} What comes next: \`migrate morning --supplier ${quoted(supplier)}${ofBook}\`.`;
  });
}

/** The night that decides: that of one of several suppliers, where they have runs of their own. */
function decidingIn(verdict: NightVerdict): NightVerdict {
  return verdict.of?.verdict ?? verdict;
}

/** Accounts of the same suppliers on another platform are in none of the counts. */
function elsewhereText({ elsewhere, before }: NightVerdict): string[] {
  return elsewhere.map(({ platform, platformLabel, supplier, accounts, absent }) => {
    const { total } = withUncounted(accounts, 0);
    const run = before?.platform === platform ? `; run ${before.id} was there` : '';
    const left = [
      [unfinishedOf(accounts), 'of them to do'],
      [accounts.uncertain, 'uncertain'],
      [accounts.rejected, 'rejected'],
      [absent, 'gone from the export before they were created'],
    ] as const;
    const told = left.flatMap(([count, what]) => (count === 0 ? [] : [`${formatCount(count)} ${what}`]));
    const what = told.length === 0 ? 'none of them to do' : told.join(', ');
    const how =
      accounts.uncertain === 0
        ? ''
        : ' To rule on them, name that platform with --profile or MIGRATE_BASE_URL.';
    return `The journal also has ${counted(total, 'account')} of ${supplier} on ${platformLabel}, ${what}${run}.${how}`;
  });
}

/** What the last night achieved beside those before it, and how long the rest takes. `supplier`: whose it is, of several. */
export function paceText(pace: NightPace, supplier?: string): string {
  const { completed, durationMs, before, isShared = false, isEarlier = false } = pace;
  const others = before === undefined ? '' : `; the runs before completed ${formatCount(before)} on average`;
  const whose = supplier === undefined ? '' : ` of ${supplier}`;
  const had = isEarlier
    ? `The last run${whose} completed no account; the one before that`
    : `The last run${whose} that had work`;
  const last = `${had} completed ${counted(completed, 'account')}${isShared ? ' of all its suppliers' : ''} in ${formatDuration(durationMs)}${others}.`;
  return [last, ...nightsLeftText(pace)].join(' ');
}

/** A shorter run is called no night. */
const shortestNightMs = 30 * 60_000;

/** How long the rest takes, in one sentence; nothing if that is not known. */
export function nightsLeftText(pace?: NightPace): readonly string[] {
  if (pace === undefined) return [];
  const { nightsLeft, nightMs = 0, isOfBefore, msLeft, left, aside } = pace;
  const start = isOfBefore === true ? 'At the pace of the runs before,' : 'At this pace,';
  const what = `${start} the ${counted(left, 'account')} to do ${left === 1 ? 'takes' : 'take'}`;
  const without =
    aside === 0
      ? ''
      : `, without the ${formatCount(aside)} that ${aside === 1 ? 'is' : 'are'} rejected, uncertain or skipped`;
  if (nightsLeft !== undefined) {
    const each = nightMs < shortestNightMs ? 'more run' : 'more night';
    return [`${what} ${counted(nightsLeft, each)} of ${formatDuration(nightMs)}${without}.`];
  }
  return msLeft === undefined ? [] : [`${what} ${formatDuration(msLeft)} more${without}.`];
}

/** The last lines of `status`: how far the book is, and the next command on a line of its own. */
export function statusEnd(page: Page, verdict: NightVerdict, flags: MorningFlags = {}): string[] {
  const { book, uncounted, withoutSupplier } = verdict;
  const { total: named, completed } = withUncounted(book, uncounted);
  const total = named + (withoutSupplier?.accounts ?? 0);
  const isKnown = uncounted !== null && total > 0;
  const share = isKnown ? ` (${formatShare(completed, total)})` : '';
  const size = uncounted === null ? `at least ${formatCount(total)}` : formatCount(total);
  return [
    page.paint.bold(
      `${formatCount(completed)} of ${size} ${total === 1 ? 'account is' : 'accounts are'} complete${share}. Next:`,
    ),
    `  ${nextCommand(verdict, flags)}`,
  ];
}

/** The one command that comes next. */
export function nextCommand(verdict: NightVerdict, flags: MorningFlags = {}): string {
  return remedyOf(verdict.reason).commands(leftOfNight(verdict, flags))[0]?.command ?? '';
}

/** What comes before it, in sentences; '' if nothing does, or if the run's own words said it. */
function firstOf(verdict: NightVerdict, flags: MorningFlags = {}): string {
  return inSentence(remedyOf(verdict.reason).advice(leftOfNight(verdict, flags)));
}

/** What the next command leaves out of that of the night. */
function leftOutOf(verdict: NightVerdict, flags: MorningFlags): readonly string[] {
  const left = leftOfNight(verdict, flags);
  const told = leftOutIn(remedyOf(verdict.reason).commands(left).slice(0, 1), left);
  return told === '' ? [] : [told];
}

/** The supplier of the run, where the journal has no other. */
function ofOne({ suppliers, run }: NightVerdict): string | undefined {
  return suppliers.length > 1 ? undefined : run?.supplier;
}

function leftOfNight(whole: NightVerdict, flags: MorningFlags): Outstanding {
  const verdict = decidingIn(whole);
  const { reason, detail, book, changed, alreadyHeld, refusedData, lost, doubled } = verdict;
  const { failures, isRefusedThere, isProved, isCompared, continues } = verdict;
  const { supplier = whole.of?.supplier ?? ofOne(verdict), text, here: _here, ...given } = flags;
  return {
    place: {
      source: continues?.export ?? '',
      supplier,
      among: verdict.suppliers,
      ofRun: supplier === undefined ? continues?.supplier : undefined,
      leftToo: verdict.leftToo,
      options: continues?.facts?.typed,
      flags: text ?? flagsOfBook(given, continues === undefined ? [] : [continues]),
    },
    ...{ accounts: book, changed, alreadyHeld, refusedData, lost, doubled },
    ...{ causes: failures, isRefusedThere, isProved, isCompared, withoutSupplier: verdict.withoutSupplier },
    unknownCodes: unknownCodesIn(verdict.failures),
    ruledNotOurs: verdict.ruledNotOurs,
    faults: null,
    isPartlyRead: verdict.uncounted !== 0,
    stop: { reason, detail: recordedDetail(reason, detail) },
  };
}
