import { isJsonObject, numberText, type JsonValue } from '../../../domain/json.ts';
import { valueAt } from '../../../domain/paths.ts';
import { parsedRecord, type JsonFault } from './faults.ts';
import { placeAt, ValueLines } from './place.ts';
import { joinedRecords } from './joined-records.ts';
import { deepest, walkJson } from './walk.ts';
import type { BadRow, Row, UnreadableValue } from '../../row.ts';
import { lookalikeNumber } from '../../account-numbers.ts';
import { keyOf, nothingOfKey, type FileTable } from '../../table.ts';

/** The text of one element of an array, or of one line. */
export interface JsonElement {
  /** Line on which it starts. */
  readonly line: number;
  readonly text: string;
  /** Whether it contains U+FFFD in place of bytes that are invalid in the file's encoding. */
  readonly damaged: boolean;
}

/** The longest element in bytes. */
export const longestElement = 64 * 1024 * 1024;

export const tooLongElement = {
  code: 'record_too_long',
  detail: `The record is longer than ${longestElement / 1024 / 1024} MiB. Split it into several records.`,
};

/**
 * The row of an element. Its account number must be a string. A number is a fault, attributed to the account whose
 * number has the same digits, because a number cannot keep leading zeros; unless the table's key fills it up with them.
 */
export function rowOf(element: JsonElement, table: FileTable): Row {
  const row = checked(element, table);
  return 'body' in row ? row : { ...row, first: element.line, text: element.text };
}

function checked(element: JsonElement, table: FileTable): Row {
  const { line, text } = element;
  const parsed = parsedRecord(text, element.damaged ? table : undefined);
  if (parsed === undefined) return malformed(element, table);
  const { value, faults } = parsed;
  if (!isJsonObject(value))
    return {
      line,
      column: '',
      code: 'not_an_object',
      detail: 'The record is not a JSON object. Make it one, or remove it.',
    };
  const account = valueAt(value, table.key);
  const whole = numberText(account);
  const written = table.trim === true ? whole?.trim() : whole;
  const number = written === undefined ? undefined : keyOf(table)(written);
  const isKnown = number !== undefined && number.trim() !== '';
  const unreadable = faults.map((fault) => unreadableValue(fault, line));
  // If the number itself is at fault, the row cannot be attributed.
  const inDoubt = faults.findIndex(({ path }) => path === table.key || table.key.startsWith(`${path}.`));
  const [fault] = unreadable;
  if (fault !== undefined && (inDoubt !== -1 || !isKnown)) return unreadable[inDoubt] ?? fault;
  const ofKey = unreadable[faults.findIndex(({ isOfKey }) => isOfKey)];
  if (ofKey !== undefined && isKnown) return { ...ofKey, account: number };
  const kept = table.ignore === undefined ? {} : { cells: text };
  const isText = typeof account === 'string' || table.keyShape?.pad !== undefined || table.via !== undefined;
  if (isText && isKnown && !/\p{Surrogate}/u.test(number)) {
    const lookalike = lookalikeNumber(number);
    if (lookalike !== undefined)
      return {
        ...kept,
        ...lookalike,
        line: line + new ValueLines(text).before(table.key),
        column: table.key,
      };
    const row = { line, account: number, body: text, fields: value };
    return fault === undefined ? row : { ...row, unreadable };
  }
  const wrong = number === '' && written?.trim() !== '' ? nothingOfKey : wrongNumber(account, number);
  return { ...kept, ...wrong, line: line + new ValueLines(text).before(table.key), column: table.key };
}

function wrongNumber(
  account: JsonValue | undefined,
  number: string | undefined,
): Pick<BadRow, 'code' | 'detail' | 'account'> {
  if (account === undefined || account === null || (typeof account === 'string' && account.trim() === ''))
    return {
      code: 'missing_account_number',
      detail: 'The record has no account number. Fill it in, or remove the record.',
    };
  const digits = typeof account === 'string' ? undefined : number;
  return {
    code: 'malformed_account_number',
    detail: 'The account number is not a string. Put it in quotes, exactly as the old system has it.',
    account: digits,
  };
}

function malformed({ line, text }: JsonElement, table: FileTable): BadRow {
  const error = walkJson(text, () => undefined);
  const place = placeAt(text, error?.at ?? 0);
  const where = error === undefined ? '' : `, at its character ${error.at + 1}`;
  const what = error?.isTooDeep === true ? `nested deeper than ${deepest} levels` : 'not valid JSON';
  const { numbers, others, isJoined } = joinedRecords(text, table.key);
  const [account, ...more] = numbers.map(keyOf(table));
  const remedy = isJoined
    ? 'It holds more than one record, or parts of several: put each on a line of its own, or export the file again.'
    : 'Correct it, or export it again.';
  return {
    line: line + place.lines,
    column: place.path,
    code: 'malformed_json',
    detail: `The record is ${what}${where}. ${remedy}`,
    account,
    ...(more.length === 0 ? {} : { alsoOf: otherThan(account, more) }),
    ...(others.length === 0 ? {} : { mayBeOf: otherThan(account, others.map(keyOf(table))) }),
  };
}

function otherThan(account: string | undefined, others: readonly string[]): readonly string[] {
  return [...new Set(others)].filter((other) => other !== account && other !== '');
}

function unreadableValue({ code, detail, path, lines }: JsonFault, line: number): UnreadableValue {
  return { line: line + lines, column: path, code, detail };
}
