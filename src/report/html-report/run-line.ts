import { runLine, runWord, type RunsSeen } from '../run-state.ts';
import { html, type Html } from './markup.ts';

/** The line at the top: what the run does, as a pill, then platform, run and since when. `more`: sentences after it. */
export function runLineOf(seen: RunsSeen, more: readonly string[] = []): Html {
  const word = runWord(seen);
  const pill = word === undefined ? '' : html`<span class="pill">${word}</span> `;
  return html`<p class="run">${pill}${[runLine(seen), ...more].join(' ')}</p>`;
}
