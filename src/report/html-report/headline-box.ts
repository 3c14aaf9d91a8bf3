import { waitText } from '../advice/can-wait.ts';
import type { NextStep } from '../advice/remedies.ts';
import { howStopped } from '../how-stopped.ts';
import { activeRun, type RunsSeen } from '../run-state.ts';
import type { Headline } from './headline.ts';
import { html, type Html } from './markup.ts';
import { runLineOf } from './run-line.ts';

/** What the box at the top of a page is made of. */
interface HeadlineSeen extends RunsSeen {
  /** What is to be mended. */
  readonly steps: readonly NextStep[];
  /** Sentences after the line of the run. */
  readonly more?: readonly string[];
}

/** The top of a page: how far it is, what the run does, whether a stop was planned, and whether all this can wait. */
export function headlineBox({ tone, headline, sentence }: Headline, seen: HeadlineSeen): Html {
  const lines = [sentence, ...answersOf(seen)].filter((line) => line !== '');
  return html`<section class="headline ${tone}" aria-labelledby="headline">
    <h2 id="headline">${headline}</h2>
    ${seen.runs.length === 0 ? '' : runLineOf(seen, seen.more)} ${lines.map((line) => html`<p>${line}</p>`)}
  </section>`;
}

function answersOf({ runs, running, steps }: HeadlineSeen): readonly string[] {
  const last = runs.find(({ dryRun }) => !dryRun);
  if (last === undefined || activeRun(runs, running) !== undefined) return [];
  return [howStopped(last), stepsWaitText(steps)];
}

/** Whether what is to be mended can wait. */
export function stepsWaitText(steps: readonly NextStep[]): string {
  const urgent = steps.find((step) => step.urgent !== undefined)?.urgent;
  return waitText(urgent, steps.length === 0);
}
