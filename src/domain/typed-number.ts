import { ExactNumber, type JsonValue } from './json.ts';

/**
 * A number of a source whose cells have types, such as a workbook. The marks and signs of a mapping do not apply to it;
 * in every other respect it is the text that a cell of a CSV file would have, and a payload has that text.
 */
export class TypedNumber extends ExactNumber {}

const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** A typed number by its decimal text. An integer without a sign, or a text that is not a decimal, stays a text. */
export function typedNumber(text: string): TypedNumber | string {
  return hasMarks(text) && decimal.test(text) ? new TypedNumber(text) : text;
}

/** Whether a number has a point or a sign, which marks could give another meaning. */
export function hasMarks(text: string): boolean {
  return text.includes('.') || text.startsWith('-');
}

/** A typed number as its text; any other value unchanged. */
export function withoutType(value: JsonValue): JsonValue {
  return value instanceof TypedNumber ? value.value : value;
}
