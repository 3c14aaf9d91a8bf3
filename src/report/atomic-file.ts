import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, lstatSync, openSync, statSync, writeSync } from 'node:fs';
import { whyUnwritten } from '../domain/unwritten.ts';
import { removeLeftover } from '../domain/remove-file.ts';
import { renameOver } from '../domain/rename-over.ts';

/** Characters that are collected before a write. */
const writeAt = 64 * 1024;

/** Why the file cannot be written, with the remedy. */
export interface FileRefused {
  readonly refusal: string;
}

/**
 * A text file that is written beside its place and moved there when it is complete, so that a file with its name is
 * never partial. Readable by its owner only. A device, a pipe or a link in its place is written to directly.
 */
export class AtomicFile {
  readonly #path: string;
  /** Absent if it is written in its place. */
  readonly #draft: string | undefined;
  #gathered = '';
  #handle: number | undefined;
  /** The error while writing; nothing is written after it. */
  #failure: string | undefined;

  private constructor(path: string) {
    this.#path = path;
    const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
    this.#draft = isFile ? `${path}.${randomUUID()}.partial` : undefined;
    this.#handle = this.#draft === undefined ? openSync(path, 'w') : openSync(this.#draft, 'wx', 0o600);
  }

  /** `path` is absolute. */
  static open(path: string): AtomicFile | FileRefused {
    try {
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
        return { refusal: `${path} is a directory. Name a file.` };
      return new AtomicFile(path);
    } catch (error) {
      return { refusal: unwritable(path, error) };
    }
  }

  add(text: string): void {
    this.#gathered += text;
    if (this.#gathered.length >= writeAt) this.#write();
  }

  /** Ends the file and gives it its name; returns why that failed, with the remedy. */
  complete(): string | undefined {
    this.#write();
    this.#attempt((handle) => {
      if (this.#draft === undefined) return;
      fsyncSync(handle);
      renameOver(this.#draft, this.#path);
    });
    this.close();
    return this.#failure;
  }

  /** Releases the file, and removes it if it was not completed; can be called after `complete`. */
  close(): void {
    if (this.#handle === undefined) return;
    closeSync(this.#handle);
    this.#handle = undefined;
    if (this.#draft !== undefined) removeLeftover(this.#draft);
  }

  #write(): void {
    const bytes = Buffer.from(this.#gathered);
    this.#gathered = '';
    this.#attempt((handle) => {
      for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
    });
  }

  /** A full disk must not end the command whose problems are written: it is reported when the file is completed. */
  #attempt(work: (handle: number) => void): void {
    if (this.#handle === undefined || this.#failure !== undefined) return;
    try {
      work(this.#handle);
    } catch (error) {
      this.#failure = unwritable(this.#path, error);
    }
  }
}

function unwritable(path: string, error: unknown): string {
  return `${path} cannot be written: ${whyUnwritten(error)}`;
}
