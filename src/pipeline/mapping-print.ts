/** Identifies everything that decides how the rows of an export are mapped and checked. */
export interface MappingPrint {
  /** One word: the fingerprint of all but the code tables, and that of each code table. */
  readonly text: string;
  /** The files of the code tables, in the order of their fingerprints. */
  readonly codeTables: readonly string[];
}

const separator = '.';

/** `print` and the fingerprints of code tables contain no point. */
export function mappingPrint(
  print: string,
  codeTables: readonly { readonly file: string; readonly print: string }[],
): MappingPrint {
  return {
    text: [print, ...codeTables.map((table) => table.print)].join(separator),
    codeTables: codeTables.map(({ file }) => file),
  };
}

/** The code tables that differ, if nothing else does; `codeTables` are those of `now`. */
export function differentTables(
  before: string,
  now: string,
  codeTables: readonly string[],
): readonly string[] | undefined {
  const [print, ...old] = before.split(separator);
  const [printNow, ...current] = now.split(separator);
  // The same mapping reads the same code tables.
  if (print !== printNow || old.length !== current.length) return undefined;
  return [...new Set(codeTables.filter((_file, at) => old[at] !== current[at]))];
}
