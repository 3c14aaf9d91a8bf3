import { importProcessList } from '../../contract/answers.ts';
import { accountNumber, type ListedAccount } from '../store/accounts.ts';
import type { Operations } from '../store/open-store.ts';
import type { GetEndpoint } from './endpoint.ts';

/** Endpoint 5: pending and imported. */
export const allProcesses = list('Every import process', () => true);
/** Endpoint 6: pending. */
export const pendingProcesses = list(
  'Import processes without an account',
  (account) => account.number === null,
);
/** Endpoint 7: imported; its body is not shown, so it is as in endpoint 5. */
export const importedProcesses = list(
  'Import processes with an account',
  (account) => account.number !== null,
);

function list(summary: string, wanted: (account: ListedAccount) => boolean): GetEndpoint {
  return {
    description: { summary, answer: { ImportProcesses: importProcessList }, statuses: ['404'] },
    answer: ({ supplier }, context) =>
      Object.hasOwn(context.operator().suppliers, supplier)
        ? { status: 200, pieces: written(context.store, supplier, wanted) }
        : {
            status: 404,
            code: 'import_supplier_does_not_exist',
            detail: 'No import supplier has this code.',
          },
  };
}

/** A JSON array of records (section 2.5), one page of the state at a time. */
function* written(
  store: Operations,
  supplier: string,
  wanted: (account: ListedAccount) => boolean,
): Generator<string> {
  let separator = '[';
  for (let page = store.listAccounts(supplier, ''); page.length > 0;) {
    const records = page.filter(wanted).map((account) => JSON.stringify(recordOf(account)));
    if (records.length > 0) {
      yield separator + records.join(',');
      separator = ',';
    }
    page = store.listAccounts(supplier, page.at(-1)?.external ?? '');
  }
  yield separator === '[' ? '[]' : ']';
}

function recordOf({ external, number, created_at }: ListedAccount) {
  return {
    external_account_number: external,
    kraken_account_number: number === null ? null : accountNumber(number),
    account_created_at: created_at,
  };
}
