import { shownText } from '../domain/foreign-text.ts';
import { markedText } from '../domain/marked-text.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { readRegular, readTrusted, whyUnread } from '../domain/trusted-file.ts';
import { CannotStart } from './cannot-start.ts';

/**
 * Reads a text file in UTF-8, or in UTF-16 with a byte order mark, that decides what is done, such as a mapping; `what` identifies it in messages. A byte order
 * mark, as editors write it, is not part of the text. Throws CannotStart.
 */
export function readNamedFile(what: string, file: string): Promise<string> {
  return textOf(what, file, readTrusted);
}

/** The same for a file of data, whoever owns it: a list of accounts, or of rulings. */
export function readNamedList(what: string, file: string): Promise<string> {
  return textOf(what, file, readRegular);
}

async function textOf(what: string, file: string, read: (file: string) => Promise<Buffer>): Promise<string> {
  const bytes = await read(file).catch((error: unknown) => {
    throw new CannotStart(exitCodes.usage, `${what} ${shownText(file)} ${whyUnread(error)}`);
  });
  const marked = markedText(bytes);
  if (marked !== undefined) return marked;
  const text = bytes.toString('utf8');
  const line = text.slice(0, text.indexOf('\uFFFD')).split('\n').length;
  throw new CannotStart(
    exitCodes.usage,
    `${what} ${shownText(file)} is not UTF-8: line ${line} has invalid bytes. Save it as UTF-8.`,
  );
}
