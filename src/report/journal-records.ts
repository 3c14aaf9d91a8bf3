import type { AccountStory } from './account-story.ts';
import { storySummary } from './account-story.ts';
import { isoTime } from './format.ts';

/** All that the journal holds of one account as one JSON line (docs/journal.md). Times are UTC. */
export function journalAccountRecord(platform: string, story: AccountStory): object {
  const { planHash = null, stagedHash = null, inDoubtSince } = story.entry;
  return {
    type: 'account',
    ...storySummary(story),
    platform,
    platformLabel: story.platformLabel,
    planHash,
    stagedHash,
    inDoubtSince: inDoubtSince === undefined ? null : isoTime(inDoubtSince),
  };
}
