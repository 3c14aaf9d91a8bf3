import { z } from 'zod';
import { identification } from './account.ts';
import { date, number, text } from './fields.ts';

export const statement = z.strictObject({
  bill_period_from_date: date,
  bill_period_to_date: date,
  statement_id: text(),
  issued_date: date.optional(),
  number: text().optional(),
  gross_amount: number.optional(),
  statement_path: text().optional(),
});

/** Historical statement payload of endpoint 12 (section 2.9). */
export const statementsPayload = z.strictObject({ ...identification, statements: z.array(statement) });

export type StatementsPayload = z.infer<typeof statementsPayload>;
