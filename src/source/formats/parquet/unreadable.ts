import type { UnreadableValue } from '../../row.ts';

const details = {
  invalid_encoding: 'The value is not valid UTF-8. Write it as text in UTF-8.',
  not_a_number: 'The value is not a number (NaN or infinite). Correct it, or leave it empty.',
  date_out_of_range: 'The value is not a date of the years 1 to 9999. Correct it, or leave it empty.',
  time_out_of_range: 'The value is not a time of day. Correct it, or leave it empty.',
} as const;

/** What a value that cannot be read looks like, and why it cannot. */
export type UnreadableText = readonly [shown: string, code: keyof typeof details];

/** The problem of such a value. */
export function unreadableAt(line: number, column: string, [, code]: UnreadableText): UnreadableValue {
  return { line, column, code, detail: details[code] };
}
