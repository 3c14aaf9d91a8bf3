import { readFileSync } from 'node:fs';

/** The number of files and connections that this process may have open at a time; undefined if the system does not say. */
export function openFileLimit(): number | undefined {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
