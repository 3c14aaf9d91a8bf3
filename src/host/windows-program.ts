import { join } from 'node:path';

/** A program of Windows by its place: by its name alone, one in the working directory would be started. */
export function programOfWindows(...path: readonly string[]): string {
  return join(process.env['SystemRoot'] ?? String.raw`C:\Windows`, 'System32', ...path);
}
