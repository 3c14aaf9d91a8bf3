/**
 * The counts of a period: accounts that were created or completed, requests that did not succeed, by their state; and all
 * requests by what they say of the pace: accepted, or refused because there were too many.
 */
export const marks = [
  'created',
  'completed',
  'refused',
  'failed',
  'unknown',
  'accepted',
  'throttled',
] as const;
export type TimelineMark = (typeof marks)[number];

export interface Stretch {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly counts: Readonly<Record<TimelineMark, number>>;
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
/** Each is a multiple of the one before it, so that periods can be merged without being split. */
const widths = [
  ...[1, 5, 15, 30].map((n) => n * second),
  ...[1, 5, 15, 30].map((n) => n * minute),
  ...[1, 2, 6, 12].map((n) => n * hour),
  ...[1, 7, 28, 364, 3640].map((n) => n * day),
];
const mostStretches = 96;

/** Counts events over time, in periods that grow with the total time: there are never many of them. */
export class Timeline {
  #width: number;
  #stretches = new Map<number, Record<TimelineMark, number>>();
  #first = Infinity;
  #last = -Infinity;

  /** @param narrowestMs the shortest period, in ms */
  constructor(narrowestMs: number = second) {
    this.#width = Math.max(
      0,
      widths.findIndex((width) => width >= narrowestMs),
    );
  }

  /** `at`: milliseconds since the epoch. */
  add(at: number, mark: TimelineMark, count = 1): void {
    this.#countIn(Math.floor(at / this.widthMs))[mark] += count;
    this.#bound();
  }

  /** Adds what happened between two readings, evenly over the time between them. In ms since the epoch. */
  addOver(from: number, until: number, mark: TimelineMark, count: number): void {
    if (until <= from) this.add(until, mark, count);
    let at = from;
    let added = 0;
    while (at < until) {
      const end = Math.min((Math.floor(at / this.widthMs) + 1) * this.widthMs, until);
      const share = Math.round((count * (end - from)) / (until - from)) - added;
      if (share > 0) this.add(at, mark, share);
      added += share;
      at = end;
    }
  }

  /** Time passed until then (ms since the epoch), whether anything happened or not. */
  pass(until: number): void {
    this.#countIn(Math.floor(until / this.widthMs));
    this.#bound();
  }

  /** Length of one period, in milliseconds. */
  get widthMs(): number {
    return widths[this.#width] ?? day;
  }

  /** From the first to the last period with an event, or to the time that passed, without a gap. */
  get stretches(): readonly Stretch[] {
    const stretches: Stretch[] = [];
    for (let at = this.#first; at <= this.#last; at += 1)
      stretches.push({ from: at * this.widthMs, counts: this.#stretches.get(at) ?? nothing() });
    return stretches;
  }

  #countIn(stretch: number): Record<TimelineMark, number> {
    this.#first = Math.min(this.#first, stretch);
    this.#last = Math.max(this.#last, stretch);
    const found = this.#stretches.get(stretch) ?? nothing();
    this.#stretches.set(stretch, found);
    return found;
  }

  #bound(): void {
    while (this.#last - this.#first >= mostStretches && this.#width < widths.length - 1) this.#widen();
  }

  #widen(): void {
    const [before, narrow] = [this.#stretches, this.widthMs];
    this.#width += 1;
    this.#stretches = new Map();
    [this.#first, this.#last] = [Infinity, -Infinity];
    for (const [stretch, counts] of before) {
      const wider = this.#countIn(Math.floor((stretch * narrow) / this.widthMs));
      for (const mark of marks) wider[mark] += counts[mark];
    }
  }
}

function nothing(): Record<TimelineMark, number> {
  return { created: 0, completed: 0, refused: 0, failed: 0, unknown: 0, accepted: 0, throttled: 0 };
}
