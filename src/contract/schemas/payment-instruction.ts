import { identification } from './account.ts';
import { open, text } from './fields.ts';
import { object, type ValueOf } from './schema.ts';

/** The types that the interface names; a tenancy may have others. */
export const instructionTypes = [
  'BPAY',
  'CARD',
  'CUSTOM',
  'DIRECT_DEBIT',
  'GMO_REFUND',
  'PAYMENT_SLIP',
] as const;

/** Payment instruction payload of endpoint 13 (section 2.11). */
export const paymentInstructionPayload = object({
  ...identification,
  vendor: text(),
  reference: text(512),
  type: open(instructionTypes),
});

export type PaymentInstructionPayload = ValueOf<typeof paymentInstructionPayload>;
