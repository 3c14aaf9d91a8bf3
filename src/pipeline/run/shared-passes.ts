import { partitionOf, type AccountKey } from '../../domain/account-key.ts';
import { aboutStop } from '../../domain/stop-reason.ts';
import type { BookCounts } from './book-counts.ts';
import type { NextPlans } from './next-plans.ts';
import type { RunInput, RunPorts } from './run-input.ts';
import type { SharedBook } from './shared-book.ts';

/** What the passes over a shared book ask of the run. */
export interface PassPorts {
  readonly counts: BookCounts;
  readonly plans: NextPlans;
  readonly stop: Pick<RunPorts['stop'], 'reason' | 'detail'>;
  /** Drives the accounts of the present pass. */
  readonly pass: () => Promise<void>;
  /** Whether accounts of the present pass were not looked at. */
  readonly isCutShort: () => boolean;
  /** The accounts that have one number, as the journal knows them now. */
  readonly sharingNumbers: () => Promise<readonly AccountKey[]>;
}

/** This run's passes over a book that other runs drive as well, partition by partition (docs/decisions/several-runners.md). */
export class SharedPasses {
  readonly #shared: SharedBook;
  readonly #source: NonNullable<RunInput['shared']>;
  readonly #ports: PassPorts;

  constructor(shared: SharedBook, source: NonNullable<RunInput['shared']>, ports: PassPorts) {
    this.#shared = shared;
    this.#source = source;
    this.#ports = ports;
  }

  /**
   * Passes the book, and once more the accounts that have one number when all of it was passed: a run that finds such a pair cannot
   * write about the account that is another run's.
   */
  async drive(): Promise<void> {
    await this.#passDue();
    if (this.#ports.stop.reason !== undefined || !this.#shared.isDone) return;
    const sharing = await this.#ports.sharingNumbers();
    const isOpen = await this.#shared.passAgain(sharing.map(({ account }) => partitionOf(account)));
    if (isOpen) await this.#passDue();
  }

  /** What stopped this run for a reason that is the book's stops the others too. */
  async stopOthers(): Promise<void> {
    const { reason, detail } = this.#ports.stop;
    if (reason !== undefined && aboutStop(reason).isOfTheBook === true)
      await this.#shared.stopAll({ reason, detail });
  }

  /** Adds what the runs counted. A stopped run may have read all that nobody has passed. */
  async sumUp(): Promise<void> {
    const { counts } = this.#ports;
    if (counts.isAllCounted && !this.#shared.isDone) await this.#closeRead();
    await counts.sumUp(await this.#shared.results(), this.#shared.isDone);
  }

  /** Drives what is this run's of the book, until all of it was passed by one run or another. */
  async #passDue(): Promise<void> {
    const { counts, plans, pass, isCutShort } = this.#ports;
    for (;;) {
      const due = await this.#shared.next();
      if (due === undefined) break;
      counts.beginPass();
      await plans.begin(due, this.#source);
      this.#shared.works();
      await pass();
      // What was stopped is counted from here on.
      if (isCutShort()) return;
      await this.#closePart();
      await this.#shared.passedAll(due, (number) => counts.takeOut(number));
    }
    counts.isAllCounted = this.#shared.isDone;
  }

  /** Every account of the present pass was read. */
  async #closePart(): Promise<void> {
    const { counts, plans } = this.#ports;
    await counts.closePart(
      (account) => plans.due.has(partitionOf(account)) && this.#shared.isWhole(partitionOf(account)),
    );
  }

  /** The same if the run is stopped: the book is known if nobody else has partitions of it. */
  async #closeRead(): Promise<void> {
    const { counts, plans } = this.#ports;
    await this.#closePart();
    if (this.#shared.isAllThatIsLeft(plans.due)) await counts.endReading();
  }
}
