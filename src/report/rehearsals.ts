import type { RunEntry } from '../journal/journal.ts';

/** Whether a run went to the embedded platform. */
export function isRehearsal({ facts, platformLabel }: Pick<RunEntry, 'facts' | 'platformLabel'>): boolean {
  return facts?.rehearsal ?? platformLabel === 'embedded';
}
