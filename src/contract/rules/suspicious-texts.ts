import { ExactNumber, type JsonValue } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { RuleCode } from '../rule-codes.ts';
import { levelOf, type RuleContext } from './rule.ts';
import { visitTexts } from './texts.ts';

export const suspiciousTextCode = 'suspicious_text' satisfies RuleCode;

/** What stands for a character that an encoding lacks: U+FFFD, the geta mark, a character of private use, ? in a word. */
const replaced = /[\ufffd\u3013\p{Co}]|(?<=[\p{L}\p{M}])\?(?=[\p{L}\p{M}])/u;

/** At an end of a text. */
const unseenAtEnd =
  /^[\p{Default_Ignorable_Code_Point}\p{Z}\u2800]|[\p{Default_Ignorable_Code_Point}\p{Z}\u2800]$/u;

/** UTF-8 that was read as windows-1252 or ISO 8859-1: a letter such as ü becomes two characters. */
const readTwice =
  /[ÃÅ][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u2026\u2030\u2039\u203a\u20ac\u2122]|\u00e2\u20ac[\u0098-\u009d\u02dc\u0153\u2122\u201c\u201d\u00a6]/u;

/** A text of a Mac or of DOS that was read as windows-1252: its letters become capitals or signs within a word. */
const otherPage = /(?<=\p{L})(?:[ŠŽŒŸ](?=\p{Ll})|[„†‡‰ˆ](?=\p{L}))/u;

/** A character as pages and XML write it. */
const entity = /&(?:[a-z]{2,8}|#\d{2,6}|#x[0-9a-f]{2,5});/iu;

/** A text with one of these has to be examined further. */
const candidate = new RegExp(
  [
    /^['=]|[?\ufffd\u3013\p{Co}\uff00-\uffef\u2800]|^[\p{Default_Ignorable_Code_Point}\p{Z}]|[\p{Default_Ignorable_Code_Point}\p{Z}]$/u,
    readTwice,
    otherPage,
    entity,
  ]
    .map(({ source }) => source)
    .join('|'),
  'u',
);

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

/** One address without a name, as fields of platforms take it. */
const emailAddress =
  /^(?!.*(?:\.\.|\p{Default_Ignorable_Code_Point}))[^\s@<>(),;:"[\]\\.](?:[^\s@<>(),;:"[\]\\]*[^\s@<>(),;:"[\]\\.])?@[^\s@<>(),;:"[\]\\.]+(?:\.[^\s@<>(),;:"[\]\\.]+)+$/u;

/** In characters; a longer one is a problem of its own. */
const longestAddress = 254;

/** Adds a problem for each text of a payload that a conversion between encodings seems to have damaged. */
export function findSuspiciousTexts(payload: JsonValue, context: RuleContext, found: PayloadProblem[]): void {
  const severity = levelOf(suspiciousTextCode, context.levels);
  if (severity === 'off' || !isSuspect(payload)) return;
  visitTexts(payload, (text, trail) => {
    const what = faultOf(text, String(trail.at(-1) ?? ''));
    if (what === undefined) return;
    const detail = `${what} Compare it with the old system, and correct the cell or the encoding of the file.`;
    found.push({ code: suspiciousTextCode, path: trail.join('.'), detail, severity });
  });
}

/** Whether a payload has a text to examine: nearly none does. */
function isSuspect(value: JsonValue, field = ''): boolean {
  if (typeof value === 'string')
    return candidate.test(value) || (field === 'email' && (/[^\0-\x7f]/.test(value) || isOddAddress(value)));
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return false;
  if (Array.isArray(value)) return value.some((item) => isSuspect(item));
  for (const name in value) if (isSuspect(value[name] ?? null, name)) return true;
  return false;
}

function isOddAddress(text: string): boolean {
  return text.trim() !== '' && text.length <= longestAddress && !emailAddress.test(text);
}

function faultOf(text: string, field: string): string | undefined {
  const isName = names.has(field);
  return (
    lostCharacter(text, isName) ??
    (isName ? faultOfName(text) : undefined) ??
    faultOfIdentifier(text, field) ??
    (field === 'body' ? undefined : unseenCharacter(text))
  );
}

function lostCharacter(text: string, isName: boolean): string | undefined {
  const [character] = replaced.exec(text) ?? (isName ? (/\?/.exec(text) ?? []) : []);
  return character === undefined || text.includes('://')
    ? undefined
    : `The text contains ${nameOf(character)}, which often stands for a character that an encoding lacks.`;
}

function faultOfName(text: string): string | undefined {
  if (inSingleQuotes.test(text))
    return 'The text is in single quotes, which a program may have put around its cells.';
  const [damaged] = readTwice.exec(text) ?? otherPage.exec(text) ?? entity.exec(text) ?? [];
  return damaged && `The text contains ${damaged}, which a program may have made of another character.`;
}

/** Of a text by which something is found. */
function faultOfIdentifier(text: string, field: string): string | undefined {
  if (field === 'email')
    return (
      mixedCharacters(text, 'e-mail address') ??
      (isOddAddress(text) ? 'The e-mail address does not have the form of one.' : undefined)
    );
  if (field !== 'external_account_number') return undefined;
  const [mark] = /^['=]/.exec(text) ?? [];
  return (
    mixedCharacters(text, 'account number') ??
    (mark && `The account number begins with ${mark}, which a spreadsheet may have put before it.`)
  );
}

function mixedCharacters(text: string, what: string): string | undefined {
  if (text !== text.normalize('NFKC')) return `The ${what} has full-width or other compatibility characters.`;
  return /[a-z]/i.test(text) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(text)
    ? `The ${what} has letters of different scripts, which may look the same.`
    : undefined;
}

function unseenCharacter(text: string): string | undefined {
  const [unseen] = unseenAtEnd.exec(text) ?? [];
  return unseen && `The text begins or ends with ${nameOf(unseen)}, which is not seen.`;
}

function nameOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return character === '?' ? 'a question mark' : `U+${code}`;
}
