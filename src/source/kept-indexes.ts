import { BlockIndexes } from './blocks/block-index.ts';
import { SortedIndexes } from './sorted/sorted-index.ts';

/** What is kept of the latest sorted exports, each in a file of its own in the work directory. */
export class KeptIndexes {
  /** Of files that are as they were. */
  readonly sorted: SortedIndexes;
  /** Of files of which some rows may be others than when their accounts were last compared. */
  readonly blocks: BlockIndexes;

  /**
   * `version`: that of the program; what another one kept is not believed. `makesDirectory`: the directory is made if the one above
   * exists. `accountsEach`: a block with so many ends; absent: see BlockIndexes.
   */
  constructor(
    directory: string,
    version: string,
    {
      makesDirectory = false,
      accountsEach,
    }: { readonly makesDirectory?: boolean; readonly accountsEach?: number } = {},
  ) {
    this.sorted = new SortedIndexes(directory, version, { makesDirectory });
    // Stryker disable next-line ConditionalExpression: undefined is as absent
    this.blocks = new BlockIndexes(directory, version, accountsEach === undefined ? {} : { accountsEach });
  }
}
