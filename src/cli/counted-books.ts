import { withTotal } from '../domain/account-state.ts';
import type { Clock } from '../domain/clock.ts';
import { isRunOf } from '../domain/run-of.ts';
import type { CountedBook } from '../dashboard/night.ts';
import type { Journal, RunEntry, SupplierOverview } from '../journal/journal.ts';
import { survey, type Survey } from '../report/html-report/survey.ts';

/** Accounts that are read before others have their turn. */
const atOnce = 100;
/** Of the time of a count, so much is pause: a count must not take the machine from the run. */
const pauses = 4;
/** Between two counts, in ms, at least. */
const restMs = 10_000;

interface Known {
  /** What the book was like; a count is not repeated while it is the same. */
  readonly state: string;
  readonly at: number;
  readonly survey: Survey;
}

/**
 * What needs every account of a book: causes and money. Reads the accounts beside the looks of a page, one supplier after the
 * other, slowly, and again only where something has changed.
 */
export class CountedBooks {
  readonly #clock: Clock;
  readonly #open: () => Promise<Journal | undefined>;
  readonly #known = new Map<string, Known>();
  readonly #ended = new AbortController();
  #working: Promise<void> | undefined;
  /** The supplier that is being counted, and how many of its accounts were read. */
  #reading: { readonly name: string; accounts: number } | undefined;
  #restsUntil = -Infinity;

  /** `open`: the journal for reading; undefined if there is none. */
  constructor(clock: Clock, open: () => Promise<Journal | undefined>) {
    this.#clock = clock;
    this.#open = open;
  }

  /** The last count of a supplier; undefined before the first. `runs`: as in `see`. */
  of(overview: SupplierOverview, runs: readonly RunEntry[]): CountedBook | undefined {
    const known = this.#known.get(nameOf(overview));
    if (known === undefined) return undefined;
    return { at: known.at, survey: known.survey, isCurrent: known.state === stateOf(overview, runs) };
  }

  /** How many accounts of a supplier were read so far; undefined if none are being read. */
  readingOf(overview: SupplierOverview): number | undefined {
    return this.#reading?.name === nameOf(overview) ? this.#reading.accounts : undefined;
  }

  /** Begins a count if one is due; it does not wait for its end. `runs`: newest first. */
  see(suppliers: readonly SupplierOverview[], runs: readonly RunEntry[]): void {
    if (this.#working !== undefined || this.#ended.signal.aborted) return;
    const isFirst = suppliers.some((one) => !this.#known.has(nameOf(one)));
    if (!isFirst && this.#clock.monotonic() < this.#restsUntil) return;
    const [due] = suppliers
      .filter((one) => withTotal(one.accounts).total > 0)
      .filter((one) => this.#known.get(nameOf(one))?.state !== stateOf(one, runs))
      .sort((one, other) => this.#countedAt(one) - this.#countedAt(other));
    if (due === undefined) return;
    this.#working = this.#count(due, stateOf(due, runs)).finally(() => {
      this.#working = undefined;
    });
  }

  /** Ends a count that is under way. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.#working;
  }

  #countedAt(overview: SupplierOverview): number {
    return this.#known.get(nameOf(overview))?.at ?? -Infinity;
  }

  async #count(overview: SupplierOverview, state: string): Promise<void> {
    const startedAt = this.#clock.monotonic();
    const at = this.#clock.now();
    try {
      const journal = await this.#open();
      if (journal === undefined) return;
      try {
        const { platform, supplier } = overview;
        const reading = { name: nameOf(overview), accounts: 0 };
        this.#reading = reading;
        const found = await survey(journal, platform, supplier, this.#pacing(reading));
        this.#known.set(nameOf(overview), { state, at, survey: found });
      } finally {
        await journal.close();
      }
    } catch {
      // The next look at the same journal says what is wrong with it.
    } finally {
      this.#reading = undefined;
      const now = this.#clock.monotonic();
      this.#restsUntil = now + Math.max(restMs, now - startedAt);
    }
  }

  /** Called after each account; rejects once the counting has ended. */
  #pacing(reading: { accounts: number }): () => Promise<void> | undefined {
    let since = this.#clock.monotonic();
    return () => {
      reading.accounts += 1;
      if (reading.accounts % atOnce !== 0) return undefined;
      const tookMs = this.#clock.monotonic() - since;
      return this.#clock.sleep(tookMs * pauses, this.#ended.signal).then(() => {
        since = this.#clock.monotonic();
      });
    };
  }
}

function nameOf({ platform, supplier }: Pick<SupplierOverview, 'platform' | 'supplier'>): string {
  return JSON.stringify([platform, supplier]);
}

function stateOf(overview: SupplierOverview, runs: readonly RunEntry[]): string {
  const { accounts, steps, refusedData, changedAfterImport, absent } = overview;
  const newest = runs.find((run) => isRunOf(run, overview));
  return JSON.stringify([
    ...[accounts, steps, refusedData, changedAfterImport, absent],
    ...[newest?.id, newest?.end?.endedAt],
  ]);
}
