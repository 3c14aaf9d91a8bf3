import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { isDataFile, isNamedFile } from '../formats/formats.ts';
import { bucketAndKey, isBucketAddress, parentOf } from './address.ts';
import { archivePlace, isArchiveName } from './archive.ts';
import { directoryPlace, localFile } from './directory.ts';
import type { Place, StoredFile } from './place.ts';

/**
 * An address as a place, and the name of a file in it, if it is the address of one file that is not an
 * archive.
 */
export interface Located {
  readonly root: string;
  readonly file?: string;
}

/** Whether an address is that of a place, or of one file. Throws FileUnreadable, and errors of the file system. */
export async function located(address: string): Promise<Located> {
  const isFile = isBucketAddress(address)
    ? isFileName(basename(address)) && (await objectAt(address)) !== undefined
    : !isArchiveFile(address) && !(await stat(address)).isDirectory();
  return isFile ? { root: parentOf(address), file: basename(address) } : { root: address };
}

/** The place at an address; `isWithin`: without what is behind links that lead out of it. Close it at the end. Throws FileUnreadable. */
export async function placeAt(
  address: string,
  { isWithin = false }: { readonly isWithin?: boolean } = {},
): Promise<Place> {
  if (!isBucketAddress(address)) {
    const file = isArchiveFile(address) ? localFile(address) : undefined;
    return file === undefined ? directoryPlace(address, isWithin) : archivePlace(file);
  }
  const file = isArchiveName(basename(address)) ? await objectAt(address) : undefined;
  if (file !== undefined) return archivePlace(file);
  const { bucketPlace } = await import('./bucket.ts');
  const { bucket, key } = bucketAndKey(address);
  return bucketPlace(address, bucket, key);
}

function isFileName(name: string): boolean {
  return isDataFile(name) || isNamedFile(name);
}

function isArchiveFile(address: string): boolean {
  return isArchiveName(address) && statSync(address, { throwIfNoEntry: false })?.isFile() === true;
}

async function objectAt(address: string): Promise<StoredFile | undefined> {
  const { bucket, key } = bucketAndKey(address);
  if (key === '') return undefined;
  const { storedObject } = await import('./bucket.ts');
  return storedObject(address, bucket, key);
}
