import Big from 'big.js';
import { LosslessNumber, parse, stringify } from 'lossless-json';
import { jsonMarks, longNumbers, type JsonMarks } from './json-marks.ts';

/**
 * JSON in the program's form: JavaScript's own values, except that a number which a float cannot represent keeps its
 * digits as an ExactNumber. A number that is read with 25 digits is written with the same 25.
 */
export type JsonValue = null | boolean | number | string | ExactNumber | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Thrown inside JSON.stringify if a value needs the slower, lossless path. */
const needsLossless = new Error('lossless');

/** A JSON number that keeps its digits. */
export class ExactNumber extends LosslessNumber {
  toJSON(): never {
    throw needsLossless;
  }
}

function exactOrFloat(text: string): number | ExactNumber {
  const float = Number(text);
  return sameNumber(text, float) ? float : new ExactNumber(text);
}

function sameNumber(text: string, float: number): boolean {
  if (!Number.isFinite(float)) return false;
  return significand(text) === significand(String(float));
}

/** The digits and the scale of a number, without redundant zeros and signs. */
function significand(text: string): string {
  const match = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return text;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  const trimmed = withoutEndingZeros(digits);
  if (trimmed === '') return '0';
  const scale = Number(exponent) - fraction.length + (digits.length - trimmed.length);
  return `${text.startsWith('-') ? '-' : ''}${trimmed}e${scale}`;
}

/** A pattern would look at each run of zeros as often as it is long. */
function withoutEndingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/**
 * Parses JSON without losing a digit; the last value of a repeated key wins. Throws a SyntaxError if the text is not
 * JSON; its message may quote the text.
 */
export function parseJson(text: string): JsonValue {
  return parseMarked(text, jsonMarks(text));
}

/** The same for a text whose marks are known. */
export function parseMarked(text: string, { exact }: JsonMarks): JsonValue {
  if (!exact) return JSON.parse(text) as JsonValue;
  try {
    return text.includes(escapedMark) ? (parse(text, undefined, lossless) as JsonValue) : parseExact(text);
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError('JSON is nested too deeply.', { cause: error });
    throw error;
  }
}

/** Begins the text that stands for a long number. A text of the JSON begins with it only if the JSON has this escape. */
const escapedMark = String.raw`\u0000`;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Lets JSON.parse read all but the few long numbers, which is much faster than a parser in JavaScript. */
function parseExact(text: string): JsonValue {
  const numbers: string[] = [];
  let [marked, end] = ['', 0];
  for (const [from, to] of longNumbers(text)) {
    const number = text.slice(from, to);
    // What is not a number stays, so that JSON.parse refuses it.
    if (!jsonNumber.test(number)) continue;
    marked += `${text.slice(end, from)}"${escapedMark}${numbers.push(number) - 1}"`;
    end = to;
  }
  return withNumbers(JSON.parse(marked + text.slice(end)) as JsonValue, numbers);
}

function withNumbers(value: JsonValue, numbers: readonly string[]): JsonValue {
  if (typeof value === 'string')
    return isMarked(value) ? exactOrFloat(numbers[Number(value.slice(1))] ?? '') : value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const item = value[at] as JsonValue;
      if (typeof item === 'string' ? isMarked(item) : typeof item === 'object')
        value[at] = withNumbers(item, numbers);
    }
  } else if (isJsonObject(value))
    for (const key in value) {
      if (isMarked(key)) throw new SyntaxError('A number stands where a name must.');
      const item = value[key] as JsonValue;
      if (typeof item === 'string' ? isMarked(item) : typeof item === 'object')
        value[key] = withNumbers(item, numbers);
    }
  return value;
}

function isMarked(text: string): boolean {
  return text.charCodeAt(0) === 0;
}

const lossless = {
  parseNumber: exactOrFloat,
  onDuplicateKey: ({ newValue }: { newValue: unknown }) => newValue,
};

/**
 * The number of members after parsing. It is lower than in the marks if an object has a key twice, or a `__proto__`,
 * which is not counted.
 */
export function countMembers(value: JsonValue): number {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countMembers(item);
  else
    for (const key in value) {
      count += countMembers(value[key] as JsonValue);
      if (key !== '__proto__') count++;
    }
  return count;
}

/** Writes JSON without losing a digit. */
export function stringifyJson(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error !== needsLossless) throw error;
    return stringify(value, undefined, undefined) ?? 'null';
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** The digits of a JSON number, or the decimal string unchanged; undefined for other values. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === 'number') return plainNotation(value);
  if (value instanceof ExactNumber) return value.value;
  return typeof value === 'string' ? value : undefined;
}

/** JavaScript writes small and large floats with an exponent; amounts have none. */
function plainNotation(value: number): string {
  const text = String(value);
  return text.includes('e') ? new Big(text).toFixed() : text;
}
