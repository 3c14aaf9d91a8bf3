import { stripVTControlCharacters } from 'node:util';
import type { AccountState } from '../domain/account-state.ts';
import type { Clock } from '../domain/clock.ts';
import {
  averageOf,
  barLine,
  lastLine,
  noteLines,
  plainLine,
  Throughput,
  type Progressed,
} from './progress-line.ts';
import { pageOf, type Page, type Terminal } from './terminal.ts';

/** Shows how far a job has come: a bar on a terminal, elsewhere a line every few seconds. */
export interface Progress {
  /** Starts a job of `total` things; `what` names one of them, such as `account`. */
  begin(total: number, what: string): void;
  /** One more item has reached this state, or this many more are done. */
  advance(by: AccountState | number): void;
  /** So many more needed no work: they are done, and say nothing of the speed. */
  pass(count: number): void;
  /**
   * So many are done by now, whoever did them. From then on `advance` adds to the states only, and the speed is that of the whole work
   * since.
   */
  reach(done: number): void;
  /**
   * On a terminal: shows at once what is done now, until the next call or anything else is written; '' removes it. For work that lets
   * nothing be drawn meanwhile.
   */
  phase(text: string): void;
  /** Says from now on why the job goes as fast as it does. */
  note(text: string): void;
  /** From now on, shows the result of `look` next to each job every few seconds; only on a terminal. */
  beside(look: (page: Page) => Promise<string>): void;
  /** Lets others write whole lines to the same terminal, above the display where there is one. */
  aside(write: () => void): void;
  /** Shows the last figures; nothing is shown after that. May be called twice. */
  end(): void;
}

export interface ProgressOptions {
  /** Shows nothing. */
  readonly quiet?: boolean;
  /** Milliseconds between two lines if there is no terminal. */
  readonly everyMs?: number;
}

const trouble: readonly AccountState[] = ['rejected', 'failed', 'uncertain'];
const paceWindowMs = 30_000;
const besideEveryMs = 2_000;

export function createProgress(terminal: Terminal, clock: Clock, options: ProgressOptions = {}): Progress {
  const { quiet = false, everyMs = 5000 } = options;
  let job: Job | undefined;
  let look: (() => Promise<string>) | undefined;

  const displayFor = (): Display => {
    if (quiet) return noDisplay;
    return terminal.isTty ? blockDisplay(terminal) : plainDisplay(terminal, everyMs);
  };
  let isPhaseShown = false;
  const phase = (text: string): void => {
    if (!terminal.isTty || quiet || (text === '' && !isPhaseShown)) return;
    isPhaseShown = text !== '';
    terminal.write(`\r${text.slice(0, terminal.columns - 1)}${clearRight}`);
  };
  const aside = (write: () => void): void => {
    phase('');
    if (job === undefined) write();
    else job.display.aside(write);
  };
  const end = (): void => {
    job?.end();
    job = undefined;
  };
  return {
    begin(total, what) {
      end();
      job = new Job(total, what, clock, displayFor);
      void job.show();
      if (look !== undefined) void job.lookBeside(look);
    },
    advance: (by) => job?.advance(by),
    pass: (count) => job?.pass(count),
    phase,
    reach: (done) => job?.reach(done),
    note: (text) => job?.note(text),
    beside(at) {
      if (terminal.isTty && !quiet) look = () => at(pageOf(terminal));
    },
    aside,
    end,
  };
}

/** One job under way. */
class Job {
  readonly display: Display;
  readonly #clock: Clock;
  readonly #startedAt: number;
  #pace: Throughput;
  readonly #total: number;
  readonly #what: string;
  readonly #trouble = new Map<string, number>();
  readonly #ended = new AbortController();
  #done = 0;
  /** Of those done, how many needed no work. */
  #passed = 0;
  /** Done by others before this job saw it, once others take part. */
  #before: number | undefined;
  #note = '';
  #beside = '';

  constructor(total: number, what: string, clock: Clock, displayFor: () => Display) {
    this.#total = total;
    this.#what = what;
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
    this.#pace = new Throughput(paceWindowMs, this.#startedAt);
    this.display = displayFor();
  }

  advance(by: AccountState | number): void {
    if (this.#before === undefined) this.#done += typeof by === 'number' ? by : 1;
    if (typeof by !== 'number' && trouble.includes(by))
      this.#trouble.set(by, (this.#trouble.get(by) ?? 0) + 1);
  }

  pass(count: number): void {
    // Runs of one book count together what is done.
    if (this.#before !== undefined) return;
    this.#done += count;
    this.#passed += count;
  }

  reach(done: number): void {
    if (this.#before === undefined) {
      this.#before = Math.max(0, done - this.#done);
      this.#pace = new Throughput(paceWindowMs, this.#startedAt, this.#before);
    }
    this.#done = Math.max(this.#done, done);
  }

  note(text: string): void {
    this.#note = text;
  }

  /** Reads the state repeatedly until the job ends; a failed reading does not end anything. */
  async lookBeside(look: () => Promise<string>): Promise<void> {
    do this.#beside = await look().catch(() => this.#beside);
    while (await this.#pause(besideEveryMs));
  }

  /** Redraws until the job ends. */
  async show(): Promise<void> {
    while (await this.#pause(this.display.everyMs))
      this.display.draw(this.#figures(this.#pace.note(this.#clock.monotonic(), this.#done - this.#passed)));
  }

  /** Waits; false when the job has ended. */
  #pause(ms: number): Promise<boolean> {
    const { signal } = this.#ended;
    return this.#clock.sleep(ms, signal).then(
      () => !signal.aborted,
      (error: unknown) => {
        if (signal.aborted) return false;
        throw error;
      },
    );
  }

  end(): void {
    this.#ended.abort();
    const figures = this.#figures(0);
    this.display.finish({ ...figures, perSecond: averageOf(figures) });
  }

  #figures(perSecond: number): Progressed {
    return {
      done: this.#done,
      before: (this.#before ?? 0) + this.#passed,
      total: this.#total,
      what: this.#what,
      trouble: this.#trouble,
      perSecond,
      elapsedMs: this.#clock.monotonic() - this.#startedAt,
      note: this.#note,
      beside: this.#beside,
    };
  }
}

/** How progress is shown. */
interface Display {
  /** Milliseconds between two times that it is drawn. */
  readonly everyMs: number;
  draw(job: Progressed): void;
  /** Lets others write whole lines. */
  aside(write: () => void): void;
  finish(job: Progressed): void;
}

/** A line every now and then. */
function plainDisplay(terminal: Terminal, everyMs: number): Display {
  return {
    everyMs,
    draw: (job) => terminal.write(`${plainLine(job)}\n`),
    aside: (write) => write(),
    finish: (job) => terminal.write(`${lastLine(job)}\n`),
  };
}

/** Nothing at all. */
const noDisplay: Display = {
  everyMs: 86_400_000,
  draw: () => undefined,
  aside: (write) => write(),
  finish: () => undefined,
};

/** A block in the terminal's last lines: what is to be seen beside the bar, and the bar. */
function blockDisplay(terminal: Terminal): Display {
  /** As it is on the screen, from its first line; the cursor is at its end. */
  let shown: readonly string[] = [];

  /** To the first line of the block. A narrower terminal has wrapped what was wider. */
  const toStart = (): string => {
    const rows = shown.map((line) => Math.max(1, Math.ceil(width(line) / terminal.columns)));
    const above = rows.reduce((sum, count) => sum + count, 0) - 1;
    return above > 0 ? `\r\u001b[${above}A` : '\r';
  };
  const show = (lines: readonly string[], end = ''): void => {
    const drawn = lines.map((line) => `${line}${clearRight}`).join('\n');
    // In one write, over what is there, so that nothing flickers.
    terminal.write(`${toStart()}${drawn}${clearBelow}${end}`);
    shown = end === '' ? lines : [];
  };
  return {
    everyMs: 200,
    draw: (job) => show(block(job, terminal)),
    aside(write) {
      const lines = shown;
      terminal.write(`${toStart()}${clearBelow}`);
      shown = [];
      write();
      if (lines.length > 0) show(lines);
    },
    finish: (job) => show([barLine(job, terminal.columns)], '\n'),
  };
}

/** The bar, with the text next to it if there is space for all of it. */
function block(job: Progressed, { columns, rows }: Terminal): string[] {
  const bar = barLine(job, columns);
  const beside = job.beside === '' ? [] : [...job.beside.split('\n'), ''];
  const lines = [bar, ...noteLines(job, columns)];
  const fits = beside.length + lines.length < rows && beside.every((line) => width(line) < columns);
  return fits ? [...beside, ...lines] : lines;
}

const width = (line: string): number => stripVTControlCharacters(line).length;
const clearRight = '\u001b[K';
const clearBelow = '\u001b[J';
