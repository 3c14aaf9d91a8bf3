import { counted, formatCount, formatDuration, formatRate } from './format.ts';

/** How far a job has come. */
export interface Progressed {
  readonly done: number;
  readonly total: number;
  /** What is counted, in the singular, such as `account`. */
  readonly what: string;
  /** Of those done, how many ended badly, by state. */
  readonly trouble: ReadonlyMap<string, number>;
  readonly perSecond: number;
  /** Milliseconds since the start. */
  readonly elapsedMs: number;
  /** Why it goes as fast as it does; '' where there is nothing to say. */
  readonly note: string;
}

/** Below this a bar tells nothing. */
const leastBar = 10;
const widestBar = 40;

/**
 * A progress line that leaves the last column free, since some terminals wrap there. What matters least is left out
 * first: the bar, the note, the noun, the time left, the rate.
 */
export function barLine(job: Progressed, columns: number, bar: (size: number) => string): string {
  const count = `${formatCount(job.done)}/${formatCount(job.total)}`;
  const noun = `${count} ${job.what}s`;
  const [rate = '', ...left] = pace(job);
  const variants = [
    ...(job.note === '' ? [] : [[noun, rate, ...troubles(job), ...left, job.note]]),
    [noun, rate, ...troubles(job), ...left],
    [count, rate, ...troubles(job), ...left],
    [count, rate, ...troubles(job)],
    [count, ...troubles(job)],
  ].map((parts) => parts.join('  '));
  const line = variants.find((variant) => variant.length < columns) ?? count;
  // In steps of five, so that it does not twitch with every digit beside it.
  const size = Math.min(Math.floor((columns - line.length - 5) / 5) * 5, widestBar);
  return size >= leastBar ? `[${bar(size)}]  ${line}` : line;
}

/** The same for a log: one sentence. */
export function plainLine(job: Progressed): string {
  const share = job.total === 0 ? '' : ` (${Math.floor((job.done / job.total) * 100)}%)`;
  const count = `${formatCount(job.done)} of ${counted(job.total, job.what)}${share}`;
  return [count, ...pace(job), ...troubles(job), ...(job.note === '' ? [] : [job.note])].join(', ');
}

/** What is said when the job has ended. */
export function lastLine(job: Progressed): string {
  const count = `${formatCount(job.done)} of ${counted(job.total, job.what)} in ${formatDuration(job.elapsedMs)}`;
  return [count, formatRate(job.perSecond), ...troubles(job)].join(', ');
}

function troubles(job: Progressed): string[] {
  return [...job.trouble].map(([state, count]) => `${formatCount(count)} ${state}`);
}

function pace(job: Progressed): string[] {
  const rest = job.total - job.done;
  const rate = formatRate(job.perSecond);
  return job.perSecond > 0 && rest > 0
    ? [rate, `${formatDuration(Math.ceil(rest / job.perSecond) * 1000)} left`]
    : [rate];
}
