import { importProcessList } from '../../contract/answers.ts';
import { accountNumber, type StoredListing } from '../store/accounts.ts';
import type { Operations } from '../store/open-store.ts';
import type { EndpointName } from '../../contract/endpoints.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { PlatformContext } from '../platform-context.ts';
import { knownOf } from '../known-facts.ts';
import { supplierStatus } from '../operator.ts';
import type { PathEndpoint } from './endpoint.ts';

/** Endpoint 5: pending and imported. */
export const allProcesses = list('allProcesses', 'Every import process', () => true);
/** Endpoint 6: pending. */
export const pendingProcesses = list(
  'pendingProcesses',
  'Import processes without an account',
  (account) => account.number === null,
);
/** Endpoint 7: imported; its body is not shown, so it is as in endpoint 5. */
export const importedProcesses = list(
  'importedProcesses',
  'Import processes with an account',
  (account) => account.number !== null,
);

function list(
  name: EndpointName,
  summary: string,
  wanted: (account: StoredListing) => boolean,
): PathEndpoint {
  return {
    description: { summary, answer: { ImportProcesses: importProcessList }, statuses: ['404'] },
    answer: ({ supplier }, context) =>
      supplierStatus(context.operator(), supplier) !== undefined
        ? { status: 200, pieces: written(context.store, supplier, wanted, recordAs(context, name, supplier)) }
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
  wanted: (account: StoredListing) => boolean,
  recordOf: (account: StoredListing) => JsonObject,
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

/** A record as the tenancy's contract has it. */
function recordAs(
  { answers }: Pick<PlatformContext, 'answers'>,
  name: EndpointName,
  supplier: string,
): (account: StoredListing) => JsonObject {
  return ({ external, number, created_at }) => {
    const record = {
      external_account_number: external,
      kraken_account_number: number === null ? null : accountNumber(number),
      account_created_at: created_at,
    };
    const facts = () => knownOf({ supplier, account: external }, number);
    return answers === undefined ? record : answers.fittedElement(name, record, facts);
  };
}
