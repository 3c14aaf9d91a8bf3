import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { removeLeftover } from '../domain/remove-file.ts';
import { renameOver } from '../domain/rename-over.ts';

/** A file that was not finished is removed this long after it was last written, in milliseconds. */
const mostAbandoned = 86_400_000;

const unfinished = '.new';
// Stryker disable next-line StringLiteral: the end is known by its place
const endMark = 'end\t';
/** With a fingerprint in base64url. */
const endLength = endMark.length + 43;
const chunkSize = 256 * 1024;

/**
 * The latest files of one kind in the work directory, which save later commands time. Each has lines, and ends with the fingerprint of
 * all before: one that was edited or cut is not believed. Where the file system refuses anything, it is as if there were none.
 */
export class KeptFiles {
  readonly #directory: string;
  /** The names of the kind begin with it. */
  readonly #kind: string;
  readonly #most: number;
  readonly #makesDirectory: boolean;

  /** `most`: so many are kept. `makesDirectory`: the directory is made if the one above exists. */
  constructor(
    directory: string,
    kind: string,
    { most, makesDirectory }: { readonly most: number; readonly makesDirectory: boolean },
  ) {
    this.#directory = directory;
    this.#kind = kind;
    this.#most = most;
    this.#makesDirectory = makesDirectory;
  }

  /** The lines of the first whole one of these, without its end, to be read or returned from; undefined if there is none. */
  lines(names: readonly string[]): Generator<string, void> | undefined {
    for (const path of names.map((name) => this.#pathOf(name))) {
      const descriptor = done(() => openSync(path, 'r'));
      if (descriptor === undefined) continue;
      // What is read later is what is examined here, whoever replaces or removes the file.
      if (done(() => isWhole(descriptor)) === true) return linesOf(descriptor);
      done(() => closeSync(descriptor));
    }
    return undefined;
  }

  has(name: string): boolean {
    return existsSync(this.#pathOf(name));
  }

  /** The names that begin so, the latest first. */
  namesWith(beginning: string): readonly string[] {
    return (done(() => this.#whole()) ?? [])
      .map(({ name }) => name)
      .filter((name) => name.startsWith(beginning));
  }

  /** Begins a file that takes the place of the one before when it is finished; undefined if it cannot be written. */
  write(name: string): KeptFileWriter | undefined {
    const path = this.#pathOf(name);
    const own = `${path}.${randomUUID()}${unfinished}`;
    if (this.#makesDirectory) done(() => mkdirSync(this.#directory, { mode: 0o700 }));
    const descriptor = done(() => openSync(own, 'wx', 0o600));
    if (descriptor === undefined) return undefined;
    done(() => this.#removeOld(own, path));
    return new KeptFileWriter(descriptor, own, path);
  }

  remove(name: string): void {
    removeLeftover(this.#pathOf(name));
  }

  #pathOf(name: string): string {
    return join(this.#directory, this.#kind + name);
  }

  /** Removes what is left of ended processes, and the oldest files beside the one that is written. */
  #removeOld(own: string, written: string): void {
    const found = this.#found();
    // Stryker disable next-line OptionalChaining: it was just made
    const now = found.find(({ path }) => path === own)?.at ?? 0;
    const begun = found.filter(({ path }) => path.endsWith(unfinished));
    const others = this.#whole().filter(({ path }) => path !== written);
    // Stryker disable next-line EqualityOperator: a millisecond more
    const old = [...begun.filter(({ at }) => now - at > mostAbandoned), ...others.slice(this.#most - 1)];
    for (const { path } of old) removeLeftover(path);
  }

  #whole(): readonly FoundFile[] {
    return this.#found().filter(({ path }) => !path.endsWith(unfinished));
  }

  /** The files, the latest first. */
  #found(): readonly FoundFile[] {
    return readdirSync(this.#directory)
      .filter((file) => file.startsWith(this.#kind))
      .flatMap((file) => {
        const path = join(this.#directory, file);
        const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
        return at === undefined ? [] : { name: file.slice(this.#kind.length), path, at };
      })
      .toSorted((one, other) => other.at - one.at);
  }
}

interface FoundFile {
  readonly name: string;
  readonly path: string;
  /** When it was last written. */
  readonly at: number;
}

/** Writes a file, line by line. After an error of the file system it writes nothing. */
export class KeptFileWriter {
  readonly #own: string;
  readonly #path: string;
  readonly #hash = createHash('sha256');
  #descriptor: number | undefined;
  #text = '';

  constructor(descriptor: number, own: string, path: string) {
    this.#descriptor = descriptor;
    this.#own = own;
    this.#path = path;
  }

  /** `text` has no line feed. */
  line(text: string): void {
    this.#text += `${text}\n`;
    // Stryker disable next-line ConditionalExpression,EqualityOperator: saves memory alone
    if (this.#text.length >= chunkSize) this.#write();
  }

  /** Puts it in the place of the one before; whether it is there. */
  finish(): boolean {
    this.#write();
    this.#text = endMark + this.#hash.digest('base64url');
    this.#write(true);
    // A network's disk says only here that it is full.
    const isThere = this.#close() && isDone(() => renameOver(this.#own, this.#path));
    // Stryker disable next-line ConditionalExpression: nothing is left where it is there
    if (!isThere) this.#remove();
    return isThere;
  }

  /** Removes it; can be called after it was finished. */
  abandon(): void {
    // Stryker disable next-line ConditionalExpression: nothing is left of what was finished
    if (this.#descriptor === undefined) return;
    this.#close();
    this.#remove();
  }

  #write(isEnd = false): void {
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    if (this.#descriptor === undefined) return;
    if (!isEnd) this.#hash.update(bytes);
    const descriptor = this.#descriptor;
    const isWritten = isDone(() => {
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
    });
    if (!isWritten) this.abandon();
  }

  /** Whether it was open, and everything is on the disk. */
  #close(): boolean {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    return descriptor !== undefined && isDone(() => closeSync(descriptor));
  }

  #remove(): void {
    removeLeftover(this.#own);
  }
}

/** Whether a file ends with the fingerprint of all before. */
function isWhole(descriptor: number): boolean {
  const hash = createHash('sha256');
  let end = nothing;
  for (const chunk of chunksOf(descriptor)) {
    // Stryker disable next-line ConditionalExpression,EqualityOperator: saves time alone, unless the chunk is short
    const isLong = chunk.length >= endLength;
    if (isLong) hash.update(end);
    const bytes = isLong ? chunk : Buffer.concat([end, chunk]);
    const cut = Math.max(0, bytes.length - endLength);
    hash.update(bytes.subarray(0, cut));
    end = bytes.subarray(cut);
  }
  return end.toString() === endMark + hash.digest('base64url');
}

const nothing: Buffer = Buffer.alloc(0);
const lineFeed = 10;

/** The end has no line feed, and is none of them. Where the system refuses to read on, the lines end; the file is closed then. */
function* linesOf(descriptor: number): Generator<string, void> {
  try {
    let before: Buffer[] = [];
    for (const chunk of chunksOf(descriptor)) {
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
        const line = chunk.subarray(start, end);
        // Stryker disable next-line ConditionalExpression: saves time alone
        yield (before.length === 0 ? line : Buffer.concat([...before, line])).toString();
        before = [];
        start = end + 1;
      }
      before.push(chunk.subarray(start));
    }
  } catch (error) {
    if (!isOfSystem(error)) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** From the beginning of the file. */
function* chunksOf(descriptor: number): Generator<Buffer, void> {
  for (let at = 0; ;) {
    const chunk = Buffer.allocUnsafeSlow(chunkSize);
    const length = readSync(descriptor, chunk, 0, chunkSize, at);
    if (length === 0) return;
    at += length;
    yield chunk.subarray(0, length);
  }
}

/** Of a value as JSON, in 43 letters of base64url. */
export function fingerprintOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

/** undefined where the system did not let it be done: what is kept only saves time. */
function done<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch (error) {
    if (isOfSystem(error)) return undefined;
    throw error;
  }
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function isDone(act: () => void): boolean {
  return (
    done(() => {
      act();
      return true;
    }) ?? false
  );
}
