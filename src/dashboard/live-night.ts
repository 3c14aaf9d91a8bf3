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

/** What a supplier's counts were at the look before, and what happened since the first. */
interface Course {
  created: number;
  failed: number;
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
      timelineOf: (status) => this.#courseOf(status).timeline,
    };
  }

  async #look(): Promise<void> {
    try {
      this.#night = await this.#source.look();
      const at = this.#clock.now();
      this.#noteRequests(at, this.#at === undefined);
      this.#at = at;
      this.#failure = undefined;
      for (const { status } of this.#night.suppliers) this.#note(status, at);
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
    }
  }

  #note(status: SupplierStatus, at: number): void {
    const course = this.#courseOf(status);
    const now = figuresOf(status);
    // A retry takes accounts out of a count: nothing was undone then.
    const since = (mark: 'created' | 'failed') => Math.max(0, now[mark] - course[mark]);
    if (since('created') > 0) course.timeline.add(at, 'created', since('created'));
    if (since('failed') > 0) course.timeline.add(at, 'failed', since('failed'));
    Object.assign(course, now);
  }

  /** What runs did before the first look is not of this page. */
  #noteRequests(at: number, isFirst: boolean): void {
    const before = this.#answered;
    this.#answered = new Map();
    for (const run of this.#night.runs) {
      const { id, answered = none } = run;
      this.#answered.set(id, answered);
      const { accepted, refused } = isFirst ? answered : (before.get(id) ?? none);
      for (const { status } of this.#night.suppliers.filter(({ status: of }) => isRunOf(run, of))) {
        const { timeline } = this.#courseOf(status);
        if (answered.accepted > accepted) timeline.add(at, 'accepted', answered.accepted - accepted);
        if (answered.refused > refused) timeline.add(at, 'throttled', answered.refused - refused);
      }
    }
  }

  #courseOf(status: SupplierStatus): Course {
    const name = `${status.platform}\n${status.supplier}`;
    const known = this.#courses.get(name) ?? { ...figuresOf(status), timeline: new Timeline() };
    this.#courses.set(name, known);
    return known;
  }
}

function figuresOf({ steps, accounts }: SupplierStatus): {
  readonly created: number;
  readonly failed: number;
} {
  return {
    created: steps.process.done,
    failed: accounts.rejected + accounts.failed + accounts.uncertain,
  };
}
