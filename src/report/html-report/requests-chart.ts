import type { RunEntry } from '../../journal/journal.ts';
import { formatDuration } from '../format.ts';
import { timeChart, type LiveSpan } from './charts.ts';
import { html, type Html } from './markup.ts';
import type { Timeline } from './timeline.ts';

/**
 * How many requests the platform accepted, and how many were refused because there were too many, with the rate that the
 * newest of the runs found; nothing if none was refused.
 *
 * @param runs newest first
 * @param span of a live page; absent: whole periods
 */
export function requestsChart(
  { stretches, widthMs }: Timeline,
  runs: readonly Pick<RunEntry, 'found'>[],
  timeZone: string,
  span?: LiveSpan,
): Html {
  if (!stretches.some(({ counts }) => counts.throttled > 0)) return html``;
  const each = formatDuration(widthMs);
  const perSecond = runs.find(({ found }) => found?.perSecond !== undefined)?.found?.perSecond;
  const rate = perSecond === undefined ? '' : rateText(perSecond);
  return timeChart({
    span,
    title: `Requests accepted, and refused because there were too many, ${span === undefined ? `in each ${each}` : `a second (bars of ${each})`}`,
    description: `Stacked bars: how many requests the platform accepted, and how many were refused because there were too many, in each ${each}.${rate === '' ? '' : ` A line shows the limit that was found, ${rate}.`} The table below has the figures.`,
    series: [
      { mark: 'accepted', name: 'accepted', fill: 'created' },
      { mark: 'throttled', name: 'refused: too many', fill: 'uncertain' },
    ],
    stretches,
    limit:
      perSecond === undefined
        ? undefined
        : {
            name: `the limit found, ${rate}`,
            value: span === undefined ? (perSecond * widthMs) / 1000 : perSecond,
          },
    timeZone,
  });
}

/** Such as `47 requests a second`. */
export function rateText(perSecond: number): string {
  return `${perSecond >= 10 ? Math.round(perSecond) : Number(perSecond.toPrecision(2))} requests a second`;
}
