import type { Clock } from '../../domain/clock.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { dateMovedCode } from '../../domain/shared-codes.ts';
import type { AccountEntry, Journal } from '../../journal/journal.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { printOf } from '../../pipeline/hash.ts';
import type { Cutting } from '../../pipeline/settings.ts';
import { SentBy } from '../../pipeline/steps/sent-by.ts';
import type { AccountReader, AccountRead } from '../../read-back/account-reader.ts';
import { compareAccount } from '../../read-back/compare-account.ts';
import type { Comparison, ReadDifference } from '../../read-back/comparison.ts';
import { expectedAccount, type ExpectedAccount, type Origin } from '../../read-back/expected-account.ts';
import { stopDetail } from '../../report/advice/stop-detail.ts';
import type { ReadingBook } from './reading-book.ts';
import { isCreated, type Chosen } from './selection.ts';

export interface ReadAccountsInput {
  readonly platform: string;
  readonly supplier: string;
  readonly journal: Journal;
  /** The plans of the export. */
  readonly plans: AsyncIterable<AccountPlan>;
  /** The supplier of a plan, where its data names none. */
  readonly supplierOf: (plan: AccountPlan) => Promise<string | undefined>;
  readonly chosen: Chosen;
  readonly reader: AccountReader;
  readonly book: ReadingBook;
  /** How items were divided into requests. */
  readonly cutting: Cutting;
  readonly decimals: number;
  readonly timeZone: string | undefined;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** How long a reading may be behind what was sent, in ms. */
  readonly lagMs: number;
  /** Accounts that are read at the same time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

export interface ReadAccountsListener {
  /** One more account is done. */
  compared(): void;
  difference(plan: AccountPlan, difference: ReadDifference): void;
  remark(plan: AccountPlan, remark: Comparison['remarks'][number]): void;
  hidden(account: string, fields: ReadonlyMap<string, string>): void;
}

export interface ReadAccountsResult {
  readonly population: number;
  readonly chosen: number;
  /** Accounts that were read, now or earlier in the same pass. */
  readonly read: number;
  readonly differ: number;
  /** Accounts of which something, or all, cannot be read. */
  readonly notReadable: number;
  /** Accounts that the export has, and as other data than was sent. */
  readonly changed: number;
  /** Accounts that the export does not have; 0 where reading stopped before its end. */
  readonly notInExport: number;
  /** Accounts that are left where reading stopped before the end; some of them may not be in the export. */
  readonly unread: number;
  readonly differences: number;
  readonly requests: number;
  readonly points: number;
  readonly since: number;
  readonly datesMoved: number;
  readonly notCompared: readonly string[];
  /** Why reading stopped before the end. */
  readonly stopped: 'budget' | 'interrupted' | undefined;
}

/** Reads the chosen accounts of an export back, and compares each with what was sent. Keeps nothing of an account. */
export async function readAccounts(
  input: ReadAccountsInput,
  listener: ReadAccountsListener,
): Promise<ReadAccountsResult> {
  const work = new Work(input, listener);
  await work.all();
  return work.result();
}

class Work {
  readonly #input: ReadAccountsInput;
  readonly #listener: ReadAccountsListener;
  readonly #underWay = new Set<Promise<void>>();
  readonly #notCompared = new Set<string>();
  /** The points of the accounts that are being read, by their numbers. */
  readonly #costs = new Map<string, number>();
  #stopped: ReadAccountsResult['stopped'];
  #failure: unknown;
  readonly #counts = {
    ...{ read: 0, differ: 0, notReadable: 0, whole: 0, differences: 0, changed: 0 },
    ...{ requests: 0, points: 0, since: 0, datesMoved: 0 },
  };

  constructor(input: ReadAccountsInput, listener: ReadAccountsListener) {
    this.#input = input;
    this.#listener = listener;
  }

  async all(): Promise<void> {
    const { plans, chosen, concurrency, signal, book } = this.#input;
    for await (const plan of plans) {
      if (this.#stopped !== undefined || this.#failure !== undefined) break;
      if (!chosen.has(plan.key.account)) continue;
      const entry = await this.#entryOf(plan);
      if (entry === undefined) continue;
      if (signal.aborted) this.#stopped = 'interrupted';
      else if (await book.isEqual(entry)) {
        this.#counts.read += 1;
        this.#listener.compared();
      } else if (!book.hasPoints()) this.#stopped = 'budget';
      else {
        const one = this.#one(plan, entry).catch((error: unknown) => {
          if (signal.aborted) this.#stopped = 'interrupted';
          else this.#failure ??= error;
        });
        this.#underWay.add(one);
        void one.finally(() => this.#underWay.delete(one));
        if (this.#underWay.size >= concurrency) await Promise.race(this.#underWay);
      }
    }
    await Promise.all(this.#underWay);
    if (this.#failure !== undefined) throw this.#failure as Error;
  }

  /** The account in the journal, if it was created from this very data. */
  async #entryOf(plan: AccountPlan): Promise<AccountEntry | undefined> {
    const { journal, platform, supplier, supplierOf } = this.#input;
    if ((await supplierOf(plan)) !== supplier) return undefined;
    const entry = await journal.find(platform, { supplier, account: plan.key.account });
    if (entry === undefined || !isCreated(entry)) return undefined;
    if (entry.planHash === printOf(plan).planHash) return entry;
    this.#counts.changed += 1;
    return undefined;
  }

  async #one(plan: AccountPlan, entry: AccountEntry): Promise<void> {
    const number = entry.krakenAccountNumber ?? '';
    const expected = this.#expected(plan, entry);
    const first = await this.#read(number, expected);
    let comparison = this.#compared(expected, first);
    if (comparison.differences.length > 0) {
      // A server may be behind the others: a difference counts if a second reading has it too, once it can be up to date.
      await this.#upToDate(entry);
      const again = this.#compared(expected, await this.#read(number, expected));
      const seen = new Set(comparison.differences.map(identityOf));
      comparison = { ...again, differences: again.differences.filter((one) => seen.has(identityOf(one))) };
    }
    const { differences, remarks, hidden, notCompared } = comparison;
    const isWhole = !hidden.has('account');
    const counts = this.#counts;
    if (isWhole) counts.read += 1;
    else counts.whole += 1;
    if (differences.length > 0) counts.differ += 1;
    if (hidden.size > 0) counts.notReadable += 1;
    counts.differences += differences.length;
    counts.since += remarks.filter(({ kind }) => kind === 'since').length;
    counts.datesMoved += remarks.filter(({ kind }) => kind === 'moved_date').length;
    for (const field of notCompared) this.#notCompared.add(field);
    for (const difference of differences) this.#listener.difference(plan, difference);
    for (const remark of remarks) this.#listener.remark(plan, remark);
    if (hidden.size > 0) this.#listener.hidden(plan.key.account, hidden);
    const points = this.#costs.get(number) ?? 0;
    this.#costs.delete(number);
    await this.#input.book.note(entry, { differences: differences.length, hidden: hidden.size, points });
    this.#listener.compared();
  }

  /** Waits until a platform that is behind has what was sent last. */
  async #upToDate({ parts }: AccountEntry): Promise<void> {
    const { clock, lagMs, signal } = this.#input;
    const latest = parts.reduce((last, { sentAt, answeredAt = sentAt }) => Math.max(last, answeredAt), 0);
    const wait = Math.min(lagMs, latest + lagMs - clock.now());
    if (wait > 0) await clock.sleep(wait, signal);
  }

  async #read(number: string, expected: ExpectedAccount): Promise<AccountRead> {
    const read = await this.#input.reader.read(number, {
      transactions: expected.transactions.length,
      bills: expected.bills.length,
      paymentInstructions: expected.paymentInstructions.length,
    });
    this.#counts.requests += read.cost.requests;
    this.#counts.points += read.cost.points;
    this.#costs.set(number, (this.#costs.get(number) ?? 0) + read.cost.points);
    if (read.kind !== 'stopped') return read;
    if (this.#input.signal.aborted) throw new CannotStart(exitCodes.stoppedEarly, 'Interrupted.');
    const isKey = read.reason === 'credentials';
    throw new CannotStart(
      isKey ? exitCodes.credentialsRefused : exitCodes.unavailable,
      isKey
        ? stopDetail('credentials', read.detail)
        : `The platform stopped answering while accounts were read back (${read.detail}). Run the same command again: it continues where it stopped.`,
    );
  }

  #expected(plan: AccountPlan, { parts, steps }: AccountEntry): ExpectedAccount {
    const { payload, extras, minorUnits } = plan;
    const datesMoved = parts.some(({ code }) => code === dateMovedCode);
    // Of a step that is not done, each request counts by itself; what is uncertain of it may be missing.
    const sentBy = new SentBy(plan, parts, this.#input.cutting);
    const isThere = (origin: Origin) => sentBy.of(origin)?.state === 'done';
    return expectedAccount({ payload, extras, minorUnits, steps, datesMoved, isThere }, this.#input.decimals);
  }

  #compared(expected: ExpectedAccount, read: AccountRead): Comparison {
    const none = { differences: [], remarks: [], hidden: new Map(), notCompared: new Set<string>() };
    const origin = { step: 'process', path: 'external_account_number', request: 0 } as const;
    if (read.kind === 'no-account')
      return { ...none, differences: [{ field: 'account', kind: 'missing', origin }] };
    if (read.kind === 'stopped') return none;
    return compareAccount(expected, read.account, { timeZone: this.#input.timeZone });
  }

  result(): ReadAccountsResult {
    const { whole, ...counts } = this.#counts;
    const { population, size } = this.#input.chosen;
    const left = Math.max(0, size - counts.read - whole - counts.changed);
    // The export was read to its end, so what is left is not in it.
    const isEnded = this.#stopped === undefined;
    return {
      ...counts,
      population,
      chosen: size,
      ...{ unread: isEnded ? 0 : left, notInExport: isEnded ? left : 0 },
      notCompared: [...this.#notCompared].sort(),
      stopped: this.#stopped,
    };
  }
}

function identityOf({ field, kind, origin }: ReadDifference): string {
  return JSON.stringify([field, kind, origin]);
}
