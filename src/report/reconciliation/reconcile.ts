import { createHash } from 'node:crypto';
import { zeroCounts, type AccountCounts } from '../../domain/account-state.ts';
import { readMoney, writeMoney } from '../../domain/money.ts';
import type { Problem } from '../../domain/problem.ts';
import { isCorrected } from '../../domain/corrected.ts';
import { changedAfterImport, dateMovedCode, noLongerInExport } from '../../domain/shared-codes.ts';
import type { AccountEntry, PartlyRead, RecordedProblem } from '../../journal/journal.ts';
import { isStagedByDryRun } from '../state-table.ts';
import { differencesOf, sharedNumber, type Difference, type DifferenceCode } from './differences.ts';
import {
  joined,
  type JoinedAccount,
  type PlatformListing,
  type Sides,
  type SourceAccount,
} from './joined.ts';
import { MissingTotals, type MissingMoney } from './missing-money.ts';
import { moneyOf, MoneyTotals, underKindsOf } from './money-totals.ts';

export interface ReconcileInput {
  readonly supplier: string;
  /** The journal's key of the platform. */
  readonly platform: string;
  readonly sides: Sides;
  /** Absolute paths of the export and the `--with` directories; absent if no export was given. */
  readonly places?: readonly string[];
  /** Rows of the export that cannot be attributed to an account; absent if no export was given. */
  readonly unreadable?: readonly Problem[] | undefined;
  /** Exports that no run has read to their end. */
  readonly partlyRead: readonly PartlyRead[];
  /** Whether another account of the platform has this one's number in the journal. */
  sharesNumber(entry: AccountEntry): Promise<boolean>;
  /**
   * Asks the platform about an account that was created, and that its list lacks or has without a number: a list may be
   * behind. undefined if the platform does not say that the account exists.
   */
  askedOf(entry: AccountEntry): Promise<PlatformListing | undefined>;
  problemsOf(accountId: number): AsyncIterable<RecordedProblem>;
  /** Whether a fix from another export replaced the data that the export has of the account. */
  isSuperseded(entry: AccountEntry, source: SourceAccount): Promise<boolean>;
}

/** What is reported during the comparison. */
export interface ReconcileListener {
  /** One more account has been compared. */
  compared(account: JoinedAccount): void;
  difference(account: JoinedAccount, difference: Difference): void;
  unreadable(problem: Problem): void;
  notCounted(partlyRead: PartlyRead): void;
  /**
   * It is not known to have been created, and its export no longer has it: reported, but not a difference.
   */
  absent(account: AccountEntry): void;
  /** The place is absent if a later run has forgotten it. */
  dateMoved(account: string, place?: RecordedProblem): void;
}

/** What a comparison came to. */
export interface Reconciled {
  readonly source?: SideCounts | undefined;
  readonly journal: SideCounts;
  readonly platform: SideCounts;
  /** The journal's accounts by state. */
  readonly states: AccountCounts;
  readonly differences: ReadonlyMap<DifferenceCode, number>;
  readonly datesMoved: number;
  /** Accounts that were never created, and that their export does not have any more. */
  readonly absent: number;
  /** Accounts of the export that a person has corrected on the platform by hand: what was sent of them is compared. */
  readonly corrected: number;
  /** Of the journal's pending accounts, those that a dry run staged on the platform. */
  readonly stagedByDryRun: number;
  readonly money: MoneyTotals;
  /** What of the export's money the platform has not acknowledged; nothing if no export was given. */
  readonly missing: readonly MissingMoney[];
  /** SHA-256 over supplier, platform and the digests of the sides: equal for equal inputs, whoever compares. */
  readonly digest: string;
}

/**
 * Compares what the export, the journal and the platform have of one supplier, account by account. Nothing is kept of
 * an account that was compared, so memory stays flat.
 */
export async function reconcile(input: ReconcileInput, listener: ReconcileListener): Promise<Reconciled> {
  const comparison = new Comparison(input, listener);
  for await (const account of joined(input.sides)) await comparison.compare(account);
  return comparison.end();
}

class Comparison {
  readonly #input: ReconcileInput;
  readonly #listener: ReconcileListener;
  readonly #source = new SideTally();
  readonly #journal = new SideTally();
  readonly #platform = new SideTally();
  readonly #states = zeroCounts();
  readonly #money = new MoneyTotals();
  readonly #missing = new MissingTotals();
  readonly #differences = new Map<DifferenceCode, number>();
  #datesMoved = 0;
  #absent = 0;
  #corrected = 0;
  #stagedByDryRun = 0;

  constructor(input: ReconcileInput, listener: ReconcileListener) {
    this.#input = input;
    this.#listener = listener;
    for (const problem of input.unreadable ?? []) {
      this.#source.note(problem.code, problem.cell?.file, problem.cell?.line);
      this.#count('unreadable');
      listener.unreadable(problem);
    }
    for (const read of input.partlyRead) {
      if (input.places?.includes(read.place) === true) continue;
      this.#count('not_counted');
      listener.notCounted(read);
    }
  }

  async compare(found: JoinedAccount): Promise<void> {
    const joined = await this.#completed(found);
    const { account, listed, entry } = joined;
    const source = await this.#meant(joined);
    for (const { krakenAccountNumber: number, createdAt } of listed)
      this.#platform.account(number !== undefined, account, number, createdAt);
    if (source !== undefined) {
      const isImported = listed.some(({ krakenAccountNumber }) => krakenAccountNumber !== undefined);
      this.#source.account(isImported, account, source.planHash, source.money);
      this.#money.add('source', readMoney(source.money));
    }
    const problems = await this.#problemsOf(entry);
    const money = underKindsOf(readMoney(source?.money), moneyOf(entry?.parts ?? []));
    if (source !== undefined) this.#missing.add(entry, readMoney(source.money), money.acknowledged);
    if (entry !== undefined) {
      this.#seeEntry(entry);
      this.#money.add('acknowledged', money.acknowledged);
      this.#money.add('unconfirmed', money.unconfirmed);
      this.#tellMovedDates(entry, problems);
    }
    const seen = {
      ...joined,
      source,
      entry: entry && this.#inItsExport(entry, source !== undefined),
    };
    if (seen.entry?.isAbsent === true && entry?.steps.process !== 'done') {
      this.#absent += 1;
      this.#listener.absent(seen.entry);
    }
    const left = problems.filter(({ code }) => code === noLongerInExport);
    const leftBehind = new Set(left.flatMap(({ step = [] }) => step));
    const changed = problems.filter(({ code }) => code === changedAfterImport);
    const hasSource = this.#input.unreadable !== undefined;
    const differences = [...differencesOf(seen, { money, changed, leftBehind, hasSource })];
    if (entry !== undefined && (await this.#input.sharesNumber(entry))) differences.push(sharedNumber(entry));
    for (const difference of differences) {
      this.#count(difference.code);
      this.#listener.difference(joined, difference);
    }
    this.#listener.compared(joined);
  }

  /** The account as the platform has it, where its list does not show it as created. */
  async #completed(joined: JoinedAccount): Promise<JoinedAccount> {
    const { entry, listed } = joined;
    const isShown = listed.some(({ krakenAccountNumber }) => krakenAccountNumber !== undefined);
    if (isShown || entry?.steps.process !== 'done') return joined;
    const asked = await this.#input.askedOf(entry);
    return asked === undefined ? joined : { ...joined, listed: [asked] };
  }

  /** What the export has, or the fix or the person's work that took its place: as it was sent. */
  async #meant({ entry, source }: JoinedAccount): Promise<SourceAccount | undefined> {
    if (source === undefined || entry?.planHash === undefined) return source;
    if (isCorrected(entry, source.planHash)) this.#corrected += 1;
    else if (!(await this.#input.isSuperseded(entry, source))) return source;
    const { acknowledged } = moneyOf(entry.parts);
    const money = acknowledged === undefined ? undefined : writeMoney(acknowledged);
    return { planHash: entry.planHash, money };
  }

  /** The entry as a run that reads the export now would have it: without the account, or with it again. */
  #inItsExport({ isAbsent, ...entry }: AccountEntry, isInSource: boolean): AccountEntry {
    if (isInSource) return entry;
    const { unreadable, places } = this.#input;
    const isGone =
      entry.from !== undefined && places?.includes(entry.from) === true && unreadable?.length === 0;
    return isGone || isAbsent === true ? { ...entry, isAbsent: true } : entry;
  }

  #seeEntry(entry: AccountEntry): void {
    const { key, state, code, krakenAccountNumber, steps, parts } = entry;
    if (isStagedByDryRun(entry) && entry.isAbsent !== true) this.#stagedByDryRun += 1;
    this.#states[state] += 1;
    const sent = parts.map(({ step, part, state, hash, money }) => [step, part, state, hash, money]);
    this.#journal.account(steps.process === 'done', key.account, state, code, krakenAccountNumber, sent);
  }

  async #problemsOf(entry: AccountEntry | undefined): Promise<readonly RecordedProblem[]> {
    if (entry?.hasProblems !== true) return [];
    const problems: RecordedProblem[] = [];
    for await (const problem of this.#input.problemsOf(entry.id)) problems.push(problem);
    return problems;
  }

  #tellMovedDates({ key, parts }: AccountEntry, problems: readonly RecordedProblem[]): void {
    if (!parts.some(({ code }) => code === dateMovedCode)) return;
    const places = problems.filter(({ code }) => code === dateMovedCode);
    for (const place of places.length === 0 ? [undefined] : places) {
      this.#datesMoved += 1;
      this.#listener.dateMoved(key.account, place);
    }
  }

  #count(code: DifferenceCode): void {
    this.#differences.set(code, (this.#differences.get(code) ?? 0) + 1);
  }

  end(): Reconciled {
    const { supplier, platform, unreadable } = this.#input;
    const sides = { journal: this.#journal.end(), platform: this.#platform.end() };
    const source = unreadable === undefined ? undefined : this.#source.end();
    const digests = [source?.digest, sides.journal.digest, sides.platform.digest];
    const inputs = JSON.stringify([supplier, platform, ...digests]);
    return {
      ...sides,
      source,
      states: this.#states,
      differences: this.#differences,
      datesMoved: this.#datesMoved,
      absent: this.#absent,
      corrected: this.#corrected,
      stagedByDryRun: this.#stagedByDryRun,
      money: this.#money,
      missing: this.#missing.groups,
      digest: createHash('sha256').update(inputs).digest('hex'),
    };
  }
}

/** What was compared of one side. */
interface SideCounts {
  readonly accounts: number;
  /** Of the source: those of its accounts that the platform has created. */
  readonly imported: number;
  /** SHA-256 of all that was compared, in hexadecimal. */
  readonly digest: string;
}

/** Counts one side and takes its digest; it receives the accounts of a side in their order. */
class SideTally {
  readonly #hash = createHash('sha256');
  #accounts = 0;
  #imported = 0;

  account(isImported: boolean, ...content: readonly unknown[]): void {
    this.#accounts += 1;
    if (isImported) this.#imported += 1;
    this.note(...content);
  }

  /** Something that is not an account. */
  note(...content: readonly unknown[]): void {
    this.#hash.update(`${JSON.stringify(content)}\n`);
  }

  /** Call once. */
  end(): SideCounts {
    return { accounts: this.#accounts, imported: this.#imported, digest: this.#hash.digest('hex') };
  }
}
