import { formatCount, formatRate, formatTime, inSentence } from '../format.ts';
import { dataTable, html, type Html, type Piece } from './markup.ts';
import { marks, type TimelineMark, type Stretch } from './timeline.ts';

/** How a page is toned by what it tells; the style sheet has the colours for light and dark. */
export type Tone = 'good' | 'bad' | 'warn' | 'rest';

/** How an area is filled: each has a colour and a pattern of its own (`patterns.ts`), so that they differ without colour. */
export type Fill =
  | 'completed'
  | 'imported'
  | 'staged'
  | 'pending'
  | 'unread'
  | 'rejected'
  | 'failed'
  | 'uncertain'
  | 'skipped'
  | 'created';

export interface Share {
  readonly name: string;
  readonly count: number;
  readonly fill: Fill;
}

/**
 * One bar, divided in proportion to the counts: a share's length is its count over the sum, and the smallest are marked by a line.
 * Decoration: the counts are beside it as text.
 */
export function shareBar(shares: readonly Share[]): Html {
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  let before = 0;
  const parts = shares
    .filter(({ count }) => count > 0)
    .map(({ name, count, fill }) => {
      const part = html`<rect
        class="${fill}${count / total < 0.005 ? ' thin' : ''}"
        x="${percent(before / total)}"
        width="${percent(count / total)}"
        height="100%"
        ><title>${name}: ${formatCount(count)}</title></rect
      >`;
      before += count;
      return part;
    });
  return html`<svg class="share" aria-hidden="true">${parts}</svg>`;
}

export interface Series {
  readonly mark: TimelineMark;
  readonly name: string;
  readonly fill: Fill;
}

/** An axis that begins and ends within a period, and has rates per second, so that periods of any length compare. */
export interface LiveSpan {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
  /** Length of a period, in ms. */
  readonly widthMs: number;
}

/** A moment on the axis, in ms since the epoch. */
export interface Moment {
  readonly at: number;
  readonly kind: 'began' | 'ended' | 'stopped';
  /** Such as `run 3 stops: it was interrupted`. */
  readonly name: string;
}

export interface TimeChart {
  readonly title: string;
  /** Describes the bars in words. */
  readonly description: string;
  readonly series: readonly Series[];
  readonly stretches: readonly Stretch[];
  /** Absent: the axis has whole periods and their counts. */
  readonly span?: LiveSpan | undefined;
  /** When runs began and ended: drawn where they are on the axis. */
  readonly moments?: readonly Moment[];
  /** Drawn across, if it is not far above the bars; in the unit of the axis. */
  readonly limit?: { readonly name: string; readonly value: number } | undefined;
  /** IANA name. */
  readonly timeZone: string;
}

/** Bars over time, the series stacked; a table below has the counts. Labels are text, so they never shrink. */
export function timeChart(chart: TimeChart): Html {
  const { title, description, series, stretches, span, limit, timeZone } = chart;
  const bars = span === undefined ? stretches.map(wholeBar) : liveBars(stretches, span);
  const highest = Math.max(
    span === undefined ? 1 : 0.1,
    ...bars.map(({ values }) => series.reduce((sum, { mark }) => sum + values[mark], 0)),
  );
  const line = limit !== undefined && limit.value <= 2 * highest ? limit : undefined;
  const top = roundUp(Math.max(highest, line?.value ?? 0));
  const end = bars.reduce((most, { x, width }) => Math.max(most, x + width), 0);
  const value = span === undefined ? formatCount : formatRate;
  const isFine = (span?.widthMs ?? (stretches[1]?.from ?? 0) - (stretches[0]?.from ?? 0)) < 60_000;
  const time = (ms: number) => formatTime(ms, timeZone).slice(0, isFine ? 19 : 16);
  const moments = onAxis(chart);
  const labels = timesBelow(chart).map((ms) => html`<span>${time(ms)}</span>`);
  return html`<figure>
    <figcaption>${title}</figcaption>
    <div class="plot">
      <div class="scale" aria-hidden="true">
        <span>${value(top)}</span><span>${value(top / 2)}</span><span>0</span>
      </div>
      <svg role="img" aria-label="${description}">
        ${[0, 0.5, 1].map((at) => acrossAt('grid', at))}
        ${bars.map((bar) => stackedBar(bar, series, top, end))}
        ${line === undefined ? '' : acrossAt('limit', 1 - line.value / top)}
        ${moments.map(({ share, kind, name }) => downAt(kind, share, name))}
      </svg>
      <div class="times" aria-hidden="true">${labels}</div>
    </div>
    ${legend([
      ...series,
      ...(line === undefined ? [] : [{ name: line.name, fill: 'limit' as const }]),
      ...momentKeys.filter(({ fill }) => moments.some(({ kind }) => kind === fill)),
    ])}
    <details>
      <summary>Figures</summary>
      ${figuresTable(chart, time)} ${momentsTable(chart, moments)}
    </details>
  </figure>`;
}

const momentKeys = [
  { fill: 'began', name: 'a run begins' },
  { fill: 'ended', name: 'a run ends' },
  { fill: 'stopped', name: 'a run stops early' },
] as const;

/** The moments that the axis has, with the share of it before each. */
function onAxis({
  stretches,
  span,
  moments = [],
}: TimeChart): readonly (Moment & { readonly share: number })[] {
  const [first, second] = stretches;
  const from = span?.from ?? first?.from ?? 0;
  const width = (second?.from ?? from) - from;
  const until = span?.until ?? (stretches.at(-1)?.from ?? from) + width;
  return moments
    .map((moment) => ({ ...moment, share: (moment.at - from) / Math.max(1, until - from) }))
    .filter(({ share }) => share >= 0 && share <= 1);
}

/** A bar's place, in periods, and the height of each part, in the unit of the axis. */
interface Bar {
  readonly x: number;
  readonly width: number;
  readonly values: Readonly<Record<TimelineMark, number>>;
}

function wholeBar({ counts }: Stretch, at: number): Bar {
  return { x: at, width: 1, values: counts };
}

/**
 * The area of a bar is its count: the first and the last one are as wide as the part of their period on the axis. One of less
 * than half a period is joined with its neighbour, since a count of whole accounts makes no rate in so short a time.
 */
function liveBars(stretches: readonly Stretch[], { from, until, widthMs }: LiveSpan): readonly Bar[] {
  const parts = stretches.map((stretch) => ({
    begin: Math.max(from, stretch.from),
    end: Math.min(until, stretch.from + widthMs),
    counts: stretch.counts,
  }));
  const joined: (typeof parts)[number][] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    const isShort = ({ begin, end }: typeof part) => end - begin < widthMs / 2;
    if (before === undefined || !(isShort(part) || isShort(before))) joined.push(part);
    else joined.splice(-1, 1, { ...before, end: part.end, counts: sumOf(before.counts, part.counts) });
  }
  return joined.map(({ begin, end, counts }) => {
    const seconds = Math.max(1, end - begin) / 1000;
    const rates = Object.fromEntries(marks.map((mark) => [mark, counts[mark] / seconds]));
    return {
      x: (begin - from) / widthMs,
      width: (end - begin) / widthMs,
      values: rates as Record<TimelineMark, number>,
    };
  });
}

function sumOf(one: Stretch['counts'], other: Stretch['counts']): Stretch['counts'] {
  const sums = Object.fromEntries(marks.map((mark) => [mark, one[mark] + other[mark]]));
  return sums as Record<TimelineMark, number>;
}

function acrossAt(kind: 'grid' | 'limit', y: number): Html {
  return html`<line class="${kind}" x1="0" x2="100%" y1="${percent(y)}" y2="${percent(y)}" />`;
}

function downAt(kind: Moment['kind'], x: number, name: string): Html {
  return html`<line class="${kind}" x1="${percent(x)}" x2="${percent(x)}" y1="0" y2="100%"
    ><title>${name}</title></line
  >`;
}

/** `end`: of the axis, in periods. */
function stackedBar(
  { x, width, values }: Bar,
  series: readonly Series[],
  top: number,
  end: number,
): readonly Piece[] {
  let y = 1;
  return series.map(({ mark, fill }) => {
    const height = values[mark] / top;
    y -= height;
    return height === 0
      ? ''
      : html`<rect
          class="${fill}"
          x="${percent((x + 0.08 * width) / end)}"
          y="${percent(y)}"
          width="${percent((0.84 * width) / end)}"
          height="${percent(height)}"
        />`;
  });
}

/** Where an axis begins, its middle, and its end or its last period. */
function timesBelow({ stretches, span }: TimeChart): readonly number[] {
  if (span !== undefined) return [span.from, (span.from + span.until) / 2, span.until];
  const [first, middle, last] = [stretches[0], stretches[Math.floor(stretches.length / 2)], stretches.at(-1)];
  return [...new Set([first, middle, last])].flatMap((stretch) => stretch?.from ?? []);
}

function figuresTable({ title, series, stretches, timeZone }: TimeChart, time: (ms: number) => string): Html {
  const shown = stretches.filter(({ counts }) => series.some(({ mark }) => counts[mark] > 0));
  return dataTable(
    title,
    [{ title: `From (${timeZone})` }, ...series.map(({ name }) => ({ title: name, isNumber: true }))],
    shown.map(({ from, counts }) => [time(from), ...series.map(({ mark }) => formatCount(counts[mark]))]),
    shown.map(({ from }) => from),
  );
}

/** What the lines across the chart are, for those who cannot point at them. */
function momentsTable({ title, timeZone }: TimeChart, moments: readonly Moment[]): Html {
  if (moments.length === 0) return html``;
  const byTime = [...moments].sort((one, other) => one.at - other.at);
  return dataTable(
    `Runs: ${title}`,
    [{ title: `At (${timeZone})` }, { title: 'What' }],
    byTime.map(({ at, name }) => [formatTime(at, timeZone), inSentence(name)]),
    byTime.map(({ at, name }) => `${at} ${name}`),
  );
}

/** The meaning of each fill. */
export function legend(entries: readonly { readonly name: string; readonly fill: KeyFill }[]): Html {
  const keys = entries.map(({ name, fill }) => html`<li>${keyOf(fill)}${name}</li>`);
  return html`<ul class="legend">
    ${keys}
  </ul>`;
}

/** What a sample shows: an area, or a line across or down. */
type KeyFill = Fill | 'limit' | Moment['kind'];

/** The sample of a fill, before its name. */
export function keyOf(fill: KeyFill): Html {
  return html`<svg class="key" aria-hidden="true">${sampleOf(fill)}</svg>`;
}

function sampleOf(fill: KeyFill): Html {
  if (fill === 'limit') return acrossAt('limit', 0.5);
  if (fill === 'began' || fill === 'ended' || fill === 'stopped')
    return html`<line class="${fill}" x1="50%" x2="50%" y1="0" y2="100%" />`;
  return html`<rect class="${fill}" width="100%" height="100%" />`;
}

/** The next number that halves well: 2, 4, 10, 20, 40, 100, ... */
function roundUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(count));
  return ([2, 4, 10].find((step) => step * power >= count) ?? 20) * power;
}

/** A share (0 to 1) of a width or height. */
function percent(share: number): string {
  return `${Math.round(share * 100_000) / 1000}%`;
}
