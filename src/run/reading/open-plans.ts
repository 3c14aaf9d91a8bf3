import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Config } from '../../config/load-config.ts';
import { bytesPerMb } from '../../domain/account-too-large.ts';
import type { TenancyContract } from '../../contract/tenancy/contract.ts';
import type { Spellings } from '../../domain/account-key.ts';
import { definedFields } from '../../domain/defined-fields.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import type { Problem } from '../../domain/problem.ts';
import { flatSpecs } from '../../mapping/built-in.ts';
import type { AccountPlan, BoundMapping, Watch } from '../../mapping/plan.ts';
import type { Reporter, Environment } from '../../host/environment.ts';
import type { Export, ExportFault, Recognise, Table, TableSpec } from '../../source/export.ts';
import { ExportBroken } from '../../source/fault.ts';
import { parseFileName, tableNames } from '../../source/file-name.ts';
import type { RowCache } from '../../source/row-cache.ts';
import { listExport, type ExportListing } from '../../source/list-export.ts';
import { KeptReadings } from '../../source/kept-readings.ts';
import { openExport } from '../../source/open-export.ts';
import type { OpenedExport } from '../../source/opened-export.ts';
import type { PackedRows } from '../../source/packed-rows.ts';
import { addressOf, isBucketAddress, nameUnder, parentOf } from '../../source/places/address.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { ExportCounts } from '../../domain/run-facts.ts';
import { bindMapping, readMappingText, shapeOf, type MappingText } from './bind-mapping.ts';
import { correctedSheets, correctedTables, refuseRejectedRows } from './corrected-workbook.ts';
import type { CopiedTable, CopySource } from './copy-rows.ts';
import { asData, isData, type PlansPart } from './elsewhere.ts';
import { formatProblem } from './format-problem.ts';
import { readNamedFile } from '../../host/read-named-file.ts';
import { meaningOfBuild } from '../../host/packaged.ts';
import { binaryFloats } from './binary-floats.ts';
import { isPure } from './pure-module.ts';
import { snapshotColumns } from './snapshot-columns.ts';
import { loadModule, readLookups } from './read-lookups.ts';
import {
  readingProgress,
  tellEmpty,
  tellFound,
  tellGuesses,
  tellLeftOut,
  tellUnread,
  tellUnreadSheets,
} from './reading-messages.ts';
import { untilStopped } from '../until-stopped.ts';

/** The settings that decide how an export is read and mapped. */
export type MappingSettings = {
  readonly [Name in 'mapping' | 'supplier' | 'encoding' | 'delimiter' | 'followLinks' | 'memoryMb']?:
    Config[Name] | undefined;
};

export interface PlansOptions extends MappingSettings {
  /** Reads only this account's rows. */
  readonly only?: RowCache;
  /** Prefixes the files in cells with this directory, so that those of two exports are distinguished. */
  readonly namedUnder?: string | undefined;
  /** The columns of each table that have types, in the corrected rows of a database. */
  readonly typed?: ReadonlyMap<string, Pick<TableSpec, 'numeric' | 'dates'>>;
  /** Compares accounts by their rows already while they are first read. */
  readonly recognise?: Recognise | undefined;
  /** The spellings of the journal's accounts, where they are not NFC. */
  readonly spellings?: Spellings | undefined;
  /** What earlier commands found in sorted files that have not changed since. */
  readonly kept?: KeptReadings | undefined;
  /** Aborted when the export need no longer be read. */
  readonly stop?: AbortSignal;
  /** Called with the tables that were found; what it returns learns what the mapping does. */
  readonly inspect?: (tables: readonly Table[]) => Watch;
  /** What the payloads are made of; absent: what the interface says. */
  readonly tenancy?: TenancyContract | undefined;
}

/** An export with its mapping: the accounts as plans, pulled one by one. */
export interface Plans {
  /** The number of accounts in the export. */
  readonly total: number;
  /** Rows that cannot be attributed to an account. */
  readonly faults: readonly ExportFault[];
  /** Rows that the mapping leaves out, without those that are left out of their accounts. */
  readonly ignoredRows: number;
  /** The size of the export's files, without those of `--with` directories. */
  readonly counts: ExportCounts;
  /** All of them; may be iterated again. */
  readonly plans: AsyncIterable<AccountPlan>;
  /** The selected ones, by their external account numbers. */
  plansOf(isWanted: (account: string) => boolean): AsyncIterable<AccountPlan>;
  /**
   * The selected ones, with the fingerprints of their rows, and without accounts whose fingerprints are
   * unchanged. Absent if fixes replace accounts.
   */
  readonly plansSince?: (
    recognise: Recognise,
    isWanted: (account: string) => boolean,
  ) => AsyncIterable<AccountPlan>;
  /** The selected ones in the same order: those of the export, and of each `--with` directory. */
  partsOf(isWanted: (account: string) => boolean): readonly PlansPart[];
  /** The numbers of all accounts, without a mapping; throws the signal's reason. */
  numbers(signal: AbortSignal): AsyncIterable<string>;
  /** What `copyRows` copies from: the export, and each `--with` directory. */
  readonly sources: readonly CopySource[];
  close(): void;
}

/** The most memory of accounts at the same time, in bytes. */
export function memoryOf({ memoryMb }: MappingSettings): number | undefined {
  return memoryMb === undefined ? undefined : memoryMb * bytesPerMb;
}

/** Those of the work directory, which is one of the tool's own even if the journal is among other files. */
export function keptReadings({ workDirectory }: Pick<Config, 'workDirectory'>): KeptReadings {
  const own = '.migrate';
  const directory = basename(workDirectory) === own ? workDirectory : join(workDirectory, own);
  return new KeptReadings(join(directory, 'readings.json'), meaningOfBuild(), {
    makesDirectory: directory !== workDirectory,
  });
}

/** Reads the whole export and fits the mapping to it; throws CannotStart with every problem that keeps it from that. */
export async function openPlans(
  environment: Pick<Environment, 'cwd'>,
  reporter: Reporter,
  path: string,
  options: PlansOptions,
): Promise<Plans> {
  const address = addressOf(environment.cwd, path);
  const listing = await listExport(address, {
    texts: options.mapping !== undefined,
  });
  if ('problems' in listing) throw cannotRead(listing.problems);
  const isSingleFile = listing.root !== address;
  const corrected =
    isSingleFile && options.namedUnder !== undefined
      ? await correctedSheets(listing, flatSpecs(shapeOf(options.tenancy), undefined).files)
      : undefined;
  const names = isSingleFile
    ? (corrected ?? listing.files.map((file) => parseFileName(file).plain))
    : tableNames(listing.files);
  const { tenancy } = options;
  const text = await mappingText(environment, names, {
    ...options,
    isSingleFile: isSingleFile && corrected === undefined,
  });
  const mapping = await readMappingText(text, tenancy);
  const namedUnder =
    isSingleFile && options.namedUnder !== undefined
      ? parentOf(options.namedUnder)
      : prefixOf(listing, options);
  const named = (problem: Problem): Problem => atFile(problem, listing.files, namedUnder);
  if ('problems' in mapping) throw cannotRead(mapping.problems.map(named));
  const specs = corrected === undefined ? mapping.tables : correctedTables(mapping.tables, listing);
  for (const warning of mapping.warnings) reporter.warn(formatProblem(named(warning)));

  reporter.detail(`Reading ${listing.files.join(', ')}.`);
  const besideMapping = dirname(options.mapping ?? '');
  // If a single file is not read, that is an error below.
  if (options.mapping !== undefined && !isSingleFile)
    tellUnread(reporter, listing, { ...mapping, tables: specs }, besideMapping);
  const codes = await readLookups(besideMapping, mapping.lookups);
  if ('problems' in codes) throw cannotRead(codes.problems);
  const functions = await loadModule(besideMapping, mapping.module);
  const { files } = listing;
  const { encoding, delimiter, only, stop } = options;
  const columns = await snapshotColumns(listing.root, path, mapping, options.typed !== undefined);
  const tables = specs.map((spec) => ({
    ...spec,
    encoding: spec.encoding ?? encoding,
    delimiter: spec.delimiter ?? delimiter,
    ...options.typed?.get(spec.name),
    ...columns.get(spec.name),
    ...definedFields({ spellings: options.spellings }),
  }));
  const opened = await untilStopped(stop, (signal) =>
    openExport(listing.root, tables, {
      files,
      isWithin: options.followLinks !== true,
      signal,
      onProgress: readingProgress(reporter),
      only,
      namedUnder,
      recognise: options.recognise,
      kept: options.kept,
      mostBytes: memoryOf(options),
    }),
  );
  if ('problems' in opened) {
    if (isSingleFile && options.namedUnder === undefined) await refuseRejectedRows(listing, path);
    throw cannotRead(opened.problems);
  }
  tellFound(reporter, opened);
  tellUnreadSheets(reporter, opened);
  tellLeftOut(reporter, opened);
  tellEmpty(reporter, opened);
  tellGuesses(reporter, [...codes.files, ...opened.files]);
  const { lookups } = codes;
  const watch = options.inspect?.(opened.tables);
  const bound = bindMapping(mapping, { tables: opened.tables, lookups, functions, watch }, tenancy);
  if ('problems' in bound) {
    opened.close();
    throw cannotRead(bound.problems);
  }
  return {
    total: opened.accounts,
    faults: [...opened.faults, ...binaryFloats(mapping, tables)],
    ignoredRows: opened.ignoredRows,
    counts: opened.counts,
    plans: { [Symbol.asyncIterator]: () => planned(opened, bound) },
    plansOf: (isWanted) => planned(opened, bound, isWanted),
    plansSince: (recognise, isWanted) => plannedSince(opened, bound, recognise, isWanted),
    numbers: (signal) => numbersOf(opened, signal),
    partsOf: (isWanted) => [
      {
        accounts: opened.accounts,
        plans: { [Symbol.asyncIterator]: () => planned(opened, bound, isWanted) },
        async elsewhere() {
          const module = mapping.module && resolve(besideMapping, mapping.module.file);
          const binding = { text, directory: besideMapping, lookups, files: opened.files.map(asData) };
          if (!isData(binding) || (module !== undefined && !(await isPure(module)))) return undefined;
          return { binding, packed: () => packed(opened, isWanted) };
        },
      },
    ],
    sources: [{ root: listing.root, tables: tables.map(copied), files, namedUnder }],
    close: () => opened.close(),
  };
}

/** What is left out is copied as well, by the composed numbers of accounts: data that a thread can be given. */
function copied({ ignore: _ignore, spellings: _spellings, ...spec }: TableSpec): CopiedTable {
  return spec;
}

async function mappingText(
  environment: Pick<Environment, 'cwd'>,
  files: readonly string[],
  { mapping: file, supplier, isSingleFile }: PlansOptions & { readonly isSingleFile: boolean },
): Promise<MappingText> {
  if (file === undefined) return { files, isSingleFile, supplier };
  const name = relative(environment.cwd, file) || basename(file);
  const text = await readNamedFile('The mapping file', file);
  return { files, isSingleFile, supplier, written: { file: name, text } };
}

/** What precedes the names of an export's files: the directory that was named, and the directory in an archive. */
function prefixOf({ root, label }: ExportListing, { namedUnder }: PlansOptions): string | undefined {
  if (label === undefined || namedUnder === undefined) return namedUnder ?? label;
  // The label of a bucket is its whole address.
  return isBucketAddress(label) ? label : nameUnder(namedUnder, relative(basename(root), label));
}

/**
 * The problem at its file under the name for people; for a table that only exists in parts, at the first of
 * its files.
 */
function atFile(problem: Problem, files: readonly string[], namedUnder = ''): Problem {
  const { cell } = problem;
  if (cell === undefined) return problem;
  const file = files.includes(cell.file)
    ? cell.file
    : files.find((name) => parseFileName(name).table === cell.file);
  return file === undefined ? problem : { ...problem, cell: { ...cell, file: nameUnder(namedUnder, file) } };
}

async function* planned(
  opened: Export,
  bound: BoundMapping,
  isWanted: (account: string) => boolean = () => true,
): AsyncGenerator<AccountPlan> {
  try {
    for await (const bundle of opened.bundles()) if (isWanted(bundle.account)) yield bound(bundle);
  } catch (error) {
    throw error instanceof ExportBroken ? cannotRead([error.problem]) : error;
  }
}

async function* packed(
  opened: OpenedExport,
  isWanted: (account: string) => boolean,
): AsyncGenerator<PackedRows> {
  try {
    yield* opened.packed(isWanted);
  } catch (error) {
    throw error instanceof ExportBroken ? cannotRead([error.problem]) : error;
  }
}

async function* plannedSince(
  opened: Export,
  bound: BoundMapping,
  recognise: Recognise,
  isWanted: (account: string) => boolean,
): AsyncGenerator<AccountPlan> {
  const amongWanted: Recognise = async (accounts) => {
    const found = (await recognise(accounts.filter(({ account }) => isWanted(account)))).values();
    return accounts.map(({ account }) =>
      isWanted(account) ? (found.next().value ?? 'unknown') : 'unchanged',
    );
  };
  try {
    for await (const bundle of opened.bundlesSince(amongWanted))
      if (isWanted(bundle.account)) yield { ...bound(bundle), rows: bundle.rows };
  } catch (error) {
    throw error instanceof ExportBroken ? cannotRead([error.problem]) : error;
  }
}

async function* numbersOf(opened: Export, signal: AbortSignal): AsyncGenerator<string> {
  try {
    for await (const { account } of opened.bundles()) {
      signal.throwIfAborted();
      yield account;
    }
  } catch (error) {
    throw error instanceof ExportBroken ? cannotRead([error.problem]) : error;
  }
}

function cannotRead(problems: readonly Problem[]): CannotStart {
  return new CannotStart(exitCodes.usage, problems.map(formatProblem), problems);
}
