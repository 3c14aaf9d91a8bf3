import type { TransferStatus } from '../../contract/answers.ts';
import { keyText } from '../platform-context.ts';
import { answer } from '../reply.ts';
import { accountNumber } from '../store/find-account.ts';
import type { GetEndpoint } from './endpoint.ts';

/** Endpoint 4: 200 whenever an import process exists (section 4, rule 4; section 2.12). */
export const transferStatus: GetEndpoint = {
  answer(key, context) {
    const account = context.store.findAccount(key);
    if (account === undefined)
      return {
        status: 404,
        code: 'import_process_does_not_exist',
        detail: 'No account import process exists for this supplier and account number.',
      };
    const status = (name: TransferStatus, number = '') =>
      answer(200, { status: name, kraken_account_number: number });
    if (account.number !== null) return status('COMPLETED', accountNumber(account.number));
    return status(context.inProgress.has(keyText(key)) ? 'IN_PROGRESS' : 'UNKNOWN');
  },
};
