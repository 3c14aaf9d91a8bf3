import { FileUnreadable } from './file-unreadable.ts';

/** What unpacks to no more than this harms nobody, in bytes. */
const harmless = 64 * 1024 * 1024;
/** How many times its size data may unpack to; a sheet of a million like rows is packed 30 times. */
const mostTimes = 250;

/** Throws FileUnreadable if data unpacks to so many bytes that it must be made to fill memory or disk. `part`: of an archive. */
export function refuseBomb(packed: number, unpacked: number, part?: string): void {
  if (unpacked <= harmless || unpacked <= mostTimes * packed) return;
  const what = part === undefined ? 'it' : `its part ${part}`;
  throw new FileUnreadable(
    'zip_bomb',
    `is refused: ${what} unpacks to ${Math.floor(unpacked / packed)} times its size, as in a file that is made to fill memory or disk. Save it again.`,
  );
}
