import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Config } from '../../config/load-config.ts';
import { bytesPerMb } from '../../domain/account-too-large.ts';
import type { TenancyContract } from '../../contract/tenancy/contract.ts';
import type { Spellings } from '../../domain/account-key.ts';
import { definedFields } from '../../domain/defined-fields.ts';
import type { Problem } from '../../domain/problem.ts';
import { flatSpecs } from '../../mapping/built-in.ts';
import type { Mapping, Watch } from '../../mapping/plan.ts';
import type { Reporter, Environment } from '../../host/environment.ts';
import type { Recognise, Table, TableSpec } from '../../source/export.ts';
import { parseFileName, tableNames } from '../../source/file-name.ts';
import type { RowCache } from '../../source/row-cache.ts';
import { listExport, type ExportListing } from '../../source/list-export.ts';
import { KeptIndexes } from '../../source/kept-indexes.ts';
import { openExport } from '../../source/open-export.ts';
import { addressOf, isBucketAddress, nameUnder, parentOf } from '../../source/places/address.ts';
import { bindMapping, readMappingText, shapeOf, type MappingSource } from './bind-mapping.ts';
import { BoundExport } from './bound-export.ts';
import { cannotRead } from './cannot-read.ts';
import { correctedSheets, correctedTables, refuseRejectedRows } from './corrected-workbook.ts';
import type { CopiedTable } from './copy-rows.ts';
import { formatProblem } from './format-problem.ts';
import { readNamedFile } from '../../host/read-named-file.ts';
import { meaningOfBuild } from '../../host/packaged.ts';
import { binaryFloats } from './binary-floats.ts';
import type { Plans } from './plans.ts';
import { filesOfSteps } from './read-items.ts';
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
  readonly [
    Name in 'mapping' | 'supplier' | 'encoding' | 'delimiter' | 'followLinks' | 'memoryMb' | 'steps'
  ]?: Config[Name] | undefined;
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
  /** What earlier commands found in sorted files. */
  readonly kept?: KeptIndexes | undefined;
  /** Aborted when the export need no longer be read. */
  readonly stop?: AbortSignal;
  /** Called with the tables that were found; what it returns learns what the mapping does. */
  readonly inspect?: (tables: readonly Table[]) => Watch;
  /** What the payloads are made of; absent: what the interface says. */
  readonly tenancy?: TenancyContract | undefined;
}

/** The most memory of accounts at the same time, in bytes. */
export function memoryOf({ memoryMb }: MappingSettings): number | undefined {
  return memoryMb === undefined ? undefined : memoryMb * bytesPerMb;
}

/** Those of the work directory, which is one of the tool's own even if the journal is among other files. */
export function keptIndexes({ workDirectory }: Pick<Config, 'workDirectory'>): KeptIndexes {
  const own = '.migrate';
  const directory = basename(workDirectory) === own ? workDirectory : join(workDirectory, own);
  return new KeptIndexes(directory, meaningOfBuild(), { makesDirectory: directory !== workDirectory });
}

/** Reads the whole export and fits the mapping to it; throws CannotStart with every problem that keeps it from that. */
export async function openPlans(
  environment: Pick<Environment, 'cwd'>,
  reporter: Reporter,
  path: string,
  options: PlansOptions,
): Promise<Plans> {
  const found = await findMapping(environment, reporter, path, options);
  const { listing, mapping, text, specs, isSingleFile, namedUnder } = found;
  const { files } = listing;
  reporter.detail(`Reading ${files.join(', ')}.`);
  const directory = dirname(options.mapping ?? '');
  // If a single file is not read, that is an error below.
  if (options.mapping !== undefined && !isSingleFile)
    tellUnread(
      reporter,
      found.ofAccounts,
      { ...mapping, tables: [...specs, ...(mapping.itemTables ?? [])] },
      directory,
    );
  const codes = await readLookups(directory, mapping.lookups);
  if ('problems' in codes) throw cannotRead(codes.problems);
  const functions = await loadModule(directory, mapping.module);
  const columns = await snapshotColumns(listing.root, path, mapping, options.typed !== undefined);
  const tables = specs.map((spec) => withSettings(spec, options, columns));
  const opened = await untilStopped(options.stop, (signal) =>
    openExport(listing.root, tables, {
      files,
      isWithin: options.followLinks !== true,
      signal,
      onProgress: readingProgress(reporter),
      only: options.only,
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
  const bound = bindMapping(mapping, { tables: opened.tables, lookups, functions, watch }, options.tenancy);
  if ('problems' in bound) {
    opened.close();
    throw cannotRead(bound.problems);
  }
  return new BoundExport(opened, bound, {
    faults: [...opened.faults, ...binaryFloats(mapping, tables)],
    codeTables: codes.codeTables,
    sources: [{ root: listing.root, tables: tables.map(copied), files, namedUnder }],
    mapping: { text, directory, lookups },
    module: mapping.module && resolve(directory, mapping.module.file),
  });
}

/** The files of an export, and the mapping that reads them. */
interface FoundMapping {
  readonly listing: ExportListing;
  /** The same without the files that have the items of steps which the profile adds. */
  readonly ofAccounts: ExportListing;
  readonly isSingleFile: boolean;
  readonly text: MappingSource;
  readonly mapping: Mapping;
  /** The mapping's tables, or those of a corrected workbook. */
  readonly specs: readonly TableSpec[];
  readonly namedUnder: string | undefined;
}

async function findMapping(
  environment: Pick<Environment, 'cwd'>,
  reporter: Reporter,
  path: string,
  options: PlansOptions,
): Promise<FoundMapping> {
  const address = addressOf(environment.cwd, path);
  const listing = await listExport(address, { texts: options.mapping !== undefined });
  if ('problems' in listing) throw cannotRead(listing.problems);
  const isSingleFile = listing.root !== address;
  const isFixFile = isSingleFile && options.namedUnder !== undefined;
  const corrected = isFixFile
    ? await correctedSheets(listing, flatSpecs(shapeOf(options.tenancy), undefined).files)
    : undefined;
  const ofSteps = filesOfSteps(options, options.tenancy, isSingleFile ? [] : listing.files);
  const ofAccounts = { ...listing, files: listing.files.filter((file) => !ofSteps.has(file)) };
  const names = isSingleFile
    ? (corrected ?? listing.files.map((file) => parseFileName(file).plain))
    : tableNames(ofAccounts.files);
  const text = await mappingText(environment, names, {
    ...options,
    isSingleFile: isSingleFile && corrected === undefined,
  });
  const mapping = await readMappingText(text, options.tenancy);
  const namedUnder = isFixFile ? parentOf(options.namedUnder) : prefixOf(listing, options);
  const named = (problem: Problem): Problem => atFile(problem, listing.files, namedUnder);
  if ('problems' in mapping) throw cannotRead(mapping.problems.map(named));
  for (const warning of mapping.warnings) reporter.warn(formatProblem(named(warning)));
  const specs = corrected === undefined ? mapping.tables : correctedTables(mapping.tables, listing);
  return { listing, ofAccounts, isSingleFile, text, mapping, specs, namedUnder };
}

/** A table with what the settings, the database and the journal say of it. */
function withSettings(
  spec: TableSpec,
  { encoding, delimiter, typed, spellings }: PlansOptions,
  columns: Awaited<ReturnType<typeof snapshotColumns>>,
): TableSpec {
  return {
    ...spec,
    encoding: spec.encoding ?? encoding,
    delimiter: spec.delimiter ?? delimiter,
    ...typed?.get(spec.name),
    ...columns.get(spec.name),
    ...definedFields({ spellings }),
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
): Promise<MappingSource> {
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
