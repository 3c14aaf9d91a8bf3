import { identification } from './account.ts';
import { date, number, text } from './fields.ts';
import { array, object, optional, type ValueOf } from './schema.ts';

export const statement = object({
  bill_period_from_date: date,
  bill_period_to_date: date,
  statement_id: text(),
  issued_date: optional(date),
  number: optional(text()),
  gross_amount: optional(number),
  statement_path: optional(text()),
});

/** Historical statement payload of endpoint 12 (section 2.9). */
export const statementsPayload = object({ ...identification, statements: array(statement) });

export type StatementsPayload = ValueOf<typeof statementsPayload>;
