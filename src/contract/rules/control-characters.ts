import type { JsonValue } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { RuleCode } from '../rule-codes.ts';
import { levelOf, type RuleContext } from './rule.ts';
import { someText, visitTexts } from './texts.ts';

export const controlCharacterCode = 'control_character' satisfies RuleCode;

/** Tabs and line ends are allowed in a text; other control characters come from a wrong encoding or a damaged file. */
// eslint-disable-next-line no-control-regex -- these are the characters to be found
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Adds a problem for each text of a payload with a control character. */
export function findControlCharacters(
  payload: JsonValue,
  context: RuleContext,
  found: PayloadProblem[],
): void {
  const severity = levelOf(controlCharacterCode, context.levels);
  if (severity === 'off' || !someText(payload, control)) return;
  visitTexts(payload, (text, trail) => {
    const [character] = control.exec(text) ?? [];
    if (character === undefined) return;
    const name = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    const detail = `The text contains the control character ${name}. Correct the cell, or set the encoding of the file.`;
    found.push({ code: controlCharacterCode, path: trail.join('.'), detail, severity });
  });
}
