import type * as library from 'csv-stringify/sync';
import { lazily, load } from '../domain/lazily.ts';
import type { AccountEntry } from '../journal/journal.ts';

const csvStringify = lazily(() => load('csv-stringify/sync') as typeof library);

const columns = ['import_supplier', 'external_account_number', 'kraken_account_number'];

/** The head of the list of old and new account numbers, as a line of CSV. */
export const numbersHeader = `${columns.join(',')}\n`;

/** One account's old and new number as a line of CSV, unescaped for programs. */
export function numbersLine({ key, krakenAccountNumber }: AccountEntry): string {
  return csvStringify().stringify([[key.supplier, key.account, krakenAccountNumber]]);
}
