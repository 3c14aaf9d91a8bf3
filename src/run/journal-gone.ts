import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Whereabouts } from '../journal/journal.ts';
import { quoted } from '../report/command-line.ts';

/**
 * The message about a journal that was removed from its place during a run: where its records are, and how to put
 * them back.
 */
export function journalGone(location: string, { movedTo, savedAs }: Whereabouts): string {
  if (movedTo !== undefined) {
    const command = existsSync(dirname(location))
      ? `mv ${quoted(movedTo)} ${quoted(location)}`
      : `mv ${quoted(dirname(movedTo))} ${quoted(dirname(location))}`;
    const isWhole = existsSync(dirname(location)) || basename(movedTo) === basename(location);
    return told(
      location,
      `is now ${movedTo}, with the records of the requests that were under way.`,
      isWhole ? command : undefined,
    );
  }
  if (savedAs !== undefined)
    return told(
      location,
      `is no longer in its place. Everything in it, with the requests that were under way, is saved as ${savedAs}.`,
      `mv ${quoted(savedAs)} ${quoted(location)}`,
    );
  return `the journal ${location} was deleted or replaced while the run used it, and its records could not be saved. No further request was sent. Restore a backup: migrate journal restore FILE.`;
}

function told(location: string, where: string, command: string | undefined): string {
  const first = existsSync(location)
    ? 'Move away the file that is in its place now, put it back'
    : 'Put it back';
  const how = command === undefined ? '' : ` (${command})`;
  return (
    `the journal ${location} was moved, replaced or deleted while the run used it. No further request was sent. ` +
    `It ${where} ${first}${how}, and run the same command again.`
  );
}
