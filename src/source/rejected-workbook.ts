import type { TableSpec } from './export.ts';

/** A workbook of rejected rows has a sheet for each table; tables of one file, which has each row once, share a sheet. */

const forbidden = /[[\]:*?/\\]/g;
/** The longest name of a sheet. */
const longestName = 31;

/** Whether a file of rejected rows is a workbook, by its name. */
export function isWorkbookName(name: string): boolean {
  return /\.xlsx$/i.test(name);
}

/** The sheet of each table, by the table's name: named after the first table that shares it. */
export function sheetsOfTables(specs: readonly TableSpec[]): ReadonlyMap<string, string> {
  const ofFile = new Map<string, string>();
  const taken = new Set<string>();
  const sheets = new Map<string, string>();
  for (const { name, file, sheet = '' } of specs) {
    const place = JSON.stringify([file, sheet]);
    let found = ofFile.get(place);
    if (found === undefined) {
      found = unused(sheetOf(name), taken);
      taken.add(found.toLowerCase());
      ofFile.set(place, found);
    }
    sheets.set(name, found);
  }
  return sheets;
}

/** The sheet of a table whose name no other table has in its first characters. */
export function sheetOf(name: string): string {
  return name.replace(forbidden, '_').slice(0, longestName);
}

/** Names of sheets differ by more than their case. */
function unused(name: string, taken: ReadonlySet<string>): string {
  let found = name;
  for (let count = 2; taken.has(found.toLowerCase()); count += 1)
    found = `${name.slice(0, longestName - 3)}_${count}`;
  return found;
}

/** The tables as sheets of a workbook of corrected rows: its cells hold what the files had. */
export function asSheets(specs: readonly TableSpec[], file: string): readonly TableSpec[] {
  const sheets = sheetsOfTables(specs);
  return specs.map(
    ({
      delimiter: _delimiter,
      encoding: _encoding,
      quote: _quote,
      escape: _escape,
      comment: _comment,
      ...spec
    }) => ({
      ...spec,
      isCopy: true,
      ...(/\.parquet$/i.test(spec.file) ? { hasUtcTexts: true as const } : {}),
      file,
      sheet: sheets.get(spec.name) ?? spec.name,
    }),
  );
}
