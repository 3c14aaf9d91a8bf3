import { fingerprintOf, KeptFiles, type KeptFileWriter } from '../kept-files.ts';
import type { Order } from '../merge.ts';
import type { OpenedFile } from '../table.ts';
import type { Block } from './block.ts';
import { blockOf } from './block-lines.ts';

/** The form of the file: one of another form is not read. */
const form = 1;

/** Exports whose blocks are kept. */
const most = 4;

/** What decides whether the rows of files are read alike. */
export interface ReadAs {
  readonly files: readonly OpenedFile[];
  /** The order of their accounts, and its position in `orders`. */
  readonly at: number;
  readonly order: Order;
  /** The most memory of the rows of one account, in bytes. */
  readonly mostBytes: number | undefined;
}

/** The blocks of the latest exports: account numbers, fingerprints and sizes, no other value of a cell. */
export class BlockIndexes {
  readonly #files: KeptFiles;
  readonly #version: string;
  /** A block with so many accounts ends. */
  readonly accountsEach: number;

  /** `version`: that of the program; indexes of another one are not believed. */
  constructor(directory: string, version: string, { accountsEach = 32 } = {}) {
    this.#files = new KeptFiles(directory, 'blocks-', { most, makesDirectory: false });
    this.#version = version;
    this.accountsEach = accountsEach;
  }

  /**
   * The blocks of these files when they were last compared, in the order of their accounts, or those of other files that were read
   * alike: an export may have another name each night. undefined if there are none.
   */
  find(asked: ReadAs): Generator<Block, void> | undefined {
    const lines = this.#files.lines(this.#namesFor(asked));
    if (lines === undefined) return undefined;
    if (lines.next().value === this.#headerOf(asked)) return blocksIn(lines);
    lines.return(undefined);
    return undefined;
  }

  /** Whether there may be any. */
  has(asked: ReadAs): boolean {
    return this.#namesFor(asked).some((name) => this.#files.has(name));
  }

  /**
   * Begins an index, of a line for each block, that takes the place of the one before when it is finished; undefined if it cannot be
   * written.
   */
  write(asked: ReadAs): KeptFileWriter | undefined {
    const file = this.#files.write(this.#nameOf(asked));
    file?.line(this.#headerOf(asked));
    return file;
  }

  /** Those of these files, and of others that were read alike, the latest first. */
  #namesFor(asked: ReadAs): readonly string[] {
    return [this.#nameOf(asked), ...this.#files.namesWith(this.#beginningOf(asked))];
  }

  #nameOf(asked: ReadAs): string {
    const paths = asked.files.map(({ stored }) => stored.path);
    // Stryker disable next-line MethodExpression: a longer name does as well
    return this.#beginningOf(asked) + fingerprintOf(paths).slice(0, 16);
  }

  #beginningOf(asked: ReadAs): string {
    // Stryker disable next-line MethodExpression: a longer name does as well
    return `${this.#headerOf(asked).slice(0, 16)}.`;
  }

  #headerOf({ files, at, mostBytes }: ReadAs): string {
    return fingerprintOf([form, this.#version, at, mostBytes, files.map(({ table }) => table)]);
  }
}

function* blocksIn(lines: Generator<string, void>): Generator<Block, void> {
  for (const line of lines) yield blockOf(line);
}
