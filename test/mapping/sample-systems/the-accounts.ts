import {
  isJsonObject,
  numberText,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../../src/domain/json.ts';
import { valueAt } from '../../../src/domain/paths.ts';
import { makeAccount } from '../../../src/generate/account.ts';
import { flatTables } from '../../../src/generate/flat-tables.ts';

/** The fifty accounts of fixtures/interface and fixtures/flat, of which the other two samples are written. */
const accounts = Array.from({ length: 50 }, (_, position) =>
  makeAccount(`EXT-${String(position + 1).padStart(6, '0')}`, position, {
    supplier: 'TENTACLE_ENERGY',
    seed: 11,
  }),
);

/** One row of the flat shape, its account's number included. */
export class Row {
  readonly account: string;
  readonly fields: JsonObject;

  constructor(account: string, fields: JsonObject) {
    this.account = account;
    this.fields = fields;
  }

  /** The text at a dotted path; '' where there is nothing. */
  text(path: string): string {
    const value = this.value(path);
    return value === undefined ? '' : (numberText(value) ?? stringifyJson(value));
  }

  value(path: string): JsonValue | undefined {
    return valueAt(this.fields, path);
  }

  /** The texts of an array, with this between them. */
  list(path: string, between: string): string {
    const value = this.value(path);
    return Array.isArray(value) ? value.map((item) => numberText(item) ?? '').join(between) : '';
  }

  /** An array's objects as rows of the same account. */
  rows(path: string): Row[] {
    const value = this.value(path);
    return (Array.isArray(value) ? value : [])
      .filter(isJsonObject)
      .map((fields) => new Row(this.account, fields));
  }

  /** What a text, number or truth value is called elsewhere; '' where there is nothing. Throws for one that is not listed. */
  code(path: string, codes: Readonly<Record<string, string>>): string {
    const value = this.value(path);
    if (value === undefined) return '';
    const code = codes[numberText(value) ?? stringifyJson(value)];
    if (code === undefined) throw new Error(`${path} has no code for ${stringifyJson(value)}.`);
    return code;
  }
}

/** All rows of a file of the flat shape (its name without `.csv`). */
export function rowsOf(name: string): Row[] {
  const table = flatTables.find((known) => known.name === name);
  if (table === undefined) throw new Error(`The flat shape has no ${name}.`);
  return accounts.flatMap((records) => table.rows(records).map((fields) => new Row(records.account, fields)));
}

/** Every transaction, with the file of the flat shape that it is in. */
export const transactionFiles = [
  'historical_statement_transactions',
  'current_statement_transactions',
  'historical_billing_document_transactions',
  'additional_historical_transactions',
  'transactions',
] as const;

/** What the clocks of a zone show at a time of the interface's: its date and its time. */
export function localTime(
  utc: string,
  timeZone: string,
): { readonly date: string; readonly time: string } | undefined {
  if (utc === '') return undefined;
  const [date = '', time = ''] = new Date(utc).toLocaleString('sv-SE', { timeZone }).split(' ');
  return { date, time };
}
