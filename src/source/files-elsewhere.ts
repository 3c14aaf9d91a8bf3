import { posix } from 'node:path';
import { nearest } from '../domain/nearest.ts';
import { FileUnreadable } from './file-bytes.ts';
import { isDataFile, isNamedFile } from './formats/formats.ts';
import { nameUnder } from './places/address.ts';
import { archivePlace, isArchiveName } from './places/archive.ts';
import type { Place } from './places/place.ts';

/** An archive that lies among the files of an export, where nothing reads it. */
interface UnreadArchive {
  readonly name: string;
  /** Its data files, with their directories. */
  readonly files: readonly string[];
}

/** What is near the files of an export and is not read as a part of it. */
export interface FilesElsewhere {
  /** Data files in the directories of the export. */
  readonly deeper: readonly string[];
  readonly archives: readonly UnreadArchive[];
}

const mostArchives = 20;

/** Looks into the directories and the archives that are beside an export's files. */
export async function filesElsewhere(place: Place): Promise<FilesElsewhere> {
  const deeper = ((await place.deeper?.().catch(() => [])) ?? []).filter(isData).sort();
  const names = (await place.list().catch(() => [])).filter(isArchiveName).sort();
  const archives: UnreadArchive[] = [];
  for (const name of names.slice(0, mostArchives)) {
    const files = await filesIn(place, name);
    if (files !== undefined) archives.push({ name, files });
  }
  return { deeper, archives };
}

/** Undefined if it is damaged, or no archive. */
async function filesIn(place: Place, name: string): Promise<readonly string[] | undefined> {
  try {
    const stored = await place.find(name);
    if (stored === undefined) return undefined;
    const archive = await archivePlace(stored);
    archive.close();
    return archive.all.filter(isData).sort();
  } catch (error) {
    if (error instanceof FileUnreadable) return undefined;
    throw error;
  }
}

function isData(path: string): boolean {
  const name = posix.basename(path);
  return isDataFile(name) || isNamedFile(name);
}

/** What to do about a file that an export does not have, if it or a file of a similar name is elsewhere. */
export function remedyElsewhere(file: string, { deeper, archives }: FilesElsewhere): string | undefined {
  const near = meantAmong(file, deeper);
  if (near !== undefined) return `Did you mean ${near}?`;
  for (const { name, files } of archives) {
    const meant = meantAmong(file, files);
    if (meant !== undefined)
      return `The archive ${name}, which is not read, has ${meant}. Unpack it here, or name the archive as the export.`;
  }
  const [archive] = archives;
  if (archive === undefined) return undefined;
  return `Add it. The archive ${archive.name}, which is not read, has ${listed(archive.files)}.`;
}

/** The path whose name, without its directories, is this one, or is near it. */
function meantAmong(file: string, paths: readonly string[]): string | undefined {
  const wanted = posix.basename(file);
  const name = nearest(
    wanted,
    paths.map((path) => posix.basename(path)),
  );
  return paths.find((path) => posix.basename(path) === name);
}

/** What to name instead of an export without data files, if its directories or archives have some. */
export function exportElsewhere(path: string, { deeper, archives }: FilesElsewhere): string | undefined {
  const directories = [...new Set(deeper.map((file) => posix.dirname(file)))];
  if (isArchiveName(path) && directories.length > 0)
    return `Its data files are in several directories: ${listed(directories)}. Put them into one.`;
  const named = [
    ...directories.filter((name) => !name.includes('/')),
    ...archives.flatMap(({ name, files }) => (files.length > 0 ? [name] : [])),
  ];
  if (named.length === 0) return undefined;
  return `Name the directory or archive that has them: ${listed(named.map((name) => nameUnder(path, name)))}.`;
}

const mostListed = 5;

function listed(files: readonly string[]): string {
  if (files.length === 0) return 'no data files';
  const more = files.length - mostListed;
  return files.slice(0, mostListed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
