import type { AccountState } from '../../domain/account-state.ts';
import { isTooMany } from '../../domain/found-pace.ts';
import { stepNames, type StepName } from '../../domain/steps.ts';
import type { AccountEntry, Journal, PartEntry, RecordedProblem } from '../../journal/journal.ts';
import { CommonColumns, type FaultyColumn } from '../failures/common-columns.ts';
import { isTroubled, keepsWarning, warningCodes } from '../listed-part.ts';
import { faultyPlace } from '../problem-list.ts';
import { moneyOf, MoneyTotals } from '../reconciliation/money-totals.ts';
import { Timeline, type TimelineMark } from './timeline.ts';

/** An account that represents others like it. */
export interface ExampleAccount {
  readonly account: string;
  /** The place of the fault: cells of the export, otherwise paths in the payload. */
  readonly places: readonly string[];
}

/** Accounts that did not arrive completely, and have one reason for it; there may be others. */
export interface SurveyedGroup {
  readonly state: AccountState;
  readonly code: string;
  readonly accounts: number;
  readonly examples: readonly ExampleAccount[];
  /** The column of the export that all of them name; absent if there is none. */
  readonly column?: FaultyColumn | undefined;
}

export interface SlowAccount {
  readonly account: string;
  /** The sum of its requests, in ms. */
  readonly tookMs: number;
  readonly requests: number;
  readonly slowestStep: StepName;
}

/** What the journal has of one supplier beyond its counts. None of it grows with the number of accounts. */
export interface Survey {
  readonly timeline: Timeline;
  readonly durations: ReadonlyMap<StepName, Durations>;
  /** The most frequent first. */
  readonly failures: readonly SurveyedGroup[];
  /** The same for warnings, which held nothing back, by code: what the platform changed, and what looks wrong. */
  readonly warnings: readonly SurveyedGroup[];
  /** The number of accounts with warnings. */
  readonly warned: number;
  /** The number of accounts with reasons that are not listed. */
  readonly otherFailures: number;
  /** The slowest first. */
  readonly slowest: readonly SlowAccount[];
  readonly money: MoneyTotals;
  /** An uncertain account, and the step that waits for a ruling. */
  readonly uncertain: { readonly account: string; readonly step: StepName } | undefined;
}

const mostExamples = 3;
const mostPlaces = 2;
const mostSlow = 10;
const mostGroupsListed = 25;
/** A platform that answers with new codes every time must not fill the memory. */
const mostGroups = 1000;
/** Settlements without an answer say nothing about response times. */
const answered = new Set(['ok', 'refused', 'not-found', 'throttled', 'unknown']);

/** The platform took these, whatever it thinks of the data. */
const accepted = new Set(['ok', 'refused', 'not-found']);

/** Reads all accounts of a supplier once. `seen` is called after each, and waited for. */
export async function survey(
  journal: Pick<Journal, 'accounts' | 'attempts' | 'problems'>,
  platform: string,
  supplier: string,
  seen: () => Promise<void> | undefined,
): Promise<Survey> {
  const surveyor = new Surveyor(journal);
  for await (const entry of journal.accounts(platform, supplier)) {
    await surveyor.see(entry);
    await seen();
  }
  return surveyor.result();
}

interface Group extends SurveyedGroup {
  accounts: number;
  readonly examples: ExampleAccount[];
  readonly columns: CommonColumns;
}

class Surveyor {
  readonly #journal: Pick<Journal, 'attempts' | 'problems'>;
  readonly #timeline = new Timeline();
  readonly #durations = new Map(stepNames.map((step) => [step, new Durations()]));
  readonly #groups = new Map<string, Group>();
  readonly #warned = new Map<string, Group>();
  readonly #money = new MoneyTotals();
  #slowest: SlowAccount[] = [];
  #ungrouped = 0;
  #warnedAccounts = 0;
  #uncertain: Survey['uncertain'];

  constructor(journal: Pick<Journal, 'attempts' | 'problems'>) {
    this.#journal = journal;
  }

  async see(entry: AccountEntry): Promise<void> {
    const requests = await this.#requestsOf(entry);
    for (const request of requests) this.#seeRequest(request);
    this.#seePace(entry, requests);
    const { acknowledged, unconfirmed } = moneyOf(entry.parts);
    this.#money.add('acknowledged', acknowledged);
    this.#money.add('unconfirmed', unconfirmed);
    const open = entry.parts.find(({ state }) => state === 'uncertain');
    if (open !== undefined) this.#uncertain ??= { account: entry.key.account, step: open.step };
    await this.#seeProblems(entry);
  }

  async #seeProblems(entry: AccountEntry): Promise<void> {
    const isInTrouble = isTroubled(entry);
    if (!isInTrouble && entry.hasProblems !== true && !entry.parts.some(keepsWarning)) return;
    const problems: RecordedProblem[] = [];
    if (entry.hasProblems === true)
      for await (const problem of this.#journal.problems(entry.id)) problems.push(problem);
    if (isInTrouble) this.#seeTrouble(entry, problems);
    const warnings = warningCodes(entry, problems);
    if (warnings.length > 0) this.#warnedAccounts += 1;
    for (const code of warnings) {
      const found = problems.filter((problem) => problem.isWarning === true && problem.code === code);
      this.#count(this.#warned, { state: entry.state, code }, code, entry, found);
    }
  }

  /** Earlier attempts are read only where there are any. */
  async #requestsOf({ id, parts }: AccountEntry): Promise<readonly PartEntry[]> {
    const isPlain = ({ attempt, outcome }: PartEntry) =>
      attempt === 1 && (outcome === undefined || outcome === 'ok' || outcome === 'refused');
    if (parts.every(isPlain)) return parts;
    const attempts: PartEntry[] = [];
    for await (const attempt of this.#journal.attempts(id)) attempts.push(attempt);
    return attempts;
  }

  #seeRequest({ step, state, sentAt, answeredAt, outcome = '', status }: PartEntry): void {
    if (answeredAt === undefined) return;
    if (isTooMany({ outcome, status })) this.#timeline.add(answeredAt, 'throttled');
    else if (accepted.has(outcome)) this.#timeline.add(answeredAt, 'accepted');
    if (answered.has(outcome)) this.#durations.get(step)?.add(answeredAt - sentAt);
    const mark: TimelineMark | undefined = {
      done: step === 'process' ? ('created' as const) : undefined,
      refused: 'refused' as const,
      failed: 'failed' as const,
      sent: 'unknown' as const,
      uncertain: 'unknown' as const,
    }[state];
    if (mark !== undefined) this.#timeline.add(answeredAt, mark);
  }

  #seePace({ key }: AccountEntry, requests: readonly PartEntry[]): void {
    let tookMs = 0;
    let slowest: { readonly step: StepName; readonly ms: number } | undefined;
    for (const { step, sentAt, answeredAt = sentAt, outcome = '' } of requests) {
      if (!answered.has(outcome)) continue;
      const ms = answeredAt - sentAt;
      tookMs += ms;
      if (slowest === undefined || ms > slowest.ms) slowest = { step, ms };
    }
    const least = this.#slowest.at(-1)?.tookMs ?? 0;
    if (slowest === undefined || (this.#slowest.length === mostSlow && tookMs <= least)) return;
    const slow = { account: key.account, tookMs, requests: requests.length, slowestStep: slowest.step };
    this.#slowest = [...this.#slowest, slow].sort((a, b) => b.tookMs - a.tookMs).slice(0, mostSlow);
  }

  /** Every code of an account counts: each has to be corrected. */
  #seeTrouble(entry: AccountEntry, problems: readonly RecordedProblem[]): void {
    const { state } = entry;
    const errors = problems.filter(({ isWarning }) => isWarning !== true);
    const codes = new Set([entry.code, ...errors.map(({ code }) => code)]);
    if (codes.size > 1) codes.delete('');
    let isGrouped = false;
    for (const code of codes) {
      const found = errors.filter((problem) => problem.code === code);
      isGrouped = this.#count(this.#groups, { state, code }, `${state} ${code}`, entry, found) || isGrouped;
    }
    if (!isGrouped) this.#ungrouped += 1;
  }

  /** Whether there is a group for it. */
  #count(
    groups: Map<string, Group>,
    kind: Pick<Group, 'state' | 'code'>,
    name: string,
    { key }: AccountEntry,
    problems: readonly RecordedProblem[],
  ): boolean {
    const group = groups.get(name) ?? { ...kind, accounts: 0, examples: [], columns: new CommonColumns() };
    if (!groups.has(name) && groups.size === mostGroups) return false;
    groups.set(name, group);
    group.accounts += 1;
    group.columns.see(problems);
    if (group.examples.length === mostExamples) return true;
    const places = [...new Set(problems.map(faultyPlace))].slice(0, mostPlaces);
    group.examples.push({ account: key.account, places });
    return true;
  }

  result(): Survey {
    const groups = [...this.#groups.values()].sort((a, b) => b.accounts - a.accounts);
    const unlisted = groups.slice(mostGroupsListed).reduce((sum, { accounts }) => sum + accounts, 0);
    const warned = [...this.#warned.values()].sort((a, b) => b.accounts - a.accounts);
    return {
      timeline: this.#timeline,
      durations: this.#durations,
      failures: groups.slice(0, mostGroupsListed).map(told),
      warned: this.#warnedAccounts,
      warnings: warned.slice(0, mostGroupsListed).map(told),
      otherFailures: unlisted + this.#ungrouped,
      slowest: this.#slowest,
      money: this.#money,
      uncertain: this.#uncertain,
    };
  }
}

function told({ columns, ...group }: Group): SurveyedGroup {
  return { ...group, column: columns.only };
}

/**
 * A distribution of durations; its memory does not grow with their number. Long durations are kept to three digits.
 */
export class Durations {
  readonly #counts = new Map<number, number>();
  #total = 0;

  /** In milliseconds. */
  add(ms: number): void {
    const kept = ms < 1000 ? ms : Number(ms.toPrecision(3));
    this.#counts.set(kept, (this.#counts.get(kept) ?? 0) + 1);
    this.#total += 1;
  }

  get count(): number {
    return this.#total;
  }

  /** The time in ms within which this share (0 to 1) of all ended; 0 if there are none. */
  within(share: number): number {
    let left = Math.ceil(this.#total * share);
    for (const [ms, count] of [...this.#counts].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return ms;
    }
    return 0;
  }
}
