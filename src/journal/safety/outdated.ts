import { DatabaseRefused } from '../../domain/database-refused.ts';

/** The refusal of a command that only reads: it leaves a journal of an earlier version as it is. */
export function outdated(location: string, version: number, newest: number): DatabaseRefused {
  return new DatabaseRefused(
    'outdated',
    `The journal ${location} is of an earlier version (schema ${version}; this version reads schema ${newest}), and reading does not change it. ` +
      'Upgrade it with `migrate journal upgrade`, or read it with the version that wrote it. The next run upgrades it too.',
  );
}

/** What people read while another process upgrades. `since`: ms since the epoch. */
export function beingUpgraded(location: string, since: number, by: string): string {
  const time = new Date(since).toISOString().slice(11, 16);
  return `The journal ${location} is being upgraded since ${time} UTC by ${by}. This command waits until that is done.`;
}

export function upgradeBegins(location: string, from: number, to: number): string {
  return `The journal ${location} is upgraded from schema ${from} to ${to}.`;
}
