/** Types for a mapping's `module`: what its functions are given and what they may give. See docs/mapping.md. */

/** A JSON value. A number with more digits than JavaScript's own numbers hold keeps them as a LongNumber. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | LongNumber
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** The digits of a long number; may be handed back as it is. */
export interface LongNumber {
  readonly value: string;
  toString(): string;
}

/** What a column holds: a text (CSV) or any JSON value. undefined is an empty cell. */
export type CellValue = JsonValue | undefined;

/** Where a value stands in the export. */
export interface Cell {
  /** Relative to the export's directory. */
  readonly file: string;
  /** From 1, as an editor counts. */
  readonly line: number;
  /** The header's name (CSV) or the dotted path within the record (JSON). */
  readonly column: string;
}

/** Where the values were read. */
export interface Provenance {
  /** One for each value, in their order. */
  readonly cells: readonly Cell[];
}

/**
 * A function that a mapping's `call` names. It is given what each column of `column` holds, and after them where that was
 * read. What it gives is the field's value, in the interface's own form; undefined, null and '' omit the field.
 * What it throws is a problem of the account: at the cell that the error has as its `cell`, else at the first filled one.
 */
export type MappingFunction<Values extends readonly CellValue[] = [text: string | undefined]> = (
  ...given: [...values: Values, from: Provenance]
) => JsonValue | undefined;
