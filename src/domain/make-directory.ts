import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory and its missing parents. Returns the first one made; undefined if all existed. Throws the
 * system's errors. mkdir's own `recursive` never returns if the system denies that an existing parent exists, as
 * under /proc.
 */
export function makeDirectory(path: string, mode: number): string | undefined {
  const missing: string[] = [];
  for (let at = path; !isThere(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const directory of missing) makeOne(directory, mode);
  if (missing.length === 0) mkdirSync(path, { recursive: true, mode });
  return missing[0];
}

/** A dangling link exists, and blocks the name. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function makeOne(directory: string, mode: number): void {
  try {
    mkdirSync(directory, { mode });
  } catch (error) {
    // Another process may have made it in the meantime.
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
