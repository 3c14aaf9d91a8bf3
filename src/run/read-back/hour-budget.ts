import type { Clock } from '../../domain/clock.ts';
import type { Journal } from '../../journal/journal.ts';

const hourMs = 3_600_000;
/** What a reading is taken to cost before one has ended, in points. */
const firstGuess = 100;

/** Where the points of earlier readings are recorded. */
interface PointsRecord {
  readonly readBack: Pick<Journal['readBack'], 'pointsSince'>;
}

/** The points that the readings of an hour may cost: those in the journal, and those of this process. */
export class HourBudget {
  readonly #journal: PointsRecord;
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #perHour: number | undefined;
  /** What was spent here, with its time on the monotonic clock. */
  #spent: { readonly at: number; readonly points: number }[] = [];
  /** Readings that have begun and not ended, and what each is taken to cost. */
  #underWay = 0;
  #guess = firstGuess;
  #before: Promise<number> | undefined;
  readonly #began: number;

  /** `perHour`: absent: as many as the platform allows. */
  constructor(journal: PointsRecord, clock: Pick<Clock, 'now' | 'monotonic'>, perHour: number | undefined) {
    this.#journal = journal;
    this.#clock = clock;
    this.#perHour = perHour;
    this.#began = clock.monotonic();
  }

  /** Whether a reading may begin; call `ended` after it. */
  async begins(): Promise<boolean> {
    if (this.#perHour === undefined) return true;
    this.#before ??= this.#journal.readBack.pointsSince(this.#clock.now() - hourMs);
    const recorded = await this.#before;
    const now = this.#clock.monotonic();
    this.#spent = this.#spent.filter(({ at }) => at > now - hourMs);
    const own = this.#spent.reduce((sum, { points }) => sum + points, 0);
    const before = now - this.#began >= hourMs ? 0 : recorded;
    if (before + own + this.#underWay * this.#guess >= this.#perHour) return false;
    this.#underWay += 1;
    return true;
  }

  ended(points: number): void {
    if (this.#perHour === undefined) return;
    this.#underWay -= 1;
    if (points === 0) return;
    this.#guess = points;
    this.#spent.push({ at: this.#clock.monotonic(), points });
  }
}
