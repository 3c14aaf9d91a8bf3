import { readFile } from 'node:fs/promises';
import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from './cannot-start.ts';

/** Reads a text file that the user named; `what` says in a message which one it is. Throws CannotStart. */
export async function readNamedFile(what: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
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
