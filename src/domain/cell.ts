/** Provenance: the place in the export that a value was read from. */
export interface Cell {
  /** Path of the file, relative to the export directory. */
  readonly file: string;
  /** Line in the file as an editor shows it, from 1. */
  readonly line: number;
  /** The header's name (CSV), or the JSON path within the record, such as `customers.0.landline`. */
  readonly column: string;
  /** The other columns of the same row that the value was made of, if it was made of several. */
  readonly beside?: readonly string[];
  /**
   * The other cells on which the value depends: those of conditions that chose it, and those of other tables through
   * which the row's account was found.
   */
  readonly behind?: readonly Cell[];
}
