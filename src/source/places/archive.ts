import { basename, posix } from 'node:path';
import { isDataFile, isNamedFile } from '../formats/formats.ts';
import { openZip, type ZipParts } from '../zip-file.ts';
import { isBucketAddress, nameUnder } from './address.ts';
import type { Place, ReadOptions, StoredFile } from './place.ts';
import { UnnamedFile } from './unnamed-file.ts';

/** What macOS adds beside the files. */
const appleDirectory = '__MACOSX/';

/** Whether a file of this name is an archive of files. */
export function isArchiveName(name: string): boolean {
  return /[^.]\.zip$/i.test(name);
}

/**
 * The files in a ZIP file. If all those that are data are in one directory, that is the place. Throws FileUnreadable.
 */
export async function archivePlace(file: StoredFile): Promise<ArchivePlace> {
  const parts = await openZip(file);
  const names = [...parts.all.keys()].filter((name) => !name.startsWith(appleDirectory));
  const data = names.filter((name) => isDataFile(posix.basename(name)));
  const texts = names.filter((name) => isNamedFile(posix.basename(name)));
  return new ArchivePlace(file, parts, names, commonDirectory(data.length > 0 ? data : texts));
}

/** The only directory that these files are in, with a slash; '' if there is none. */
function commonDirectory(names: readonly string[]): string {
  const [directory = '.', ...others] = new Set(names.map((name) => posix.dirname(name)));
  return directory === '.' || others.length > 0 ? '' : `${directory}/`;
}

class ArchivePlace implements Place {
  readonly label: string;
  /** The directory in the archive, with a slash, or ''. */
  readonly #directory: string;
  readonly #file: StoredFile;
  readonly #parts: ZipParts;
  /** The names of all its files, with their directories. */
  readonly all: readonly string[];
  readonly #unpacked = new Map<string, Promise<UnnamedFile>>();

  constructor(file: StoredFile, parts: ZipParts, names: readonly string[], directory: string) {
    this.#file = file;
    this.#parts = parts;
    this.all = names;
    this.#directory = directory;
    const own = isBucketAddress(file.path) ? file.path : basename(file.path);
    this.label = nameUnder(own, directory.slice(0, -1));
  }

  list(): Promise<readonly string[]> {
    return Promise.resolve(
      this.all.flatMap((name) => {
        const rest = name.startsWith(this.#directory) ? name.slice(this.#directory.length) : '/';
        return rest.includes('/') ? [] : [rest];
      }),
    );
  }

  deeper(): Promise<readonly string[]> {
    return Promise.resolve(this.#directory === '' ? this.all.filter((name) => name.includes('/')) : []);
  }

  find(name: string): Promise<StoredFile | undefined> {
    const part = posix.join(this.#directory, name).normalize('NFC');
    const found = this.#parts.all.get(part);
    if (found === undefined) return Promise.resolve(undefined);
    const { mark, fullMark } = this.#file.state;
    const own = [part, found.size, found.checksum].join(' ');
    const state = { size: found.size, mark: `${mark} ${own}`, fullMark: `${fullMark} ${own}` };
    return Promise.resolve({
      path: `${this.#file.path}/${part}`,
      state,
      read: (options) => this.#read(part, options),
      random: async () => ({ descriptor: (await this.#unpackedPart(part)).descriptor() }),
      verify: () => this.#file.verify(),
    });
  }

  close(): void {
    this.#parts.close();
    for (const file of this.#unpacked.values())
      void file.then(
        (found) => found.close(),
        () => undefined,
      );
  }

  async *#read(part: string, { onBytes, signal }: ReadOptions): AsyncGenerator<Buffer, void, undefined> {
    for await (const block of this.#parts.read(part, { signal })) {
      onBytes?.(block.length);
      yield block;
    }
  }

  /** What is packed can only be read from its start: a part is unpacked once for all who read it at random. */
  #unpackedPart(part: string): Promise<UnnamedFile> {
    let found = this.#unpacked.get(part);
    if (found === undefined) this.#unpacked.set(part, (found = UnnamedFile.of(this.#parts.read(part))));
    return found;
  }
}
