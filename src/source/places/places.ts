import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { archivePlace, isArchiveName } from './archive.ts';
import { directoryPlace, localFile } from './directory.ts';
import type { Place } from './place.ts';

/** The absolute form of a place's name. */
export function addressOf(directory: string, name: string): string {
  return resolve(directory, name);
}

/** Whether the files at an address are in one file. */
export function isArchive(address: string): boolean {
  return isArchiveName(address) && statSync(address, { throwIfNoEntry: false })?.isFile() === true;
}

/** The place at an address. Close it at the end. Throws FileUnreadable. */
export async function placeAt(address: string): Promise<Place> {
  const file = isArchive(address) ? localFile(address) : undefined;
  return file === undefined ? directoryPlace(address) : archivePlace(file);
}
