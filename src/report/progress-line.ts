import type cliProgress from 'cli-progress';
import { lazily, load } from '../domain/lazily.ts';
import { counted, formatCount, formatDuration, formatRate } from './format.ts';
import { cutTo, textWidth } from './text-width.ts';

/** How far a job has come. */
export interface Progressed {
  readonly done: number;
  /** Of those done, how many were done before the job began, by others, or needed no work. */
  readonly before: number;
  readonly total: number;
  /** What is counted, in the singular, such as `account`. */
  readonly what: string;
  /** Of those done, how many ended badly, by state. */
  readonly trouble: ReadonlyMap<string, number>;
  /** Lately. */
  readonly perSecond: number;
  /** Milliseconds since the start. */
  readonly elapsedMs: number;
  /** What limits its speed; '' if nothing is known. */
  readonly note: string;
  /** What is shown next to it if there is space: whole lines, or ''. */
  readonly beside: string;
}

const progressBars = lazily(() => load('cli-progress') as typeof cliProgress);

/** Below this width a bar is not readable. */
const leastBar = 10;
const widestBar = 40;

/**
 * A progress line that leaves the last column free, since some terminals wrap there. What matters least is left out
 * first: the bar, the noun, the time left, the rate.
 */
export function barLine(job: Progressed, columns: number): string {
  const count = isBeyond(job) ? formatCount(job.done) : `${formatCount(job.done)}/${formatCount(job.total)}`;
  const noun = `${count} ${job.what}s`;
  const [rate = '', ...left] = pace(job);
  const variants = [
    [noun, rate, ...troubles(job), ...left],
    [count, rate, ...troubles(job), ...left],
    [count, rate, ...troubles(job)],
    [count, ...troubles(job)],
  ].map((parts) => parts.join('  '));
  const line = variants.find((variant) => textWidth(variant) < columns) ?? count;
  // In steps of five, so that it does not move with every digit next to it.
  const size = Math.min(Math.floor((columns - textWidth(line) - 5) / 5) * 5, widestBar);
  return size >= leastBar ? `[${bar(job, size)}]  ${line}` : line;
}

/** The line below it, if there is a note: what limits the speed, and what the time left is based on. */
export function noteLines(job: Progressed, columns: number): readonly string[] {
  if (job.note === '') return [];
  const average = `${averageRate(job)} on average`;
  const basis = job.elapsedMs < firstEstimateMs ? average : `${average}, ETA from the last 30 s`;
  const fits = (line: string): boolean => textWidth(line) < columns;
  if (fits(`${job.note}, ${basis}`)) return [`${job.note}, ${basis}`];
  const note = fits(job.note) ? job.note : `${cutTo(job.note, columns - 4)}...`;
  return [note, fits(basis) ? basis : average];
}

function bar({ done, total }: Progressed, size: number): string {
  return progressBars().Format.BarFormat(total === 0 ? 0 : Math.min(done / total, 1), {
    barsize: size,
    barCompleteString: '='.repeat(size),
    barIncompleteString: '-'.repeat(size),
    barGlue: '',
  });
}

/** The same for a log: one sentence. */
export function plainLine(job: Progressed): string {
  const share = job.total === 0 || isBeyond(job) ? '' : ` (${Math.floor((job.done / job.total) * 100)}%)`;
  const count = `${ofTotal(job)}${share}`;
  const note = job.note === '' ? [] : [`${averageRate(job)} on average`, job.note];
  return [count, ...pace(job), ...troubles(job), ...note].join(', ');
}

/** What is said when the job has ended. */
export function lastLine(job: Progressed): string {
  const count = `${ofTotal(job)} in ${formatDuration(job.elapsedMs)}`;
  return [count, averageRate(job), ...troubles(job)].join(', ');
}

/** Whether more are done than there were to be: then the total says nothing. */
function isBeyond({ done, total }: Progressed): boolean {
  return done > total;
}

function ofTotal(job: Progressed): string {
  if (isBeyond(job)) return counted(job.done, job.what);
  return `${formatCount(job.done)} of ${counted(job.total, job.what)}`;
}

function troubles(job: Progressed): string[] {
  return [...job.trouble].map(([state, count]) => `${formatCount(count)} ${state}`);
}

function averageRate(job: Progressed): string {
  return formatRate(averageOf(job));
}

/** Per second, since the job began. */
export function averageOf({ done, before, elapsedMs }: Progressed): number {
  return elapsedMs > 0 ? ((done - before) / elapsedMs) * 1000 : 0;
}

/** An estimate of the time left means nothing before, in ms. */
const firstEstimateMs = 10_000;

/** The rate now, and the time left at that. */
function pace({ done, total, perSecond, elapsedMs }: Progressed): string[] {
  const rest = total - done;
  const rate = formatRate(perSecond);
  return perSecond > 0 && rest > 0 && elapsedMs >= firstEstimateMs
    ? [rate, `${formatDuration(Math.ceil(rest / perSecond) * 1000)} left`]
    : [rate];
}

/** How fast work goes, over a window that ends now: what was skipped at the start says nothing of the rest. */
export class Throughput {
  readonly #windowMs: number;
  readonly #samples: { readonly at: number; readonly done: number }[] = [];

  constructor(windowMs: number, startedAt: number, done = 0) {
    this.#windowMs = windowMs;
    this.#samples.push({ at: startedAt, done });
  }

  /** Notes how much is done by now, and gives the rate per second. */
  note(at: number, done: number): number {
    this.#samples.push({ at, done });
    while (this.#samples.length > 2 && (this.#samples[1]?.at ?? at) <= at - this.#windowMs)
      this.#samples.shift();
    const first = this.#samples[0] ?? { at, done };
    return at > first.at ? ((done - first.done) / (at - first.at)) * 1000 : 0;
  }
}
