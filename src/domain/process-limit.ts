import { readFileSync } from 'node:fs';

/**
 * A limit of this process: the number of files and connections that it may have open at a time, or the bytes of a file that it
 * writes. Undefined if there is none, or the system does not say.
 */
export function processLimit(name: 'Max open files' | 'Max file size'): number | undefined {
  try {
    const [, limit] =
      new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
