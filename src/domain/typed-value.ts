import { ExactNumber, type JsonValue } from './json.ts';

/**
 * A number of a source whose cells have types, such as a workbook. The marks and signs of a mapping do not apply to it;
 * in every other respect it is the text that a cell of a CSV file would have, and a payload has that text.
 */
export class TypedNumber extends ExactNumber {}

/** A date of such a source, with or without a time of day. The date formats of a mapping do not apply to it. */
export class TypedDate {
  /** By ISO 8601: `2024-03-31`, `2024-03-31T14:30:00`, or with a `Z` in UTC. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get isUtc(): boolean {
    return this.text.endsWith('Z');
  }
}

/** The value of a cell. */
export type CellValue = JsonValue | TypedDate;

const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const moment = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z?)?$/;

/** A typed number by its decimal text. An integer without a sign, or a text that is not a decimal, stays a text. */
export function typedNumber(text: string): TypedNumber | string {
  return isPointed(text) && decimal.test(text) ? new TypedNumber(text) : text;
}

/** A typed date by its text; a text that is none stays a text. */
export function typedDate(text: string): TypedDate | string {
  return moment.test(text) ? new TypedDate(text) : text;
}

/** A typed number or date by its text; a text that is neither stays a text. */
export function typedValue(text: string): TypedNumber | TypedDate | string {
  return moment.test(text) ? new TypedDate(text) : typedNumber(text);
}

/** Whether the text of a number or a date has a point, a sign or a dash: without them, its type makes no difference. */
export function needsType(text: string): boolean {
  return text.includes('.') || text.includes('-');
}

/** Whether a text is that of a date in UTC. */
export function isUtcDate(text: string): boolean {
  return text.endsWith('Z') && moment.test(text);
}

/** Whether a number has a point or a sign, which marks could give another meaning. */
function isPointed(text: string): boolean {
  return text.includes('.') || text.startsWith('-');
}

/** A typed number or date as its text; any other value unchanged. */
export function withoutType(value: CellValue): JsonValue {
  if (value instanceof TypedDate) return value.text;
  return value instanceof TypedNumber ? value.value : value;
}
