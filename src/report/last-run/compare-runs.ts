import { codeChanges, type CodeChanges } from '../../domain/code-sample.ts';
import { saysNoSuchSupplier } from '../../domain/no-such-supplier.ts';
import type { CodeTablePrint, ExportFacts, FileCount, NamedPrint, RunFacts } from '../../domain/run-facts.ts';
import type { TypedOption } from '../../domain/typed-options.ts';
import type { RunEntry } from '../../journal/journal.ts';

/** `own rows`: those that belong to an account of the export. */
export type Counted = 'rows' | 'accounts' | 'own rows';

/** A file, the accounts table or a code table that has fewer rows or accounts than the last run read. */
export interface Shrunk {
  /** Whether it is a code table of the mapping, and no file of the export. */
  readonly isCodeTable: boolean;
  /** The file as people know it; `accounts` of the whole export: ''. */
  readonly file: string;
  readonly what: Counted;
  readonly before: number;
  readonly now: number;
  /** In percent of what was there before. */
  readonly lost: number;
}

/** A count that differs. */
export interface CountChange {
  readonly file: string;
  readonly what: Counted;
  readonly before: number;
  readonly now: number;
}

/** A code table in which codes have other values. */
export interface Recoded extends CodeChanges {
  readonly file: string;
}

/** How a run differs from an earlier one of the same book. */
export interface Differences {
  /** The earlier run. */
  readonly since: RunEntry;
  readonly counts: readonly CountChange[];
  /** Of code tables. */
  readonly codeTables: readonly CountChange[];
  readonly recoded: readonly Recoded[];
  /** Files, by the names of their tables, that only one of the two has. */
  readonly gone: readonly string[];
  readonly added: readonly string[];
  /** Options that other facts do not tell, such as `--with`, with their values as they were typed; '': not given. */
  readonly options: readonly { readonly name: string; readonly before: string; readonly now: string }[];
  /** What else differs, in the words of a sentence: `the mapping`, `the setting team`. */
  readonly others: readonly string[];
  readonly platform?: { readonly before: string; readonly now: string };
  readonly profile?: { readonly before: string | undefined; readonly now: string | undefined };
  readonly version?: { readonly before: string; readonly now: string };
}

/** The run that is about to start, as the history will have it. */
export interface Started {
  readonly platformLabel: string;
  readonly facts: RunFacts & { readonly given: ExportFacts };
  /** Of the tool. */
  readonly version: string;
}

/** A run that has facts about its export, which is of its suppliers. */
export type KnownRun = RunEntry & { readonly facts: RunFacts & { readonly given: ExportFacts } };

export function isKnown(run: RunEntry): run is KnownRun {
  return run.facts?.given !== undefined && !readOthers(run);
}

/** Whether the export of a run had only accounts of other suppliers: it says nothing of the run's own book. */
export function readOthers({ end }: Pick<RunEntry, 'end'>): boolean {
  return saysNoSuchSupplier(end?.detail ?? '');
}

/** Compares a run with the run before. */
export function differences({ platformLabel, facts, version }: Started, since: KnownRun): Differences {
  const [before, now] = [since.facts.given, facts.given];
  const [old, current] = [byTable(before.files), byTable(now.files)];
  const beforeVersion = since.by?.version;
  const ofFiles = [...current].flatMap(([table, count]) => {
    const earlier = old.get(table);
    if (earlier === undefined) return [];
    // The rows of accounts that have left are those of nobody.
    const own = now.accounts < before.accounts ? [] : ownRowsIn(earlier, count);
    return [...changesIn(earlier, count), ...own];
  });
  const ofExport = changed({ file: '', what: 'accounts', before: before.accounts, now: now.accounts });
  return {
    since,
    // The accounts of a file that has one row for each say the same.
    counts: [...ofExport.filter((count) => !ofFiles.some((other) => isSame(count, other))), ...ofFiles],
    codeTables: resized(before.codeTables, now.codeTables),
    recoded: recoded(before.codeTables, now.codeTables),
    gone: [...old].flatMap(([table, { file }]) => (current.has(table) ? [] : [file])),
    added: [...current].flatMap(([table, { file }]) => (old.has(table) ? [] : [file])),
    others: [
      ...differing(before.mapping, now.mapping).map((file) => `the mapping ${file}`),
      ...differing(before.codeTables, now.codeTables).map((file) => `the code table ${file}`),
      ...differing(before.contract, now.contract).map((file) => `the contract ${file}`),
      ...settingsDiffering(before.settings, now.settings).map((name) => `the setting ${name}`),
    ],
    options: optionsDiffering(since.facts.typed, facts.typed),
    ...(since.platformLabel === platformLabel
      ? {}
      : { platform: { before: since.platformLabel, now: platformLabel } }),
    ...(since.facts.profile === facts.profile
      ? {}
      : { profile: { before: since.facts.profile, now: facts.profile } }),
    ...(beforeVersion === undefined || beforeVersion === version
      ? {}
      : { version: { before: beforeVersion, now: version } }),
  };
}

/** A single row of a code table may be one that is needed no more. */
const leastCodes = 2;

/**
 * What shrank by more than `mostPercent`. Unless the mapping changed, a file that is gone lost all of its rows, and a code table is the
 * one of before; of code tables, only those that both runs have.
 */
export function shrunk(found: Differences, before: ExportFacts, mostPercent: number): readonly Shrunk[] {
  const isOther = isMapped(found);
  const lost = isOther
    ? []
    : [...byTable(before.files).values()].filter(({ file, rows }) => rows > 0 && found.gone.includes(file));
  return [
    ...found.counts.map((count) => ({ ...count, isCodeTable: false, lost: lostOf(count) })),
    ...lost.map(({ file, rows }) => ({
      ...{ file, what: 'rows' as const, before: rows, now: 0, lost: 100 },
      isCodeTable: false,
    })),
    ...(isOther ? [] : found.codeTables)
      .filter(({ before: rows, now }) => rows - now >= leastCodes)
      .map((count) => ({ ...count, isCodeTable: true, lost: lostOf(count) })),
  ].filter(({ lost }) => lost > mostPercent);
}

/**
 * The code tables that have other values for more than `mostPercent` of their codes, or in which values changed places. Under another
 * mapping, codes are not compared.
 */
export function recodedBeyond(found: Differences, mostPercent: number): readonly Recoded[] {
  if (isMapped(found)) return [];
  return found.recoded.filter(
    ({ codes, changed, isExchange }) =>
      isExchange || (changed >= leastCodes && (changed / codes) * 100 > mostPercent),
  );
}

function isMapped({ others }: Differences): boolean {
  return others.some((what) => what.startsWith('the mapping'));
}

/** In percent. */
function lostOf({ before, now }: CountChange): number {
  return ((before - now) / before) * 100;
}

/** The code tables of both runs that have other numbers of rows. */
function resized(before: readonly CodeTablePrint[], now: readonly CodeTablePrint[]): CountChange[] {
  return inBoth(before, now).flatMap(([{ file, rows: earlier }, { rows }]) =>
    earlier === undefined || rows === undefined
      ? []
      : changed({ file, what: 'rows', before: earlier, now: rows }),
  );
}

/** The code tables of both runs in which codes have other values. */
function recoded(before: readonly CodeTablePrint[], now: readonly CodeTablePrint[]): Recoded[] {
  return inBoth(before, now).flatMap(([{ file, codes: earlier }, { codes }]) => {
    if (earlier === undefined || codes === undefined) return [];
    const changes = codeChanges(earlier, codes);
    return changes.changed === 0 ? [] : [{ file, ...changes }];
  });
}

/** The code tables that both have; a name that two of them have tells none apart. */
function inBoth(
  before: readonly CodeTablePrint[],
  now: readonly CodeTablePrint[],
): (readonly [CodeTablePrint, CodeTablePrint])[] {
  const isOnly = (file: string): boolean =>
    [before, now].every((tables) => tables.filter((table) => table.file === file).length === 1);
  return now.flatMap((table) => {
    const earlier = before.find(({ file }) => file === table.file);
    return earlier === undefined || !isOnly(table.file) ? [] : [[earlier, table] as const];
  });
}

/** The files of a table together, whatever the number of its parts. */
function byTable(files: readonly FileCount[]): ReadonlyMap<string, FileCount> {
  const tables = new Map<string, FileCount>();
  for (const count of files) {
    const first = tables.get(count.table);
    if (first === undefined) tables.set(count.table, count);
    else
      tables.set(count.table, {
        ...first,
        rows: first.rows + count.rows,
        // An account may have rows in several parts.
        accounts: undefined,
        orphans: bothOf(first.orphans, count.orphans),
      });
  }
  return tables;
}

function changesIn(before: FileCount, now: FileCount): CountChange[] {
  const accounts =
    before.accounts === undefined || now.accounts === undefined
      ? []
      : changed({ file: now.file, what: 'accounts', before: before.accounts, now: now.accounts });
  const rows = changed({ file: now.file, what: 'rows', before: before.rows, now: now.rows });
  return [...rows, ...accounts.filter((count) => !rows.some((other) => isSame(count, other)))];
}

/** Rows of the accounts of the export, if more of them are gone than of all rows: where both runs have counted them. */
function ownRowsIn(before: FileCount, now: FileCount): CountChange[] {
  if (before.orphans === undefined || now.orphans === undefined) return [];
  const [earlier, own] = [before.rows - before.orphans, now.rows - now.orphans];
  const isOfOthers = earlier - own > Math.max(0, before.rows - now.rows);
  return isOfOthers ? [{ file: now.file, what: 'own rows', before: earlier, now: own }] : [];
}

function bothOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}

function isSame(one: CountChange, other: CountChange): boolean {
  return one.before === other.before && one.now === other.now;
}

function changed(count: CountChange): CountChange[] {
  return count.before === count.now ? [] : [count];
}

function differing(before: readonly NamedPrint[], now: readonly NamedPrint[]): string[] {
  const old = new Map(before.map(({ file, print }) => [file, print]));
  const current = new Map(now.map(({ file, print }) => [file, print]));
  return [...new Set([...old.keys(), ...current.keys()])].filter(
    (file) => old.get(file) !== current.get(file),
  );
}

/** Mapping, contract and settings are compared by their contents. */
const comparedOptions = ['with', 'with-new', 'accounts', 'steps', 'adopt'];

function optionsDiffering(
  before: readonly TypedOption[] | undefined,
  now: readonly TypedOption[] | undefined,
): Differences['options'] {
  if (before === undefined || now === undefined) return [];
  const typed = (options: readonly TypedOption[], wanted: string): string =>
    options
      .filter(({ name }) => name === wanted)
      .map(({ name, value }) => `--${name}${value === undefined ? '' : ` ${value}`}`)
      .join(' ');
  return comparedOptions
    .map((name) => ({ name, before: typed(before, name), now: typed(now, name) }))
    .filter((option) => option.before !== option.now);
}

/** A run of one supplier and a run of all take the same accounts of it. */
function isChoiceOfSupplier(name: string, before: string | undefined, now: string | undefined): boolean {
  return name === 'supplier' && (before === undefined || now === undefined);
}

function settingsDiffering(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (name) => before[name] !== now[name] && !isChoiceOfSupplier(name, before[name], now[name]),
  );
}
