import type { NextStep } from '../advice/remedies.ts';
import { directoryText } from '../advice/run-directory.ts';
import { whoActs } from '../advice/remedy.ts';
import { html, type Html, type Piece } from './markup.ts';

/**
 * What to do now, most urgent first: who must act, the sentence, and the commands, ready to type. `directories`: to which their paths are
 * relative, as far as they are known; only one that all share is told.
 */
export function nextStepsList(
  steps: readonly NextStep[],
  directories: readonly (string | undefined)[] = [],
): Html {
  const [directory, ...others] = [...new Set(directories)];
  const where = others.length > 0 ? '' : directoryText(directory);
  const items = steps.map(({ who, sentence, commands }) => {
    const typed = commands.map(
      ({ when, command }) =>
        html`${when === undefined ? '' : html`<p class="when">${when}</p>`}
          <pre><code>${command}</code></pre>`,
    );
    return html`<li><span class="pill">${whoActs[who]}</span> ${inText(sentence)} ${typed}</li>`;
  });
  return html`<ol>
      ${items}
    </ol>
    ${where === '' ? '' : html`<p class="faint">${where}</p>`}`;
}

/** A sentence whose commands, between backticks, are set apart. They have not the flags of those that are ready to type. */
export function inText(sentence: string): readonly Piece[] {
  return sentence
    .split('`')
    .map((part, at) => (at % 2 === 0 ? part : html`<span class="command">${part}</span>`));
}
