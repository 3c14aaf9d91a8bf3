import { formatCount, formatTime } from '../format.ts';
import { dataTable, html, type Html } from './markup.ts';
import type { Mark, Stretch } from './timeline.ts';

/** Colours by meaning; the style sheet has them for light and dark. */
export type Tone = 'good' | 'bad' | 'warn' | 'rest' | 'plain';

export interface Share {
  readonly name: string;
  readonly count: number;
  readonly tone: Tone;
}

/** One bar, divided in proportion to the counts. Decoration: the counts are beside it as text. */
export function shareBar(shares: readonly Share[]): Html {
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  let x = 0;
  const parts = shares
    .filter(({ count }) => count > 0)
    .map(({ name, count, tone }) => {
      // Every count above zero must be visible.
      const width = Math.max(0.6, (count / total) * 100);
      const part = html`<rect class="${tone}" x="${round(x)}" y="0" width="${round(width)}" height="10"
        ><title>${name}: ${formatCount(count)}</title></rect
      >`;
      x += width;
      return part;
    });
  return html`<svg
    class="share"
    viewBox="0 0 ${round(Math.max(x, 100))} 10"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${parts}
  </svg>`;
}

export interface Series {
  readonly mark: Mark;
  readonly name: string;
  readonly tone: Tone;
}

export interface TimeChart {
  readonly title: string;
  /** Describes the bars in words. */
  readonly description: string;
  readonly series: readonly Series[];
  readonly stretches: readonly Stretch[];
  /** Drawn across, if it is not far above the bars. */
  readonly limit?: { readonly name: string; readonly value: number } | undefined;
  /** IANA name. */
  readonly timeZone: string;
}

/** Bars over time, the series stacked; a table below has the same figures. Labels are text, so they never shrink. */
export function timeChart({ title, description, series, stretches, limit, timeZone }: TimeChart): Html {
  const sum = ({ counts }: Stretch) => series.reduce((total, { mark }) => total + counts[mark], 0);
  const highest = Math.max(1, ...stretches.map(sum));
  const line = limit !== undefined && limit.value <= 2 * highest ? limit : undefined;
  const top = roundUp(Math.max(highest, line?.value ?? 0));
  const bars = stretches.map((stretch, at) => {
    let y = 100;
    return series.map(({ mark, tone }) => {
      const height = (stretch.counts[mark] / top) * 100;
      y -= height;
      return height === 0
        ? ''
        : html`<rect
            class="${tone}"
            x="${round(at + 0.08)}"
            y="${round(y)}"
            width="0.84"
            height="${round(height)}"
          />`;
    });
  });
  const isFine = (stretches[1]?.from ?? 0) - (stretches[0]?.from ?? 0) < 60_000;
  const time = (ms: number) => formatTime(ms, timeZone).slice(0, isFine ? 19 : 16);
  const [first, middle, last] = [stretches[0], stretches[Math.floor(stretches.length / 2)], stretches.at(-1)];
  const labels = [...new Set([first, middle, last])].flatMap((stretch) =>
    stretch === undefined ? [] : [html`<span>${time(stretch.from)}</span>`],
  );
  const shown = stretches.filter((stretch) => sum(stretch) > 0);
  return html`<figure>
    <figcaption>${title}</figcaption>
    <div class="plot">
      <div class="scale" aria-hidden="true">
        <span>${formatCount(top)}</span><span>${formatCount(top / 2)}</span><span>0</span>
      </div>
      <svg
        viewBox="0 0 ${stretches.length} 100"
        preserveAspectRatio="none"
        role="img"
        aria-label="${description}"
      >
        <path class="grid" d="M0 0H${stretches.length}M0 50H${stretches.length}M0 100H${stretches.length}" />
        ${bars}
        ${line === undefined ? '' : html`<path class="limit" d="M0 ${round(100 - (line.value / top) * 100)}H${stretches.length}" />`}
      </svg>
      <div class="times" aria-hidden="true">${labels}</div>
    </div>
    ${legend([...series, ...(line === undefined ? [] : [{ name: line.name, tone: 'limit' as const }])])}
    <details>
      <summary>Figures</summary>
      ${dataTable(
        title,
        [{ title: `From (${timeZone})` }, ...series.map(({ name }) => ({ title: name, isNumber: true }))],
        shown.map((stretch) => [
          time(stretch.from),
          ...series.map(({ mark }) => formatCount(stretch.counts[mark])),
        ]),
      )}
    </details>
  </figure>`;
}

/** The meaning of each colour. */
export function legend(entries: readonly { readonly name: string; readonly tone: Tone | 'limit' }[]): Html {
  const keys = entries.map(
    ({ name, tone }) =>
      html`<li>
        <svg class="key" viewBox="0 0 10 10" aria-hidden="true">
          ${tone === 'limit' ? html`<path class="limit" d="M0 5H10" />` : html`<rect class="${tone}" width="10" height="10" />`}</svg
        >${name}
      </li>`,
  );
  return html`<ul class="legend">
    ${keys}
  </ul>`;
}

/** The next number that halves well: 2, 4, 10, 20, 40, 100, ... */
function roundUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(count));
  return ([2, 4, 10].find((step) => step * power >= count) ?? 20) * power;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
