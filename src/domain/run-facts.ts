import type { TypedOption } from './typed-options.ts';

/** What the first reading of one file found. */
export interface FileCount {
  /** The name of its table within the mapping. */
  readonly table: string;
  readonly file: string;
  /** Rows or JSON elements, faulty ones too. */
  readonly rows: number;
  /** Accounts with a row in it; absent if the file is not sorted by account number. */
  readonly accounts?: number | undefined;
  /**
   * Of the rows, those that belong to no account of the export. Absent where that says nothing (the mapping leaves such rows out, or the
   * accounts file is cut off), and in runs of earlier versions.
   */
  readonly orphans?: number | undefined;
}

/** The size of an export, and a sample of its accounts: enough to see that one is smaller than another. */
export interface ExportCounts {
  readonly files: readonly FileCount[];
  /** The smallest hashes of its account numbers, ascending: two exports of one book share many of them. */
  readonly sample: readonly number[];
}

/** A file that decides what is sent, with the first characters of its digest. */
export interface NamedPrint {
  readonly file: string;
  readonly print: string;
}

/** A code table of the mapping. */
export interface CodeTablePrint extends NamedPrint {
  /** Rows, those without a value too; absent in runs of earlier versions. */
  readonly rows?: number | undefined;
  /** Its codes with their values, as `sampleOfCodes` gives them; absent in runs of earlier versions. */
  readonly codes?: string | undefined;
}

/** What a reading found of a code table. */
export type CodeTableFound = Required<Pick<CodeTablePrint, 'rows' | 'codes'>>;

/** What a run was given: shows how it differs from the run before. It contains no data of customers. */
export interface ExportFacts extends ExportCounts {
  /** The location of the export. */
  readonly place: string;
  /** Accounts of the export and its `--with` directories. */
  readonly accounts: number;
  /** The digest of all its files; absent if they were not compared by content. */
  readonly content?: string | undefined;
  /** The mapping with its module, and the contract. */
  readonly mapping: readonly NamedPrint[];
  readonly codeTables: readonly CodeTablePrint[];
  readonly contract: readonly NamedPrint[];
  /** Each setting that differs from its default and may change what is sent, with a digest of its value. */
  readonly settings: Readonly<Record<string, string>>;
}

/** What the history records of how a run was started, besides its platform and export. */
export interface RunFacts {
  readonly profile?: string | undefined;
  /** Whether it ran against the embedded platform, because none was configured. */
  readonly rehearsal: boolean;
  /** Whether nobody was there to answer a question. */
  readonly unattended: boolean;
  /** Options of its command line that decide what is sent; absent in runs of earlier versions and of the module. */
  readonly typed?: readonly TypedOption[] | undefined;
  /** Absent if the export was not read, or refused. */
  readonly given?: ExportFacts | undefined;
}
