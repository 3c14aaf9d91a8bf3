import { exitCodes } from '../../domain/exit-codes.ts';
import { rejectedBecause } from '../../domain/shared-codes.ts';
import { FileUnreadable } from '../../source/file-bytes.ts';
import type { TableSpec } from '../../source/export.ts';
import { unreadableFile } from '../../source/fault.ts';
import { formatOfFile } from '../../source/formats/formats.ts';
import type { ExportListing } from '../../source/list-export.ts';
import { placeAt } from '../../source/places/places.ts';
import { sampleFile } from '../../source/sample-file.ts';
import { asSheets, isWorkbookName, sheetOf } from '../../source/rejected-workbook.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { cannotRead } from './cannot-read.ts';

/**
 * What the sheets of a workbook of corrected rows would be as files of the built-in shapes, whose names are `known`;
 * undefined if the only file of the listing is not a workbook. Throws CannotStart.
 */
export async function correctedSheets(
  { root, files: [file = ''] }: ExportListing,
  known: ReadonlySet<string>,
): Promise<readonly string[] | undefined> {
  if (!isWorkbookName(file)) return undefined;
  const place = await placeAt(root);
  try {
    const stored = await place.find(file);
    const sheets = stored === undefined ? undefined : await formatOfFile(file).sheets?.(stored);
    // The name of a sheet may be too short for that of its table.
    const ofSheet = new Map([...known].map((name) => [sheetOf(name), name]));
    return sheets?.map((sheet) => `${ofSheet.get(sheet) ?? sheet}.csv`);
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    throw cannotRead([unreadableFile(error, file)]);
  } finally {
    place.close();
  }
}

/**
 * Throws CannotStart if the only file of the listing, which is named `path`, is a workbook of rejected rows: it cannot
 * be read as an export.
 */
export async function refuseRejectedRows({ root, files }: ExportListing, path: string): Promise<void> {
  const [file = ''] = files;
  if (!isWorkbookName(file)) return;
  const place = await placeAt(root);
  try {
    const samples = await sampleFile(place, file);
    if ('problem' in samples || !samples.some(({ columns }) => columns.includes(rejectedBecause))) return;
  } finally {
    place.close();
  }
  throw new CannotStart(
    exitCodes.usage,
    `${path} contains rejected rows of an export. Name the export, and add --with ${path}.`,
  );
}

/** The tables as sheets of that workbook, unless the mapping names it as it is. */
export function correctedTables(
  specs: readonly TableSpec[],
  { files: [file = ''] }: ExportListing,
): readonly TableSpec[] {
  return specs.some((spec) => spec.file === file) ? specs : asSheets(specs, file);
}
