import { platform } from 'node:os';
import { win32 } from 'node:path';

/** Windows takes these for devices in every directory, also with an extension and with blanks before it. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:[.:]|$)/i;
// What follows a colon is a hidden stream of the file before it.
const unfit = /[<>:"|?*\p{Cc}]/u;

/**
 * Why Windows would write something else than a file or directory with this path, as a sentence that repeats nothing of it and has no
 * remedy; undefined if it would not, and on other systems. A drive, a share and `\\?\` may begin the path.
 */
export function windowsNameFault(path: string, system = platform()): string | undefined {
  if (system !== 'win32') return undefined;
  const parts = path.slice(win32.parse(path).root.length).split(/[\\/]/);
  const names = parts.filter((part) => part !== '.' && part !== '..');
  if (names.some((name) => device.test(name)))
    return 'a part of it is the name of a device on Windows, such as NUL, CON or COM1';
  if (names.some((name) => unfit.test(name)))
    return 'a part of it has a character that no name has on Windows: < > : " | ? * or a control character';
  if (names.some((name) => /[. ]$/.test(name)))
    return 'a part of it ends with a dot or a blank, which Windows removes';
  return undefined;
}
