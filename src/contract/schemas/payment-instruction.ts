import { identification } from './account.ts';
import { open, text } from './fields.ts';
import { object, type ValueOf } from './schema.ts';

/** Payment instruction payload of endpoint 13 (section 2.11). */
export const paymentInstructionPayload = object({
  ...identification,
  vendor: text(),
  reference: text(512),
  type: open(['BPAY', 'CARD', 'CUSTOM', 'DIRECT_DEBIT', 'GMO_REFUND', 'PAYMENT_SLIP']),
});

export type PaymentInstructionPayload = ValueOf<typeof paymentInstructionPayload>;
