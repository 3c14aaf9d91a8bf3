/** The files have to be read as a whole. */
export class NotByBlocks extends Error {
  override readonly name = 'NotByBlocks';
}
