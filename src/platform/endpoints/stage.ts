import { alreadyImported, invalid } from '../refusals.ts';
import { answer } from '../reply.ts';
import type { PostEndpoint } from './endpoint.ts';
import { notOpen } from './supplier.ts';

/** Endpoint 2: stores the data, or replaces it (section 4, rule 2). */
export const stage: PostEndpoint = {
  step: 'stage',
  refusesFirst: () => true,
  answer({ key, text }, context) {
    const { store } = context;
    const closed = notOpen(context.operator(), key.supplier, key.account, 'import_supplier');
    if (closed !== undefined) return invalid([closed]);
    const account = store.findAccount(key);
    if (typeof account?.number === 'number') return alreadyImported(key, account.number);
    store.stageAccount(key, account?.processId, { text, rules: context.rules.version(key.supplier) });
    return answer(account === undefined ? 201 : 200, {
      import_supplier: key.supplier,
      external_account_number: key.account,
    });
  },
};
