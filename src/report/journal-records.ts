import type { AccountHistory } from './account-history.ts';
import { historySummary } from './account-history.ts';
import { isoTime } from './format.ts';

/** Everything in the journal about one account as one JSON line (docs/journal.md). Times are UTC. */
export function journalAccountRecord(platform: string, story: AccountHistory): object {
  const { planHash = null, stagedHash = null, inDoubtSince } = story.entry;
  return {
    type: 'account',
    ...historySummary(story),
    platform,
    platformLabel: story.platformLabel,
    planHash,
    stagedHash,
    inDoubtSince: inDoubtSince === undefined ? null : isoTime(inDoubtSince),
  };
}
