import type { PlatformClient } from '../../client/platform-client.ts';
import type { Clock } from '../../domain/clock.ts';
import { notOurs } from '../../domain/shared-codes.ts';
import type { AccountEntry, Journal, PartEntry } from '../../journal/journal.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { codeOfSeen, partsInDoubt } from '../../pipeline/account/ask-by-reading.ts';
import type { FoundByReading, ReadingWay, SentItems } from '../../pipeline/account/by-reading.ts';
import { readOutcome } from '../../pipeline/account/open-attempts.ts';
import { takeDown, type Ruler, type RulingOnParts } from '../../pipeline/account/rulings.ts';
import { wasCreatedFrom } from '../../pipeline/account/standing.ts';
import { WaitQueue } from '../../pipeline/flow/wait-queue.ts';
import { printOf } from '../../pipeline/hash.ts';
import { atRest, type QuietPeriod } from '../../pipeline/request/quiet-period.ts';
import { pause } from '../../pipeline/request/retry.ts';
import type { Cutting } from '../../pipeline/settings.ts';
import { SentBy } from '../../pipeline/steps/sent-by.ts';
import type { FindByReading } from './find-by-reading.ts';

export interface SettleInput {
  readonly platform: string;
  readonly supplier: string;
  readonly journal: Journal;
  /** The plans of the export. */
  readonly plans: AsyncIterable<AccountPlan>;
  /** The supplier of a plan, where its data names none. */
  readonly supplierOf: (plan: AccountPlan) => Promise<string | undefined>;
  /** Whether an account is to be settled, by its external account number. */
  readonly isChosen: (account: string) => boolean;
  readonly cutting: Cutting;
  readonly reader: FindByReading;
  readonly client: PlatformClient;
  /** The account's number as the platform has it now. */
  readonly numberOf: (plan: AccountPlan) => Promise<string | undefined>;
  /** How long to wait before a question is asked again, in ms; `tries` from 1. */
  readonly waitMs: (tries: number, askedMs: number | undefined) => number;
  readonly quiet: QuietPeriod;
  readonly clock: Clock;
  /** Accounts of which something is asked at the same time; those that only wait are more. */
  readonly concurrency: number;
  readonly ruler: Ruler;
  /** Nothing is recorded. */
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

/** Called for each request that was asked about. */
export type HearSettled = (plan: AccountPlan, found: FoundByReading, sentBy: SentItems) => void;

export interface SettleResult {
  /** Accounts that were asked about. */
  readonly accounts: number;
  /** Requests, by what reading showed. */
  readonly done: number;
  readonly doubled: number;
  readonly repeat: number;
  readonly uncertain: number;
}

/** Accounts that wait for a second reading at the same time: each keeps its data in memory. */
const mostWaiting = 200;

/** Finds out by reading what became of everything that is uncertain of a supplier, and records it as a ruling. Requires its lease. */
export async function settleAccounts(input: SettleInput, hear: HearSettled): Promise<SettleResult> {
  const work = new Settling(input, hear);
  await work.all();
  return work.counts;
}

class Settling {
  readonly counts = { accounts: 0, done: 0, doubled: 0, repeat: 0, uncertain: 0 };
  readonly #input: SettleInput;
  readonly #hear: HearSettled;
  readonly #underWay = new Set<Promise<void>>();
  /** Who waits to ask. */
  readonly #line = new WaitQueue();
  #asking = 0;
  #failure: unknown;

  constructor(input: SettleInput, hear: HearSettled) {
    this.#input = input;
    this.#hear = hear;
  }

  async all(): Promise<void> {
    const { plans, reader, signal } = this.#input;
    for await (const plan of plans) {
      if (signal.aborted || this.#failure !== undefined || !reader.isReadable) break;
      const entry = await this.#entryOf(plan);
      if (entry === undefined) continue;
      const one = this.#one(plan, entry).catch((error: unknown) => void (this.#failure ??= error));
      this.#underWay.add(one);
      void one.finally(() => this.#underWay.delete(one));
      if (this.#underWay.size >= mostWaiting) await Promise.race(this.#underWay);
    }
    await Promise.all(this.#underWay);
    if (this.#failure !== undefined) throw this.#failure as Error;
  }

  /** The account in the journal, if something of it waits for a ruling and the platform has it. */
  async #entryOf(plan: AccountPlan): Promise<AccountEntry | undefined> {
    const { journal, platform, supplier, supplierOf, isChosen } = this.#input;
    const { account } = plan.key;
    if (!isChosen(account) || (await supplierOf(plan)) !== supplier) return undefined;
    const entry = await journal.find(platform, { supplier, account });
    // After a restore, a run first has to record what may have been sent.
    if (entry === undefined || entry.inDoubtSince !== undefined || entry.code === notOurs) return undefined;
    return entry.steps.process === 'done' ? entry : undefined;
  }

  async #one(plan: AccountPlan, entry: AccountEntry): Promise<void> {
    const { cutting, reader } = this.#input;
    const { krakenAccountNumber: number, parts } = entry;
    const sentBy = new SentBy(plan, parts, cutting);
    const asked = partsInDoubt(parts, sentBy);
    if (number === undefined || asked.length === 0) return;
    this.counts.accounts += 1;
    const { payload, extras, minorUnits } = plan;
    const found = await reader.find(
      {
        ...{ number, entry, asked, sentBy, extras, minorUnits, payload: () => payload },
        isAsCreated: wasCreatedFrom(entry, printOf(plan).payloadHash),
        mayBeAbsent: true,
      },
      this.#wayOf(plan, asked),
    );
    for (const one of found) {
      const { decision } = one;
      this.counts[decision === 'absent' ? 'repeat' : decision === 'unknown' ? 'uncertain' : decision] += 1;
    }
    if (!this.#input.isDryRun) await this.#record(entry, found);
    for (const one of found) this.#hear(plan, one, sentBy);
  }

  async #record(entry: AccountEntry, found: readonly FoundByReading[]): Promise<void> {
    const { journal, ruler } = this.#input;
    const rulings = found.flatMap(({ part, decision }): RulingOnParts[] => {
      if (decision === 'unknown') return [];
      const as = decision === 'absent' ? 'repeat' : 'done';
      return [{ step: part.step, ruling: { as }, parts: [part] }];
    });
    let code: string | undefined;
    for (const one of found.filter(({ decision }) => decision === 'unknown')) {
      const seen = codeOfSeen(one);
      if (seen === undefined || seen === one.part.code) continue;
      const { step, part } = one.part;
      const settlement = { state: 'uncertain', outcome: readOutcome, code: seen, at: ruler.at } as const;
      void journal.settle({ accountId: entry.id, step, part }, settlement);
      code ??= seen;
    }
    if (rulings.length > 0) await takeDown(journal, entry, rulings, ruler, readOutcome);
    if (code !== undefined && entry.state === 'uncertain')
      await journal.change(entry.id, { code, keepsRows: true });
  }

  #wayOf(plan: AccountPlan, asked: readonly PartEntry[]): ReadingWay {
    const { client, clock, quiet, signal, numberOf, waitMs } = this.#input;
    return {
      number: () => this.#inTurn(() => numberOf(plan)),
      post: (body, path) => this.#inTurn(() => client.query(body, { path, signal })),
      discardToken: (tokenId) => client.discardToken(tokenId),
      pause: async (tries, askedMs) => {
        await pause(clock, waitMs(tries, askedMs), signal);
      },
      quietMs: () =>
        asked.reduce((until, part) => Math.max(until, quiet.ofRecorded(part)), atRest) - clock.monotonic(),
      wait: (ms) => pause(clock, ms, signal),
    };
  }

  /** Asks when it is its turn; undefined if the command is stopped. */
  async #inTurn<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
    const { concurrency, signal } = this.#input;
    if (this.#asking >= concurrency && !(await this.#line.wait(signal))) return undefined;
    if (signal.aborted) return undefined;
    this.#asking += 1;
    try {
      return await ask();
    } finally {
      this.#asking -= 1;
      this.#line.next();
    }
  }
}
