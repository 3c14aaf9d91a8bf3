import { mkdir, readdir } from 'node:fs/promises';
import { stringifyJson, type JsonObject } from '../domain/json.ts';
import { makeAccount, recordFiles, type AccountRecords, type RecordFileName } from './account.ts';
import { flatTables } from './flat-tables.ts';
import { businessOf, businessRecord, contractOf, isLastOf, type ItemFileName } from './businesses.ts';
import { csv, csvRow, jsonArray, ndjson, quoted, RecordFile, type Frame } from './record-file.ts';
import type { AccountSettings } from './account-context.ts';

export interface GenerateOptions extends AccountSettings {
  /** Where the export is written; created where it does not exist, refused if it holds anything. */
  readonly directory: string;
  /** How many accounts. */
  readonly accounts: number;
  /** The interface's own payloads, or flat CSV; both shapes hold the same accounts for the same seed. */
  readonly shape: 'interface' | 'flat';
  /** Of the interface's shape: one record a line (the default), or one JSON array a file. */
  readonly format?: 'ndjson' | 'json';
  /** True puts the accounts of every file but `accounts` in another order. */
  readonly shuffle?: boolean;
  /** Whose records they are; absent: the interface's. */
  readonly tenancy?: RecordForm | undefined;
  /** Called after each account, with how many are written. */
  readonly onAccount?: (written: number) => void;
}

/** The form of a tenancy's records. */
export interface RecordForm {
  /** Whether the tenancy takes the records of this file. */
  readonly has: (file: RecordFileName) => boolean;
  /** A record in the tenancy's form. */
  readonly fit: (file: RecordFileName, record: JsonObject) => JsonObject;
  /** The files of its flat shape with their columns, besides the external account number. */
  readonly flatFiles: ReadonlyMap<string, readonly string[]>;
  /** The rows of each of these files for the records of one account: the text of each column. */
  readonly flatRows: (
    records: (file: RecordFileName) => readonly JsonObject[],
  ) => ReadonlyMap<string, readonly ReadonlyMap<string, string>[]>;
  /** The items that the tenancy takes beside the accounts. */
  readonly items: ReadonlyMap<ItemFileName, ItemForm>;
  /** The account as one of a business, which it names by a contract of it. */
  readonly withContract: (account: JsonObject, contract: string) => JsonObject;
}

export interface GeneratedExport {
  readonly accounts: number;
  /** The files written, with how many records or rows each holds. */
  readonly files: readonly { readonly file: string; readonly records: number }[];
}

/** The form of the items of a step. */
export interface ItemForm {
  /** The field that identifies an item. */
  readonly identity: string;
  readonly fit: (item: JsonObject) => JsonObject;
  /** The files of their flat shape with their columns, besides what identifies an item. */
  readonly flatFiles: ReadonlyMap<string, readonly string[]>;
  readonly flatRows: (item: JsonObject) => ReadonlyMap<string, readonly ReadonlyMap<string, string>[]>;
}

/** The export could not be written; the message names the place and the remedy. */
export class CannotGenerate extends Error {
  override readonly name = 'CannotGenerate';
}

/** Takes one account's records to one file. */
interface Sink {
  readonly file: RecordFile;
  readonly texts: (records: AccountRecords) => readonly string[];
}

/**
 * Writes a synthetic export with every field of sections 2.3 to 2.11 and every step in it, free of personal data.
 * The options determine it, byte for byte. Memory stays flat in the number of accounts.
 * Throws CannotGenerate if the directory is in use or the disk refuses.
 */
export async function generateExport(options: GenerateOptions): Promise<GeneratedExport> {
  try {
    await mkdir(options.directory, { recursive: true });
    if ((await readdir(options.directory)).length > 0)
      throw new CannotGenerate(`${options.directory} is not empty. Name a new directory, or empty this one.`);
    return await write(options);
  } catch (error) {
    if (error instanceof Error && 'syscall' in error)
      throw new CannotGenerate(`Cannot write to ${options.directory}: ${error.message}`, { cause: error });
    throw error;
  }
}

async function write(options: GenerateOptions): Promise<GeneratedExport> {
  const sinks: Sink[] = [];
  try {
    for await (const sink of openSinks(options)) sinks.push(sink);
    const [accountsSink, ...childSinks] = sinks;
    const width = Math.max(6, String(options.accounts).length);
    const make = (position: number) =>
      inBusiness(
        makeAccount(`EXT-${String(position + 1).padStart(width, '0')}`, position, options),
        position,
        options.tenancy,
      );
    const businesses = await BusinessFiles.open(options);
    sinks.push(...businesses.sinks);
    const stride = options.shuffle === true ? strideOf(options.accounts) : 1;
    for (let position = 0; position < options.accounts; position += 1) {
      const records = make(position);
      accountsSink?.texts(records).forEach((text) => accountsSink.file.add(text));
      const others = stride === 1 ? records : make((position * stride) % options.accounts);
      for (const { file, texts } of childSinks) texts(others).forEach((text) => file.add(text));
      for (const { file } of sinks) if (file.isFull) await file.write();
      businesses.add(records.account, position, options.accounts);
      options.onAccount?.(position + 1);
    }
    for (const { file } of sinks) await file.finish();
  } finally {
    for (const { file } of sinks) await file.close();
  }
  const files = sinks.map(({ file }) => ({ file: file.name, records: file.records }));
  return { accounts: options.accounts, files };
}

/** The account with a contract of its business, where the tenancy has businesses. */
function inBusiness(records: AccountRecords, position: number, tenancy?: RecordForm): AccountRecords {
  const business = businessOf(position);
  const [account] = records.accounts;
  if (business === undefined || account === undefined || tenancy?.items.has('businesses') !== true)
    return records;
  return { ...records, accounts: [tenancy.withContract(account, contractOf(business))] };
}

/** The files of businesses and their payment instructions, which are written as their accounts are. */
class BusinessFiles {
  readonly sinks: Sink[] = [];
  readonly #supplier: string;
  readonly #write: ((business: number, accounts: readonly string[]) => void)[] = [];
  #accounts: string[] = [];

  private constructor(supplier: string) {
    this.#supplier = supplier;
  }

  static async open({
    directory,
    tenancy,
    shape,
    format,
    supplier,
  }: GenerateOptions): Promise<BusinessFiles> {
    const files = new BusinessFiles(supplier);
    for (const [name, form] of tenancy?.items ?? [])
      if (shape === 'interface') await files.#records(directory, name, form, format);
      else await files.#rows(directory, name, form);
    return files;
  }

  /** Takes an account in; the last one of a business writes it. */
  add(account: string, position: number, accounts: number): void {
    const business = businessOf(position);
    if (business === undefined) return;
    this.#accounts.push(account);
    if (!isLastOf(position, accounts)) return;
    for (const write of this.#write) write(business, this.#accounts);
    this.#accounts = [];
  }

  #item(name: ItemFileName, form: ItemForm, business: number, accounts: readonly string[]): JsonObject {
    return form.fit(businessRecord(name, business, { supplier: this.#supplier, accounts }));
  }

  async #records(
    directory: string,
    name: ItemFileName,
    form: ItemForm,
    format: GenerateOptions['format'],
  ): Promise<void> {
    const file = await this.#file(directory, name, format === 'json' ? jsonArray : ndjson);
    this.#write.push((business, accounts) =>
      file.add(stringifyJson(this.#item(name, form, business, accounts))),
    );
  }

  async #rows(directory: string, name: ItemFileName, form: ItemForm): Promise<void> {
    const { identity, flatFiles, flatRows } = form;
    const files = new Map<string, RecordFile>();
    for (const [file, columns] of flatFiles)
      files.set(file, await this.#file(directory, file, csv([identity, ...columns])));
    this.#write.push((business, accounts) => {
      const item = this.#item(name, form, business, accounts);
      const of = item[identity];
      for (const [file, rows] of flatRows(item))
        for (const row of rows)
          files
            .get(file)
            ?.add(
              [
                typeof of === 'string' ? of : '',
                ...(flatFiles.get(file) ?? []).map((one) => row.get(one) ?? ''),
              ]
                .map(quoted)
                .join(','),
            );
    });
  }

  async #file(directory: string, name: string, frame: Frame): Promise<RecordFile> {
    const file = await RecordFile.create(directory, name, frame);
    this.sinks.push({ file, texts: () => [] });
    return file;
  }
}

async function* openSinks(options: GenerateOptions): AsyncGenerator<Sink> {
  const { directory, tenancy } = options;
  if (options.shape === 'interface') {
    const frame = options.format === 'json' ? jsonArray : ndjson;
    for (const name of recordFiles.filter((file) => tenancy?.has(file) ?? true))
      yield {
        file: await RecordFile.create(directory, name, frame),
        texts: (records) =>
          records[name].map((record) => stringifyJson(tenancy?.fit(name, record) ?? record)),
      };
    return;
  }
  if (tenancy !== undefined) {
    yield* openFlat(directory, tenancy);
    return;
  }
  for (const { name, columns, rows } of flatTables) {
    yield {
      file: await RecordFile.create(directory, name, csv(['external_account_number', ...columns])),
      texts: (records) => rows(records).map((row) => `${records.account},${csvRow(row, columns)}`),
    };
  }
}

/** The files of a tenancy's flat shape. */
async function* openFlat(directory: string, tenancy: RecordForm): AsyncGenerator<Sink> {
  const { flatFiles, flatRows, fit } = tenancy;
  let latest: { readonly records: AccountRecords; readonly rows: ReturnType<typeof flatRows> } | undefined;
  const rowsOf = (records: AccountRecords): ReturnType<typeof flatRows> => {
    if (latest?.records !== records)
      latest = { records, rows: flatRows((file) => records[file].map((record) => fit(file, record))) };
    return latest.rows;
  };
  for (const [name, columns] of flatFiles)
    yield {
      file: await RecordFile.create(directory, name, csv(['external_account_number', ...columns])),
      texts: (records) =>
        (rowsOf(records).get(name) ?? []).map((row) =>
          [records.account, ...columns.map((column) => quoted(row.get(column) ?? ''))].join(','),
        ),
    };
}

/** A step through all positions that meets each once: about the golden section, without a factor in common. */
function strideOf(count: number): number {
  let stride = Math.max(1, Math.floor(count * 0.618));
  while (commonFactor(stride, count) > 1) stride += 1;
  return stride;
}

function commonFactor(one: number, other: number): number {
  return other === 0 ? one : commonFactor(other, one % other);
}
