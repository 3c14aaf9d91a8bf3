import { paymentInstructionAnswer } from '../../contract/answers.ts';
import type { PaymentInstructionPayload } from '../../contract/schemas/payment-instruction.ts';
import { accountNotFound } from '../refusals.ts';
import { answer, type Refused } from '../reply.ts';
import { accountNumber } from '../store/accounts.ts';
import type { ServedEndpoint } from './endpoint.ts';

/** Endpoint 13: asks the vendor, and stores what it says (section 2.11; section 4, rule 8). */
export const paymentInstruction: ServedEndpoint = {
  description: {
    summary: 'Add a payment instruction that the vendor knows; after a 500, send the same request again',
    answer: { PaymentInstructionCreated: paymentInstructionAnswer },
    statuses: ['404', '500'],
  },
  step: 'payment-instruction',
  answer({ key, body }, context) {
    const { vendor, reference = '', type } = body as Partial<PaymentInstructionPayload>;
    const account = context.store.findAccount(key)?.number;
    if (typeof account !== 'number') return accountNotFound;
    const stored = context.store.findPaymentInstruction(account);
    const data = JSON.stringify({ vendor, reference, type });
    if (stored !== undefined && stored !== data)
      return refused(400, 'account_has_active_instruction', 'The account already has an active instruction.');
    const trouble = vendorRefusal(reference, context.vendorFailures);
    if (trouble !== undefined) return trouble;
    if (stored === undefined) context.store.addPaymentInstruction(account, data);
    return answer(201, { kraken_account_number: accountNumber(account), reference });
  },
  async around({ body }, context, proceed) {
    const { reference = '' } = body as Partial<PaymentInstructionPayload>;
    if (reference.startsWith('SLOW-'))
      await context.clock.sleep(context.operator().vendorSlowMs, context.closing());
    return proceed();
  },
};

function refused(status: number, code: string, detail: string): Refused {
  return { status, code, detail, more: { error_detail: detail } };
}

/**
 * The simulated payment vendor: it knows every reference, save that the beginning of one can ask for trouble.
 * `INTERMITTENT-` fails the first time only.
 */
export function vendorRefusal(reference: string, failedOnce: Set<string>): Refused | undefined {
  if (reference.startsWith('UNKNOWN-'))
    return refused(
      400,
      'payment_instruction_not_found',
      'The vendor has no instruction with this reference.',
    );
  if (reference.startsWith('PERSISTENT-'))
    return refused(400, 'payment_vendor_unreachable', 'The payment vendor cannot be reached. Do not retry.');
  if (!reference.startsWith('INTERMITTENT-') || failedOnce.has(reference)) return undefined;
  failedOnce.add(reference);
  return refused(
    500,
    'payment_vendor_unavailable',
    'The payment vendor did not answer. Send the same request again.',
  );
}
