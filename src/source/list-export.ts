import { definedFields } from '../domain/defined-fields.ts';
import type { ExportUnreadable } from './export.ts';
import { exportProblem } from './fault.ts';
import { fileErrorText, FileUnreadable } from './file-bytes.ts';
import { exportElsewhere, filesElsewhere } from './files-elsewhere.ts';
import { isDataFile, isNamedFile, usualEndings } from './formats/formats.ts';
import { addressOf, isBucketAddress } from './places/address.ts';
import { located, placeAt } from './places/places.ts';

const endings = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(usualEndings);

/** The data files of an export. */
export interface ExportListing {
  /** The address of the place that they are in: a directory, absolute, an archive, or a prefix in a bucket. */
  readonly root: string;
  /** What precedes their names for people, if anything. */
  readonly label?: string | undefined;
  /** Their names, sorted. */
  readonly files: readonly string[];
}

/**
 * Lists the data files of a directory, an archive or a prefix in a bucket, or takes a single file as the whole export. With `texts`, other files that only
 * a mapping can describe (.txt, .dat) are listed too.
 */
export async function listExport(
  path: string,
  { texts = false }: { readonly texts?: boolean } = {},
): Promise<ExportListing | ExportUnreadable> {
  const isListed = (file: string): boolean => isDataFile(file) || (texts && isNamedFile(file));
  const unreadable = (code: string, rest: string): ExportUnreadable => ({
    problems: [exportProblem(code, `The export ${path} ${rest}`)],
  });
  try {
    const { root, file } = await located(addressOf('.', path));
    if (file !== undefined && !isListed(file))
      return unreadable(
        'not_a_data_file',
        `is not a ${endings} file (.gz or not). Name such a file, a directory or a .zip file, or describe a .txt or .dat file in a mapping.`,
      );
    if (file !== undefined)
      return definedFields({ root, files: [file], label: isBucketAddress(root) ? root : undefined });
    const place = await placeAt(root);
    try {
      const files = (await place.list()).filter(isListed).sort();
      if (files.length > 0) return { root, files, label: place.label };
      const remedy =
        exportElsewhere(path, await filesElsewhere(place)) ??
        'Name the directory that has them; .txt and .dat files need a mapping.';
      return unreadable('empty_export', `has no ${endings} file (.gz or not) in it. ${remedy}`);
    } finally {
      place.close();
    }
  } catch (error) {
    if (error instanceof FileUnreadable) return unreadable(error.code, error.message);
    const text = fileErrorText(error);
    if (text === undefined) throw error;
    return unreadable('unreadable_export', text);
  }
}
