import type { LeaseOwner } from '../journal/journal.ts';
import type { Creations, CreationTimes } from './process-creation.ts';
import { hasTime, isLater } from './wall-start.ts';

/** How long a question that the system did not answer is not asked again, in ms. */
const unansweredMs = 60_000;

interface Answer {
  readonly isOther: boolean;
  /**
   * By the monotonic clock, in ms. An answer holds for ever: a later end of the process is seen without it, unless its id is given again
   * between two looks; its lease lasts until it expires then.
   */
  readonly until: number;
}

/** Whether the ids of owners belong to other processes now, as far as the system was asked and answered. */
export class ReusedIds {
  readonly #creations: Creations;
  readonly #answers = new Map<string, Answer>();

  constructor(creations: Creations) {
    this.#creations = creations;
  }

  /** Whether another process certainly has the owner's id; asks the system if that is not known. `now`: monotonic, in ms. */
  isReused(owner: LeaseOwner, now: number): boolean {
    if (this.#isOpen(owner, now)) this.#learn([owner], this.#creations.now(owner.pid), now);
    return this.#answers.get(keyOf(owner))?.isOther ?? false;
  }

  /** Asks the system of all owners of whom it is not known, with one question. */
  async ask(owners: readonly LeaseOwner[], now: number): Promise<void> {
    const open = owners.filter((owner) => this.#isOpen(owner, now));
    if (open.length > 0) this.#learn(open, await this.#creations.soon(open.map(({ pid }) => pid)), now);
  }

  #isOpen(owner: LeaseOwner, now: number): boolean {
    const known = this.#answers.get(keyOf(owner));
    return hasTime(owner.processStart) && (known === undefined || known.until <= now);
  }

  #learn(owners: readonly LeaseOwner[], times: CreationTimes, now: number): void {
    for (const owner of owners) {
      const created = times.get(owner.pid);
      this.#answers.set(
        keyOf(owner),
        created === undefined
          ? { isOther: false, until: now + unansweredMs }
          : { isOther: isLater(created, owner.processStart), until: Infinity },
      );
    }
  }
}

function keyOf({ pid, processStart }: LeaseOwner): string {
  return `${pid} ${processStart}`;
}
