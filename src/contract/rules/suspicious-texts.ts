import type { JsonValue } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { RuleCode } from '../rule-codes.ts';
import { levelOf, type RuleContext } from './rule.ts';
import { someText, visitTexts } from './texts.ts';

export const suspiciousTextCode = 'suspicious_text' satisfies RuleCode;

/** What stands for a character that an encoding lacks: U+FFFD, the geta mark, a character of private use, ? in a word. */
const replaced = /[\ufffd\u3013\p{Co}]|(?<=[\p{L}\p{M}])\?(?=[\p{L}\p{M}])/u;

/** At an end of a text. */
const unseenAtEnd =
  /^[\p{Default_Ignorable_Code_Point}\p{Z}\u2800]|[\p{Default_Ignorable_Code_Point}\p{Z}\u2800]$/u;

/** A text with one of these has to be examined further. */
const candidate =
  /^'|[?\ufffd\u3013\p{Co}\uff00-\uffef\u2800]|^[\p{Default_Ignorable_Code_Point}\p{Z}]|[\p{Default_Ignorable_Code_Point}\p{Z}]$/u;

/** Fields of names and places, where a question mark is none. */
const names: ReadonlySet<string> = new Set([
  'given_name',
  'family_name',
  'title',
  'street_address',
  'locality',
  'administrative_area',
]);

/** As files are written whose quotes are none of CSV. */
const inSingleQuotes = /^'[^']*'$/;

/** Adds a problem for each text of a payload that a conversion between encodings seems to have damaged. */
export function findSuspiciousTexts(payload: JsonValue, context: RuleContext, found: PayloadProblem[]): void {
  const severity = levelOf(suspiciousTextCode, context.levels);
  if (severity === 'off' || !someText(payload, candidate)) return;
  visitTexts(payload, (text, trail) => {
    const what = faultOf(text, String(trail.at(-1) ?? ''));
    if (what === undefined) return;
    const detail = `${what} Compare it with the old system, and correct the cell or the encoding of the file.`;
    found.push({ code: suspiciousTextCode, path: trail.join('.'), detail, severity });
  });
}

function faultOf(text: string, field: string): string | undefined {
  const [character] = replaced.exec(text) ?? (names.has(field) ? (/\?/.exec(text) ?? []) : []);
  if (character !== undefined && !text.includes('://'))
    return `The text contains ${nameOf(character)}, which often stands for a character that an encoding lacks.`;
  if (inSingleQuotes.test(text) && names.has(field))
    return 'The text is in single quotes, which a program may have put around its cells.';
  if (field === 'email' && text !== text.normalize('NFKC'))
    return 'The e-mail address has full-width or other compatibility characters.';
  const [unseen] = unseenAtEnd.exec(text) ?? [];
  if (unseen !== undefined && field !== 'body')
    return `The text begins or ends with ${nameOf(unseen)}, which is not seen.`;
  return undefined;
}

function nameOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return character === '?' ? 'a question mark' : `U+${code}`;
}
