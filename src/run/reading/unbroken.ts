import { ExportBroken } from '../../source/fault.ts';
import { cannotRead } from './cannot-read.ts';

/** The same, unless a file cannot be read further: throws CannotStart. */
export async function* unbroken<Read>(read: AsyncIterable<Read>): AsyncGenerator<Read> {
  try {
    yield* read;
  } catch (error) {
    throw error instanceof ExportBroken ? cannotRead([error.problem]) : error;
  }
}
