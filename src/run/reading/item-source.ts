import { basename, dirname, relative } from 'node:path';
import type { Config } from '../../config/load-config.ts';
import type { AddedRequest, TenancyContract } from '../../contract/tenancy/contract.ts';
import type { AddedStep } from '../../domain/added-step.ts';
import { definedFields } from '../../domain/defined-fields.ts';
import type { Problem } from '../../domain/problem.ts';
import type { Environment } from '../../host/environment.ts';
import { readNamedFile } from '../../host/read-named-file.ts';
import { flatSpecs } from '../../mapping/built-in.ts';
import { itemMapping, type ItemMapping } from '../../mapping/item-mapping.ts';
import { fieldsOf } from '../../mapping/payload-shape.ts';
import type { BoundMapping, Functions, Lookups, Mapping } from '../../mapping/plan.ts';
import type { Export, TableSpec } from '../../source/export.ts';
import { openExport } from '../../source/open-export.ts';
import { shapeOf } from './bind-mapping.ts';
import { cannotRead } from './cannot-read.ts';
import { loadModule, readLookups } from './read-lookups.ts';
import { snapshotColumns } from './snapshot-columns.ts';

/** The settings that decide how the items of an export are read. */
export type ItemSettings = Pick<
  Config,
  'steps' | 'contract' | 'supplier' | 'mapping' | 'encoding' | 'delimiter' | 'followLinks'
>;

/** A mapping file that may have items. */
export interface WrittenMapping {
  readonly name: string;
  readonly text: string;
  readonly directory: string;
  /** The tables of the steps whose items it has. */
  readonly items: readonly string[];
  readonly source: Mapping['source'];
}

/** The mapping file of the settings; undefined without one, or where it cannot be read, which is told with the accounts. */
export async function writtenMapping(
  { cwd }: Pick<Environment, 'cwd'>,
  { mapping: file }: ItemSettings,
): Promise<WrittenMapping | undefined> {
  if (file === undefined) return undefined;
  const name = relative(cwd, file) || basename(file);
  const text = await readNamedFile('The mapping file', file);
  const { mappedFiles } = await import('../../mapping/read-mapping.ts');
  const read = mappedFiles(name, text);
  if (read === undefined) return undefined;
  return { name, text, directory: dirname(file), items: read.items ?? [], source: read.source };
}

/** The names of the files that flat accounts have, without `.csv`; none where the export's accounts are not flat. */
export function flatFiles(
  files: readonly string[],
  tenancy: TenancyContract | undefined,
): ReadonlySet<string> {
  if (!files.includes('accounts.csv')) return new Set();
  return new Set(['accounts', ...flatSpecs(shapeOf(tenancy), undefined).files]);
}

/** The files of an export, and what reads the items of a step from them. */
export interface ItemSource {
  readonly root: string;
  readonly files: readonly string[];
  readonly tables: readonly TableSpec[];
  readonly isWithin: boolean;
  readonly bind: ItemMapping['bind'];
  readonly lookups: Lookups;
  readonly functions: Functions;
}

/** What reads the items of a step: the mapping file, or the files that have the shape of its requests. Throws CannotStart. */
export async function itemSource(
  step: AddedStep,
  { field }: AddedRequest,
  settings: ItemSettings,
  {
    root,
    files,
    tables: names,
    taken,
    written,
  }: {
    readonly root: string;
    readonly files: readonly string[];
    readonly tables: readonly string[];
    readonly taken: ReadonlySet<string>;
    readonly written: WrittenMapping | undefined;
  },
): Promise<ItemSource | undefined> {
  const { encoding, delimiter, followLinks } = settings;
  const isWithin = !followLinks;
  const stated = (table: TableSpec): TableSpec => ({
    ...table,
    encoding: table.encoding ?? encoding,
    delimiter: table.delimiter ?? delimiter,
  });
  if (written?.items.includes(step.table) !== true) {
    const mapping = itemMapping(step, field, names, taken);
    if (mapping === undefined) return undefined;
    const none = { lookups: new Map(), functions: {} };
    return { root, files, tables: mapping.tables.map(stated), isWithin, bind: mapping.bind, ...none };
  }
  const { readMappedItems } = await import('../../mapping/mapped-items.ts');
  const mapping = readMappedItems(written.name, written.text, step, fieldsOf(field));
  if (mapping === undefined) return undefined;
  if ('problems' in mapping) throw cannotRead(mapping.problems);
  const { directory } = written;
  const codes = await readLookups(directory, mapping.lookups);
  if ('problems' in codes) throw cannotRead(codes.problems);
  const functions = await loadModule(directory, mapping.module);
  // The rows of a database are in files of its tables' names.
  const nameOf = ({ file }: TableSpec): string => file.replace(/\.ndjson$/, '');
  const named = mapping.tables.map((table) => ({ ...table, name: nameOf(table) }));
  const snapshot = { ...mapping, ...definedFields({ source: written.source }), tables: named, warnings: [] };
  const columns = await snapshotColumns(root, root, { ...snapshot, columns: () => new Map() }, false);
  const tables = mapping.tables.map((table) => ({ ...stated(table), ...columns.get(nameOf(table)) }));
  return { root, files, tables, isWithin, bind: mapping.bind, lookups: codes.lookups, functions };
}

/** Opens the files; `faulty` says what a fault of them is called. Throws CannotStart if they cannot be read. */
export async function openItems(
  { root, files, tables, isWithin, bind, lookups, functions }: ItemSource,
  faulty: (problem: Problem) => Problem,
): Promise<{ readonly opened: Export; readonly bound: BoundMapping; readonly faults: readonly Problem[] }> {
  const opened = await openExport(root, tables, { files, isWithin });
  if ('problems' in opened) throw cannotRead(opened.problems);
  const bound = bind(opened.tables, lookups, functions);
  const faults = opened.faults.filter(({ severity }) => severity === 'error').map(faulty);
  if (!('problems' in bound)) return { opened, bound, faults };
  opened.close();
  throw cannotRead(bound.problems);
}
