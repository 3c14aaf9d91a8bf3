import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from './cannot-start.ts';

/**
 * Reads a UTF-8 text file that the user named; `what` identifies it in messages. A byte order mark, as editors write
 * it, is not part of the text. Throws CannotStart.
 */
export async function readNamedFile(what: string, file: string): Promise<string> {
  const bytes = await bytesOf(what, file);
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text.replace(/^\uFEFF/, '');
  const line = text.slice(0, text.indexOf('\uFFFD')).split('\n').length;
  throw new CannotStart(
    exitCodes.usage,
    `${what} ${file} is not UTF-8: line ${line} has invalid bytes. Save it as UTF-8.`,
  );
}

async function bytesOf(what: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new CannotStart(exitCodes.usage, `${what} ${file} ${reasonFor(String(error.code))}`);
  }
}

function reasonFor(code: string): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist. Check the path.';
  if (code === 'EISDIR') return 'is a directory. Name a file.';
  return `cannot be read (${code}). Check its permissions.`;
}
