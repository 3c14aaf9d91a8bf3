import { isJsonObject, numberText } from '../../../domain/json.ts';
import { valueAt } from '../../../domain/paths.ts';
import { parsedRecord } from './faults.ts';
import { afterBlanks, stringEnd, walkJson } from './walk.ts';

/** The records of a text that is not one JSON text. */
export interface JoinedRecords {
  /** The account numbers of its records, in their order; empty if that of one of them cannot be found. */
  readonly numbers: readonly string[];
  /** The same member within a single record: of a list, or of a record that was lost in part. */
  readonly others: readonly string[];
  /** Whether the text holds more than one record, or a part of another. */
  readonly isJoined: boolean;
}

const unknown: JoinedRecords = { numbers: [], others: [], isJoined: true };

/** A text with more records than these is of an unknown account. */
const mostRecords = 1_000;

/**
 * Finds the records in a text that is not JSON: files that were joined without a line end between them, or a line that was
 * torn. `key`: the dotted path of the account number.
 */
export function joinedRecords(text: string, key: string): JoinedRecords {
  const numbers: string[] = [];
  let rest = text.trim();
  for (;;) {
    const whole = firstRecord(rest);
    if (whole === undefined) break;
    const { number, end } = whole(key);
    if (number === undefined || numbers.length === mostRecords) return unknown;
    numbers.push(number);
    rest = rest.slice(end).replace(separators, '');
    // A comma or a bracket too many is no record.
    if (/^[\]}\s,;]*$/.test(rest)) return { numbers, others: [], isJoined: numbers.length > 1 };
  }
  const torn = tornRecords(rest, key);
  if (torn.numbers.length === 0) return { ...torn, isJoined: torn.isJoined || numbers.length > 0 };
  const all = [...numbers, ...torn.numbers];
  return { ...torn, numbers: all, isJoined: torn.isJoined || all.length > 1 };
}

/** What stands between records: blanks, control characters such as the record separator, commas. */
const separators = /^[\s\p{Cc}\p{Cf}\p{Z},;]+/u;

/** The object at the beginning of a text; undefined if there is none that is JSON. */
function firstRecord(text: string) {
  if (!text.startsWith('{')) return undefined;
  const end = walkJson(text, () => undefined)?.at ?? text.length;
  const parsed = parsedRecord(text.slice(0, end));
  if (parsed === undefined || !isJsonObject(parsed.value)) return undefined;
  const { value, faults } = parsed;
  return (key: string) => {
    const isSure = !faults.some(({ path, isOfKey }) => isOfKey || path === key || key.startsWith(`${path}.`));
    const written = isSure ? numberText(valueAt(value, key)) : undefined;
    return { number: written?.trim() === '' ? undefined : written, end };
  };
}

function tornRecords(text: string, key: string): JoinedRecords {
  const error = walkJson(text, () => undefined)?.at ?? text.length;
  const named = membersNamed(text, key.slice(key.lastIndexOf('.') + 1));
  const [first, ...others] = named.filter((one) => one !== undefined);
  if (first === undefined) return unknown;
  const all = [first, ...others];
  const starts = recordStarts(text, error);
  // It seems closed and is not: a record begins where a value of another one was torn.
  const isUnclosed = error === text.length && /[}\]]$/.test(text) && !endsInString(text);
  if (starts === 1 && !isUnclosed) return { numbers: [first], others, isJoined: !text.startsWith('{') };
  const isKnown = all.length === named.length && all.length >= Math.max(starts, isUnclosed ? 2 : 1);
  return isKnown && all.length <= mostRecords ? { numbers: all, others: [], isJoined: true } : unknown;
}

function endsInString(text: string): boolean {
  return (text.replaceAll(/\\[\s\S]/g, '').split('"').length - 1) % 2 === 1;
}

/** How many records may begin in a text, besides objects that are values of another. */
function recordStarts(text: string, error: number): number {
  let starts = 1;
  for (const { index } of text.matchAll(/\{(?=\s*["}])/g)) {
    if (index === 0) continue;
    const before = text.slice(0, index).trimEnd().at(-1) ?? '';
    if (!':[,'.includes(before) || index === error) starts += 1;
  }
  return starts;
}

/** The texts of all members of this name, in a text that is not JSON; undefined for one that cannot be read. */
function membersNamed(text: string, name: string): (string | undefined)[] {
  const member = JSON.stringify(name);
  const found: (string | undefined)[] = [];
  for (let at = text.indexOf(member); at >= 0; at = text.indexOf(member, at + member.length)) {
    const colon = afterBlanks(text, at + member.length);
    if (text[colon] !== ':') continue;
    const start = afterBlanks(text, colon + 1);
    const end = text[start] === '"' ? stringEnd(text, start) : undefined;
    const value = end === undefined ? undefined : parsedRecord(text.slice(start, end))?.value;
    found.push(typeof value === 'string' && value.trim() !== '' ? value : undefined);
  }
  return found;
}
