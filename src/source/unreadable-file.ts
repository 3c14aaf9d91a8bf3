import type { Problem } from '../domain/problem.ts';
import { ExportBroken, fileProblem } from './fault.ts';
import { FileUnreadable } from './file-bytes.ts';

/** The problem for an error of reading; any other error is thrown again. */
export function unreadableFile(error: unknown, file: string): Problem {
  if (error instanceof ExportBroken) return error.problem;
  if (!(error instanceof FileUnreadable)) throw error;
  return fileProblem(error.code, file, `${file} ${error.message}`);
}
