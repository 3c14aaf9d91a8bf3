import { ExactNumber, type JsonValue } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { RuleCode } from '../rule-codes.ts';
import { levelOf, type RuleContext } from './rule.ts';

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
  if (severity === 'off' || !hasControl(payload)) return;
  visit(payload, [], (path, character) => {
    const name = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    const detail = `The text contains the control character ${name}. Correct the cell, or set the encoding of the file.`;
    found.push({ code: controlCharacterCode, path, detail, severity });
  });
}

/** Apart from `visit`, because nearly every payload has none. */
function hasControl(value: JsonValue): boolean {
  if (typeof value === 'string') return control.test(value);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return false;
  if (Array.isArray(value)) return value.some(hasControl);
  for (const name in value) if (hasControl(value[name] ?? null)) return true;
  return false;
}

function visit(
  value: JsonValue,
  trail: (string | number)[],
  tell: (path: string, character: string) => void,
): void {
  if (typeof value === 'string') {
    const character = control.exec(value)?.[0];
    if (character !== undefined) tell(trail.join('.'), character);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      trail.push(index);
      visit(value[index] ?? null, trail, tell);
      trail.pop();
    }
    return;
  }
  if (value instanceof ExactNumber) return;
  for (const name in value) {
    trail.push(name);
    visit(value[name] ?? null, trail, tell);
    trail.pop();
  }
}
