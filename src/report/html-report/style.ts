import { css } from './markup.ts';

/** Light and dark, paper and phone. Every text colour has a contrast of at least 4.5 to its background. */
export const style = css`
  :root {
    --page: #ffffff;
    --card: #f4f6f8;
    --text: #1b232b;
    --faint: #55616d;
    --line: #d3dae0;
    --good: #177245;
    --warn: #8a5a00;
    --bad: #b3261e;
    --rest: #8794a1;
    --waiting: #c3ccd4;
    --plain: #1f5fa8;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --page: #12171c;
      --card: #1b2229;
      --text: #e6eaee;
      --faint: #a3aeb9;
      --line: #36414b;
      --good: #4cc38a;
      --warn: #e3b341;
      --bad: #ff8b80;
      --rest: #71808e;
      --waiting: #4d5965;
      --plain: #79b4f4;
    }
  }
  * {
    box-sizing: border-box;
  }
  body {
    margin: 0 auto;
    padding: 1.5rem 1rem 3rem;
    max-width: 68rem;
    background: var(--page);
    color: var(--text);
    font:
      1rem/1.5 system-ui,
      -apple-system,
      'Segoe UI',
      Roboto,
      'Liberation Sans',
      sans-serif;
    overflow-wrap: break-word;
  }
  h1 {
    font-size: 1.6rem;
    line-height: 1.25;
    margin: 0;
  }
  h2 {
    font-size: 1.2rem;
    line-height: 1.3;
    margin: 2.5rem 0 0.75rem;
  }
  h3 {
    font-size: 1rem;
    margin: 1.5rem 0 0.5rem;
  }
  p {
    margin: 0.5rem 0;
    max-width: 46rem;
  }
  a {
    color: var(--plain);
  }
  form {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
    margin: 0.75rem 0;
  }
  input,
  button {
    font: inherit;
    color: inherit;
    padding: 0.3rem 0.6rem;
    border: 1px solid var(--rest);
    border-radius: 0.25rem;
    background: var(--card);
  }
  input {
    min-width: 0;
    flex: 0 1 16rem;
  }
  [role='alert'] {
    padding: 0.6rem 0.8rem;
    border-left: 0.5rem solid var(--warn);
    background: var(--card);
  }
  .pill .key {
    width: 0.75rem;
    height: 0.75rem;
    vertical-align: -0.05rem;
  }
  .total th,
  .total td {
    border-top: 2px solid var(--rest);
  }
  .pill {
    display: inline-block;
    padding: 0 0.5rem;
    border: 1px solid var(--line);
    border-radius: 1rem;
    background: var(--card);
    font-size: 0.875rem;
    white-space: nowrap;
  }

  .faint,
  footer {
    color: var(--faint);
  }
  footer {
    margin-top: 3rem;
    padding-top: 1rem;
    border-top: 1px solid var(--line);
    font-size: 0.875rem;
  }

  .headline {
    margin-top: 1.25rem;
    padding: 1rem 1.25rem;
    border-left: 0.5rem solid var(--rest);
    border-radius: 0.25rem;
    background: var(--card);
  }
  .headline h2,
  .headline h3 {
    margin: 0;
    font-size: 1.35rem;
  }
  .headline p {
    margin: 0.25rem 0 0;
  }
  .run {
    font-weight: 600;
  }
  .meaning {
    display: block;
    font-weight: 400;
    min-width: 12rem;
    max-width: 24rem;
  }
  .headline.good {
    border-color: var(--good);
  }
  .headline.warn {
    border-color: var(--warn);
  }
  .headline.bad {
    border-color: var(--bad);
  }
  .good > h2,
  .good > h3 {
    color: var(--good);
  }
  .warn > h2,
  .warn > h3 {
    color: var(--warn);
  }
  .bad > h2,
  .bad > h3 {
    color: var(--bad);
  }

  .silent #box-headline {
    display: none;
  }
  .patterns {
    position: absolute;
    width: 0;
    height: 0;
  }
  .ink-page {
    fill: var(--page);
  }
  .ink-bad {
    fill: var(--bad);
  }
  .ink-warn {
    fill: var(--warn);
  }
  .ink-plain {
    fill: var(--plain);
  }
  .ink-rest {
    fill: var(--rest);
  }
  rect.completed {
    fill: var(--good);
  }
  rect.created {
    fill: var(--plain);
  }
  rect.pending {
    fill: var(--waiting);
  }
  rect.imported {
    fill: url(#fill-imported);
  }
  rect.staged {
    fill: url(#fill-staged);
  }
  rect.unread {
    fill: url(#fill-unread);
  }
  rect.rejected {
    fill: url(#fill-rejected);
  }
  rect.failed {
    fill: url(#fill-failed);
  }
  rect.uncertain {
    fill: url(#fill-uncertain);
  }
  rect.skipped {
    fill: url(#fill-skipped);
  }
  /* Narrower than a pixel: a line in the middle of where it is. */
  rect.thin {
    stroke: var(--text);
  }
  .share {
    display: block;
    width: 100%;
    min-width: 8rem;
    height: 0.75rem;
    margin-top: 0.35rem;
    border-radius: 0.2rem;
    outline: 1px solid var(--rest);
  }
  .wide .share {
    height: 1.5rem;
    margin-bottom: 0.75rem;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.25rem;
    list-style: none;
    margin: 0.5rem 0;
    padding: 0;
    font-size: 0.875rem;
  }
  .key {
    width: 1rem;
    height: 1rem;
    vertical-align: -0.15rem;
    border: 1px solid var(--faint);
    margin-right: 0.4rem;
  }
  figure {
    margin: 0 0 1.75rem;
  }
  figcaption {
    font-weight: 600;
    padding: 0 0 0.5rem;
  }
  caption {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .plot {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 0.25rem 0.5rem;
    font-size: 0.8125rem;
    color: var(--faint);
  }
  .plot > svg {
    width: 100%;
    height: 10rem;
    display: block;
  }
  .scale {
    display: flex;
    flex-direction: column;
    justify-content: space-between;
    text-align: right;
    line-height: 1;
    font-variant-numeric: tabular-nums;
  }
  .times {
    grid-column: 2;
    display: flex;
    justify-content: space-between;
    gap: 0.5rem;
  }
  .times span:nth-child(2):not(:last-child) {
    text-align: center;
  }
  .times span:last-child:not(:first-child) {
    text-align: right;
  }
  .grid {
    stroke: var(--line);
    stroke-width: 1px;
    vector-effect: non-scaling-stroke;
    fill: none;
  }

  .limit {
    stroke: var(--text);
    stroke-width: 2px;
    stroke-dasharray: 4 3;
    vector-effect: non-scaling-stroke;
    fill: none;
  }

  .began,
  .ended,
  .stopped {
    stroke: var(--text);
    stroke-width: 2px;
    vector-effect: non-scaling-stroke;
  }
  .ended {
    stroke-dasharray: 2 4;
  }
  .stopped {
    stroke-width: 3px;
    stroke-dasharray: 12 5;
  }
  .book {
    margin-top: 3rem;
    padding-top: 0.5rem;
    border-top: 2px solid var(--rest);
  }

  .scroll {
    position: relative;
    overflow-x: auto;
    /* A shade where a table goes on to the right; its own end covers it. */
    background:
      linear-gradient(to left, var(--page) 40%, transparent) right / 3rem 100% no-repeat local,
      linear-gradient(to left, var(--line), transparent) right / 1rem 100% no-repeat scroll;
  }
  table {
    border-collapse: collapse;
    font-size: 0.9375rem;
  }
  th,
  td {
    text-align: left;
    vertical-align: top;
    padding: 0.4rem 1.25rem 0.4rem 0;
    border-bottom: 1px solid var(--line);
    unicode-bidi: isolate;
  }
  thead th {
    color: var(--faint);
    font-weight: 600;
    vertical-align: bottom;
    /* Heads of several words may break, and none within a word. */
    overflow-wrap: normal;
  }
  .sentence {
    min-width: 10rem;
  }
  tbody th {
    font-weight: 600;
    max-width: 22rem;
  }
  .whole {
    white-space: nowrap;
  }
  .long {
    overflow-wrap: anywhere;
  }
  .number {
    text-align: right;
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
  }
  thead .number {
    white-space: normal;
  }
  th:last-child,
  td:last-child {
    padding-right: 0;
  }
  td ul {
    list-style: none;
    margin: 0;
    padding: 0;
    min-width: 14rem;
  }
  code,
  pre,
  .command {
    font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
    font-size: 0.875em;
    unicode-bidi: isolate;
  }
  pre {
    margin: 0.5rem 0;
    padding: 0.6rem 0.8rem;
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: 0.25rem;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  td code {
    overflow-wrap: anywhere;
  }
  ol {
    padding-left: 1.25rem;
  }
  ol > li {
    margin-bottom: 1rem;
  }
  summary {
    cursor: pointer;
    color: var(--plain);
    font-size: 0.875rem;
    padding: 0.25rem 0;
  }
  :focus-visible {
    outline: 2px solid var(--plain);
    outline-offset: 2px;
  }

  @media (max-width: 40rem) {
    table {
      font-size: 0.8125rem;
    }
    th,
    td {
      padding-right: 0.375rem;
    }
    .meaning {
      min-width: 6.5rem;
    }
    td ul {
      min-width: 10rem;
    }
  }
  @media print {
    :root {
      font-size: 10pt;
      --page: #ffffff;
      --card: #f4f6f8;
      --text: #000000;
      --faint: #444444;
      --line: #bbbbbb;
      --good: #177245;
      --warn: #8a5a00;
      --bad: #b3261e;
      --rest: #8794a1;
      --waiting: #c3ccd4;
      --plain: #1f5fa8;
    }
    body {
      max-width: none;
      padding: 0;
      font-size: 10pt;
      print-color-adjust: exact;
    }
    h2 {
      break-after: avoid;
    }
    tr,
    figure,
    li,
    .headline {
      break-inside: avoid;
    }
    .scroll {
      overflow: visible;
      background: none;
    }
    details {
      display: none;
    }
  }
`;
