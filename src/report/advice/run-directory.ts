import { isAbsolute, normalize, sep } from 'node:path';
import type { RunEntry } from '../../journal/journal.ts';
import { continuedRun } from './of-book.ts';

/**
 * The working directory of the run whose command is typed again, to which the paths of suggested commands are relative; undefined if its export was named
 * otherwise than by a path below it. `runs`: newest first.
 */
export function directoryOf(
  runs: readonly Pick<RunEntry, 'dryRun' | 'export' | 'facts' | 'end'>[],
): string | undefined {
  const last = continuedRun(runs) ?? runs[0];
  const place = last?.facts?.given?.place;
  if (last === undefined || place === undefined || isAbsolute(last.export)) return undefined;
  const below = normalize(last.export).replace(/[/\\]$/, '');
  if (below === '.') return place;
  return place.endsWith(`${sep}${below}`) ? place.slice(0, -below.length - 1) || sep : undefined;
}

/** Where to type the commands, as a sentence; '' if that is not known, or is where the reader is (`here`). */
export function directoryText(directory: string | undefined, here?: string): string {
  return directory === undefined || directory === here
    ? ''
    : `Type the commands in ${directory}: their paths start there.`;
}
