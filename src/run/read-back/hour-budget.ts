import type { Clock } from '../../domain/clock.ts';
import type { Journal } from '../../journal/journal.ts';

const hourMs = 3_600_000;

/** The points that the readings of an hour may cost: those in the journal, and those of this process. */
export class HourBudget {
  readonly #journal: Pick<Journal, 'readBack'>;
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #perHour: number | undefined;
  /** What was spent here, with its time on the monotonic clock. */
  #spent: { readonly at: number; readonly points: number }[] = [];
  #before: Promise<number> | undefined;
  readonly #began: number;

  /** `perHour`: absent: as many as the platform allows. */
  constructor(
    journal: Pick<Journal, 'readBack'>,
    clock: Pick<Clock, 'now' | 'monotonic'>,
    perHour: number | undefined,
  ) {
    this.#journal = journal;
    this.#clock = clock;
    this.#perHour = perHour;
    this.#began = clock.monotonic();
  }

  async hasPoints(): Promise<boolean> {
    if (this.#perHour === undefined) return true;
    const now = this.#clock.monotonic();
    this.#spent = this.#spent.filter(({ at }) => at > now - hourMs);
    const own = this.#spent.reduce((sum, { points }) => sum + points, 0);
    this.#before ??= this.#journal.readBack.pointsSince(this.#clock.now() - hourMs);
    const before = now - this.#began >= hourMs ? 0 : await this.#before;
    return before + own < this.#perHour;
  }

  spend(points: number): void {
    if (this.#perHour !== undefined && points > 0) this.#spent.push({ at: this.#clock.monotonic(), points });
  }
}
