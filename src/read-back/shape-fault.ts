/** Something of a configuration that does not fit the platform's schema. */
export interface ShapeFault {
  /** The setting: `readBack.queries.account`, `readBack.values.notes.body`. */
  readonly setting: string;
  /** The path in the answer, or the argument of it: `account.notes.body`, `account.bills(first)`. */
  readonly field?: string | undefined;
  /** What is wrong, in one sentence. */
  readonly detail: string;
  /** A name that is there and looks like it. */
  readonly near?: string | undefined;
}
