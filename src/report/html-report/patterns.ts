import { html, type Html } from './markup.ts';

/**
 * The patterns of the fills, once in a page. The style sheet refers to them: completed accounts are solid and dark, pending ones
 * solid and light, and every other state has lines or dots of its own.
 */
export function patterns(): Html {
  const stripes = (id: string, ink: string, degrees: number, crossed = false) =>
    html`<pattern
      id="fill-${id}"
      width="6"
      height="6"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(${degrees})"
    >
      <rect class="ink-${ink}" width="6" height="6" />
      <rect class="ink-page" width="2" height="6" />
      ${crossed ? html`<rect class="ink-page" width="6" height="2" />` : ''}
    </pattern>`;
  const dots = (id: string, ground: string, ink: string) =>
    html`<pattern id="fill-${id}" width="6" height="6" patternUnits="userSpaceOnUse">
      <rect class="ink-${ground}" width="6" height="6" />
      <rect class="ink-${ink}" x="2" y="2" width="3" height="3" />
    </pattern>`;
  return html`<svg class="patterns" aria-hidden="true">
    <defs>
      ${dots('imported', 'plain', 'page')} ${dots('staged', 'page', 'plain')}
      ${dots('unread', 'page', 'rest')} ${stripes('rejected', 'bad', 45)}
      ${stripes('failed', 'bad', 45, true)} ${stripes('uncertain', 'warn', 0)}
      ${stripes('skipped', 'warn', 90)}
    </defs>
  </svg>`;
}
