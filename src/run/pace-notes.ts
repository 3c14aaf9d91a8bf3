import type { Clock } from '../domain/clock.ts';
import { isTooMany, type FoundPace } from '../domain/found-pace.ts';
import type { BodyLimit } from '../domain/request-too-large.ts';
import type { Journal, Stopping } from '../journal/journal.ts';
import type { RunEvent } from '../pipeline/run/run-events.ts';
import { flowNote } from '../report/flow-note.ts';

/** How often the counts of a run are noted, in ms: the dashboard looks as often. */
const everyMs = 2_000;

/** Notes in the journal how fast a run goes, for those who watch it, and what it learnt of the platform's limits, for later runs. */
export class PaceNotes {
  readonly #journal: Pick<Journal, 'notePace'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #timeZone: string;
  #run = 0;
  #words: string | undefined;
  #found: FoundPace | undefined;
  #bodyLimit: BodyLimit | 'none' | undefined;
  #stopping: Stopping | undefined;
  #answered = { accepted: 0, refused: 0, unclear: 0 };
  #notedAt = -Infinity;

  /** `timeZone`: IANA name, for the times in its words. */
  constructor(journal: Pick<Journal, 'notePace'>, clock: Pick<Clock, 'monotonic'>, timeZone: string) {
    this.#journal = journal;
    this.#clock = clock;
    this.#timeZone = timeZone;
  }

  hear(event: RunEvent): void {
    if (event.type === 'begun') this.#run = event.run;
    else if (event.type === 'flow') {
      this.#words = flowNote(event, this.#timeZone);
      this.#found = event.pace;
      this.#note();
    } else if (event.type === 'body-limit') {
      this.#bodyLimit = event.limit ?? 'none';
      this.#note();
    } else if (event.type === 'request') {
      const { outcome } = event;
      if (isTooMany(event)) {
        this.#answered.refused += 1;
        if (outcome === 'unknown') this.#answered.unclear += 1;
      } else if (outcome !== 'not-sent' && outcome !== 'unknown') this.#answered.accepted += 1;
      if (this.#clock.monotonic() - this.#notedAt >= everyMs) this.#note();
    }
  }

  /** The run begins no more accounts from then on (ms since the epoch), for this reason. */
  stopping(reason: string, since: number): void {
    this.#stopping = { reason, since };
    if (this.#run !== 0) this.#note();
  }

  #note(): void {
    const known = [this.#words, this.#bodyLimit, this.#stopping];
    if (known.every((one) => one === undefined)) return;
    this.#notedAt = this.#clock.monotonic();
    const pace = {
      words: this.#words ?? '',
      found: this.#found,
      answered: { ...this.#answered },
      bodyLimit: this.#bodyLimit,
      stopping: this.#stopping,
    };
    // The run itself reports a journal that cannot be written.
    this.#journal.notePace(this.#run, pace).catch(() => undefined);
  }
}
