import { createHash, randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { removeLeftover } from '../../domain/remove-file.ts';
import { renameOver } from '../../domain/rename-over.ts';
import type { Order } from '../merge.ts';
import type { OpenedFile } from '../table.ts';
import type { Block } from './block.ts';
import { blockLine, blockOf } from './block-lines.ts';

/** The form of the file: one of another form is not read. */
const form = 1;

/** Exports whose blocks are kept. */
const mostIndexes = 4;

/** A file that was not finished is removed this long after it was last written, in milliseconds. */
const mostAbandoned = 86_400_000;

const unfinished = '.new';
const prefix = 'blocks-';
const endMark = 'end\t';
/** With a fingerprint in base64url. */
const endLength = endMark.length + 43;
const chunkSize = 256 * 1024;

/** What decides whether the rows of files are read alike. */
export interface ReadAs {
  readonly files: readonly OpenedFile[];
  /** The order of their accounts, and its position in `orders`. */
  readonly at: number;
  readonly order: Order;
  /** The most memory of the rows of one account, in bytes. */
  readonly mostBytes: number | undefined;
}

/**
 * The blocks of the latest exports: account numbers, fingerprints and sizes, no other value of a cell. An index is a file of its own,
 * which ends with the fingerprint of all before: one that was edited or cut is not believed.
 */
export class BlockIndexes {
  readonly #directory: string;
  readonly #version: string;
  /** A block with so many accounts ends. */
  readonly accountsEach: number;

  /** `version`: that of the program; indexes of another one are not believed. */
  constructor(directory: string, version: string, { accountsEach = 32 } = {}) {
    this.#directory = directory;
    this.#version = version;
    this.accountsEach = accountsEach;
  }

  /**
   * The blocks of these files when they were last compared, in the order of their accounts, or those of other files that were read
   * alike: an export may have another name each night. undefined if there are none.
   */
  find(asked: ReadAs): Generator<Block, void> | undefined {
    try {
      const paths = this.#pathsFor(asked);
      const path = paths.find((one) => existsSync(one) && isWhole(one));
      if (path === undefined) return undefined;
      const lines = linesOf(path);
      if (lines.next().value === this.#headerOf(asked)) return blocksIn(lines);
      lines.return(undefined);
      return undefined;
    } catch (error) {
      if (isOfSystem(error)) return undefined;
      throw error;
    }
  }

  /** Whether there may be any. */
  has(asked: ReadAs): boolean {
    let isThere = false;
    isDone(() => {
      isThere = this.#pathsFor(asked).some((path) => existsSync(path));
    });
    return isThere;
  }

  /** Begins an index that takes the place of the one before when it is finished; undefined if it cannot be written. */
  write(asked: ReadAs): BlockIndexWriter | undefined {
    const path = this.#pathOf(asked);
    const own = `${path}.${randomUUID()}${unfinished}`;
    let writer: BlockIndexWriter | undefined;
    isDone(() => {
      writer = new BlockIndexWriter(openSync(own, 'wx', 0o600), own, path);
    });
    writer?.line(this.#headerOf(asked));
    isDone(() => this.#removeOld(own));
    return writer;
  }

  /** Where the blocks of these files would be, and those of others that were read alike, the latest first. */
  #pathsFor(asked: ReadAs): readonly string[] {
    const alike = this.#found().filter(({ path }) => path.startsWith(this.#prefixOf(asked)) && !path.endsWith(unfinished)); // prettier-ignore
    return [this.#pathOf(asked), ...alike.map(({ path }) => path)];
  }

  #pathOf(asked: ReadAs): string {
    const paths = asked.files.map(({ stored }) => stored.path);
    return `${this.#prefixOf(asked)}${digest(paths).slice(0, 16)}`;
  }

  #prefixOf(asked: ReadAs): string {
    return join(this.#directory, `${prefix}${this.#headerOf(asked).slice(0, 16)}.`);
  }

  #headerOf({ files, at, mostBytes }: ReadAs): string {
    return digest([form, this.#version, at, mostBytes, files.map(({ table }) => table)]);
  }

  /** The indexes, the latest first. */
  #found(): readonly { readonly path: string; readonly at: number }[] {
    return readdirSync(this.#directory)
      .filter((name) => name.startsWith(prefix))
      .map((name) => join(this.#directory, name))
      .flatMap((path) => {
        const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
        return at === undefined ? [] : { path, at };
      })
      .toSorted((one, other) => other.at - one.at);
  }

  /** Removes what is left of ended processes, and the oldest indexes. */
  #removeOld(own: string): void {
    const found = this.#found();
    const now = found.find(({ path }) => path === own)?.at ?? 0;
    const begun = found.filter(({ path }) => path.endsWith(unfinished));
    const whole = found.filter(({ path }) => !path.endsWith(unfinished));
    const old = [...begun.filter(({ at }) => now - at > mostAbandoned), ...whole.slice(mostIndexes)];
    for (const { path } of old) removeLeftover(path);
  }
}

/** Writes an index, block by block. After an error of the file system it writes nothing. */
export class BlockIndexWriter {
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

  add(block: Block): void {
    this.line(block.line ?? blockLine(block));
  }

  line(text: string): void {
    this.#text += `${text}\n`;
    if (this.#text.length >= chunkSize) this.#write();
  }

  /** Puts it in the place of the one before. */
  finish(): void {
    this.#write();
    this.#text = endMark + this.#hash.digest('base64url');
    this.#write(true);
    // A network's disk says only here that it is full.
    if (!this.#close() || !isDone(() => renameOver(this.#own, this.#path))) this.#remove();
  }

  /** Removes it; can be called after it was finished. */
  abandon(): void {
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
function isWhole(path: string): boolean {
  const hash = createHash('sha256');
  let end = nothing;
  for (const chunk of chunksOf(path)) {
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

function* blocksIn(lines: Generator<string, void>): Generator<Block, void> {
  for (const line of lines) if (!line.startsWith(endMark)) yield blockOf(line);
}

function* linesOf(path: string): Generator<string, void> {
  let before = nothing;
  for (const chunk of chunksOf(path)) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      const line = chunk.subarray(start, end);
      yield (before.length === 0 ? line : Buffer.concat([before, line])).toString();
      before = nothing;
      start = end + 1;
    }
    before = Buffer.concat([before, chunk.subarray(start)]);
  }
}

function* chunksOf(path: string): Generator<Buffer, void> {
  const descriptor = openSync(path, 'r');
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafeSlow(chunkSize);
      const length = readSync(descriptor, chunk);
      if (length === 0) return;
      yield chunk.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

function digest(of: unknown): string {
  return createHash('sha256').update(JSON.stringify(of)).digest('base64url');
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** Whether the system let it be done: an index only saves time. */
function isDone(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (isOfSystem(error)) return false;
    throw error;
  }
}
