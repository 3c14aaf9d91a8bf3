/** Counts the points that each sender spends in an hour. */
export class PointsAllowance {
  readonly #now: () => number;
  readonly #spent = new Map<string, { since: number; points: number }>();

  /** `now`: milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes points from the sender's hour; false if it has too few left. */
  take(sender: string, points: number, perHour: number): boolean {
    const hour = this.#hour(sender);
    if (hour.points + points > perHour) return false;
    hour.points += points;
    return true;
  }

  left(sender: string, perHour: number): { readonly points: number; readonly seconds: number } {
    const { since, points } = this.#hour(sender);
    return { points: perHour - points, seconds: Math.ceil((since + hourMs - this.#now()) / 1000) };
  }

  #hour(sender: string): { since: number; points: number } {
    let hour = this.#spent.get(sender);
    if (hour === undefined || this.#now() >= hour.since + hourMs) {
      hour = { since: this.#now(), points: 0 };
      this.#spent.set(sender, hour);
    }
    return hour;
  }
}

const hourMs = 3_600_000;
