import { isExtraStep, type ExtraStepName, type StepName } from '../../domain/steps.ts';
import type { PartEntry } from '../../journal/journal.ts';
import type {
  AccountInDoubt,
  ByReading,
  FoundByReading,
  ReadingWay,
} from '../../pipeline/account/by-reading.ts';
import type { AccountReader } from '../../read-back/account-reader.ts';
import { decide, sightOf, type Sight, type ReadStanding } from '../../read-back/decide-uncertain.ts';
import { expectedAccount, type ExpectedAccount, type Origin } from '../../read-back/expected-account.ts';
import type { HourBudget } from './hour-budget.ts';

export interface ByReadingOptions {
  readonly reader: Pick<AccountReader, 'read'>;
  /** Where queries are sent; undefined: the usual place. */
  readonly path: string | undefined;
  readonly decimals: number;
  readonly timeZone: string | undefined;
  readonly absence: 'settles' | 'tells';
  /** How long a reading may be behind, in ms: the time between two readings that must agree. */
  readonly lagMs: number;
  readonly budget: HourBudget;
}

/** Readings of one account for one question. */
const mostReadings = 4;
/** Accounts in a row that could not be read, after which no other one is tried. */
const mostUnread = 3;

/** Asks the platform's GraphQL API what became of requests. */
export class FindByReading implements ByReading {
  readonly #options: ByReadingOptions;
  #unread = 0;
  /** Why the last account could not be read. */
  #trouble: { readonly reason: string; readonly detail: string } | undefined;
  /** Whether the points of the hour were spent before everything was asked. */
  isSpent = false;

  constructor(options: ByReadingOptions) {
    this.#options = options;
  }

  /** Whether the platform can be read, as far as is known. */
  get isReadable(): boolean {
    return this.#unread < mostUnread;
  }

  /** Why no other account is tried; undefined while accounts can be read. */
  get trouble(): { readonly reason: string; readonly detail: string } | undefined {
    return this.isReadable ? undefined : this.#trouble;
  }

  async find(account: AccountInDoubt, way: ReadingWay): Promise<readonly FoundByReading[]> {
    const { absence } = this.#options;
    const sights = await this.#sights(account, way);
    const mayBeAbsent = account.mayBeAbsent ? absence : 'tells';
    return account.asked.map((part) => {
      const decision = decide(nameOf(part), sights, mayBeAbsent);
      const seen = sights.at(-1)?.seen.get(nameOf(part));
      return seen === 'missing' || seen === 'unclear' ? { part, decision, seen } : { part, decision };
    });
  }

  /** As many readings as the decision needs, oldest first. */
  async #sights(account: AccountInDoubt, way: ReadingWay): Promise<readonly Sight[]> {
    const { budget, absence, lagMs } = this.#options;
    const sights: Sight[] = [];
    const expected = this.#expected(account);
    for (;;) {
      if (!this.isReadable) return sights;
      if (!(await budget.begins())) {
        this.isSpent = true;
        return sights;
      }
      const isQuiet = way.quietMs() <= 0;
      const { sight, points } = await this.#look(account, expected, way, isQuiet);
      budget.ended(points);
      if (sight === undefined) return sights;
      sights.push(sight);
      const open = account.asked
        .map(nameOf)
        .filter((name) => decide(name, sights, account.mayBeAbsent ? absence : 'tells') === 'unknown')
        .map((name) => sight.seen.get(name));
      const mayChange =
        !isQuiet || (absence === 'settles' && account.mayBeAbsent && open.includes('missing'));
      const isOver = open.every((seen) => seen === 'not-readable') || !mayChange;
      if (isOver || sights.length >= mostReadings) return sights;
      if (!(await way.wait(isQuiet ? lagMs : Math.max(0, way.quietMs())))) return sights;
    }
  }

  /** One reading, and its cost; without a sight if there is none. */
  async #look(
    account: AccountInDoubt,
    expected: ExpectedAccount,
    way: ReadingWay,
    isQuiet: boolean,
  ): Promise<{ readonly sight?: Sight; readonly points: number }> {
    const { reader, path, timeZone } = this.#options;
    // A number that was an answer to somebody else would lead to another account.
    if ((await way.number()) !== account.number) return { points: 0 };
    const read = await reader.read(
      account.number,
      {
        transactions: expected.transactions.length,
        bills: expected.bills.length,
        paymentInstructions: expected.paymentInstructions.length,
      },
      {
        post: (body) => way.post(body, path),
        discardToken: way.discardToken,
        pause: way.pause,
      },
    );
    const { points } = read.cost;
    const isRefused = read.kind === 'stopped' && read.reason !== 'interrupted';
    this.#unread = isRefused ? this.#unread + 1 : 0;
    if (isRefused) this.#trouble = read;
    if (read.kind === 'stopped') return { points };
    if (read.kind === 'no-account') {
      const seen = new Map(account.asked.map((part) => [nameOf(part), 'unclear'] as const));
      return { sight: { seen, print: '', isQuiet }, points };
    }
    const standing = (origin: Origin) => standingOf(account, origin);
    const sight = sightOf(expected, standing, read.account, { isQuiet, timeZone });
    const vague = account.asked.filter((part) => isVague(account, part)).map(nameOf);
    const seen = new Map([...sight.seen, ...vague.map((name) => [name, 'unclear'] as const)]);
    return { sight: { ...sight, seen }, points };
  }

  #expected({ payload, extras, minorUnits, entry }: AccountInDoubt): ExpectedAccount {
    return expectedAccount(
      { payload: payload(), extras, minorUnits, steps: entry.steps, datesMoved: false },
      this.#options.decimals,
    );
  }
}

/** The steps that bring items of the same kinds as a step does. */
const alike: Readonly<Record<ExtraStepName, readonly StepName[]>> = {
  notes: ['notes'],
  transactions: ['process', 'transactions', 'billing-documents'],
  agreements: ['process', 'agreements'],
  'billing-documents': ['process', 'transactions', 'billing-documents', 'statements'],
  statements: ['statements', 'billing-documents'],
  'payment-instruction': ['payment-instruction'],
};

/** Whether the platform may have something like it that the export no longer has: then it is not known which of them is seen. */
function isVague({ sentBy, isAsCreated }: AccountInDoubt, { step }: PartEntry): boolean {
  if (!isExtraStep(step)) return true;
  return alike[step].some((other) => (isExtraStep(other) ? !sentBy.isWhole(other) : !isAsCreated));
}

/** What is known of an item by what the journal has of the request that sent it. */
function standingOf({ sentBy, asked, isAsCreated }: AccountInDoubt, origin: Origin): ReadStanding {
  if (!isExtraStep(origin.step)) return isAsCreated ? { is: 'known' } : { is: 'open' };
  const part = sentBy.of({ ...origin, step: origin.step });
  if (part === undefined) return { is: 'unsent' };
  if (asked.includes(part)) return { is: 'asked', request: nameOf(part) };
  return part.state === 'done' ? { is: 'known' } : { is: 'open' };
}

function nameOf({ step, part }: Pick<PartEntry, 'step' | 'part'>): string {
  return `${step} ${part}`;
}
