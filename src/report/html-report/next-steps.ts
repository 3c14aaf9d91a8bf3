import type { NextStep } from '../advice/remedies.ts';
import { whoActs } from '../advice/remedy.ts';
import { html, type Html } from './markup.ts';

/** What to do now, most urgent first: who must act, the sentence, and the commands, ready to type. */
export function nextStepsList(steps: readonly NextStep[]): Html {
  const items = steps.map(({ who, sentence, commands }) => {
    const typed = commands.map((command) => html`<pre><code>${command}</code></pre>`);
    return html`<li><span class="pill">${whoActs[who]}</span> ${sentence} ${typed}</li>`;
  });
  return html`<ol>
    ${items}
  </ol>`;
}
