import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory, with those above it that are missing; gives the first one made, undefined where all were there.
 * Throws the system's errors. mkdir's own `recursive` never ends where the system denies that the one above is there,
 * as it does under /proc.
 */
export function makeDirectory(path: string, mode: number): string | undefined {
  const missing: string[] = [];
  for (let at = path; !isThere(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const directory of missing) makeOne(directory, mode);
  if (missing.length === 0) mkdirSync(path, { recursive: true, mode });
  return missing[0];
}

/** A link that leads nowhere is there, and is in the way. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function makeOne(directory: string, mode: number): void {
  try {
    mkdirSync(directory, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
