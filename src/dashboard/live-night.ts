import type { Clock } from '../domain/clock.ts';
import type { AnsweredRequests } from '../domain/found-pace.ts';
import { isRunOf } from '../domain/run-of.ts';
import { Timeline } from '../report/html-report/timeline.ts';
import type { SupplierStatus } from '../report/status-table.ts';
import type { Night, NightSource, SupplierChoice } from './night.ts';
import type { NightView } from './night-page.ts';

const none: AnsweredRequests = { accepted: 0, refused: 0, unclear: 0 };

/** Milliseconds between two readings of the journal, even if nobody watches, so that the chart has no gap. */
const everyMs = 2_000;
/** A bar of the chart is at least so long, in ms: each has several readings. */
const narrowestMs = 5_000;

/** What a supplier's counts were at the look before, and what happened since the first. */
interface Course {
  completed: number;
  failed: number;
  /** The time of the first look at it, in ms since the epoch. */
  readonly from: number;
  readonly timeline: Timeline;
}

/** The journal's state, read repeatedly. One look serves every reader. */
export class LiveNight {
  readonly #source: NightSource;
  readonly #clock: Clock;
  readonly #timeZone: string;
  readonly #courses = new Map<string, Course>();
  readonly #readers = new Set<() => void>();
  readonly #ended = new AbortController();
  /** By run. */
  #answered = new Map<number, AnsweredRequests>();
  #night: Night = { suppliers: [], runs: [], running: new Set(), warnings: [] };
  #failure: string | undefined;
  #at: number | undefined;

  constructor(source: NightSource, clock: Clock, timeZone: string) {
    this.#source = source;
    this.#clock = clock;
    this.#timeZone = timeZone;
  }

  /** Looks until `end` is called. */
  async run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      await this.#look();
      for (const reader of this.#readers) reader();
      const { signal } = this.#ended;
      await this.#clock.sleep(everyMs, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
  }

  end(): void {
    this.#ended.abort();
  }

  /** Calls `reader` after each look until the returned function is called. */
  watch(reader: () => void): () => void {
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  view(choice: SupplierChoice | undefined): NightView {
    return {
      night: this.#night,
      at: this.#at,
      timeZone: this.#timeZone,
      choice,
      failure: this.#failure,
      courseOf: (status) => this.#courseOf(status),
    };
  }

  async #look(): Promise<void> {
    try {
      this.#night = await this.#source.look();
      const before = this.#at;
      const at = this.#clock.now();
      this.#at = at;
      this.#noteRequests(before, at);
      this.#failure = undefined;
      for (const { status } of this.#night.suppliers) this.#note(status, before ?? at, at);
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
    }
  }

  /** `before`: the time of the look before, between which and this one it happened. */
  #note(status: SupplierStatus, before: number, at: number): void {
    const course = this.#courseOf(status);
    const now = figuresOf(status);
    // A retry takes accounts out of a count: nothing was undone then.
    for (const mark of ['completed', 'failed'] as const)
      course.timeline.addOver(before, at, mark, Math.max(0, now[mark] - course[mark]));
    course.timeline.pass(at);
    Object.assign(course, now);
  }

  /** What runs did before the first look is not of this page. */
  #noteRequests(lookedAt: number | undefined, at: number): void {
    const isFirst = lookedAt === undefined;
    const before = this.#answered;
    this.#answered = new Map();
    for (const run of this.#night.runs) {
      const { id, answered = none } = run;
      this.#answered.set(id, answered);
      const { accepted, refused } = isFirst ? answered : (before.get(id) ?? none);
      for (const { status } of this.#night.suppliers.filter(({ status: of }) => isRunOf(run, of))) {
        const { timeline } = this.#courseOf(status);
        timeline.addOver(lookedAt ?? at, at, 'accepted', Math.max(0, answered.accepted - accepted));
        timeline.addOver(lookedAt ?? at, at, 'throttled', Math.max(0, answered.refused - refused));
      }
    }
  }

  #courseOf(status: SupplierStatus): Course {
    const name = `${status.platform}\n${status.supplier}`;
    const known = this.#courses.get(name) ?? {
      ...figuresOf(status),
      from: this.#at ?? this.#clock.now(),
      timeline: new Timeline(narrowestMs),
    };
    this.#courses.set(name, known);
    return known;
  }
}

/** Together these are the accounts that a rate counts as ended. */
function figuresOf({ accounts }: SupplierStatus): { readonly completed: number; readonly failed: number } {
  const { completed, rejected, failed, uncertain, skipped } = accounts;
  return { completed, failed: rejected + failed + uncertain + skipped };
}
