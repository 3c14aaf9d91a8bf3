import type { UpgradeEntry } from '../journal/journal.ts';
import { actorText, counted, formatTime, isoTime } from './format.ts';
import { table } from './table.ts';
import type { Page } from './terminal.ts';

/** An upgrade of the journal as one JSON line. Times are UTC. */
export function upgradeRecord(entry: UpgradeEntry): object {
  const { at, by, fromSchema, toSchema, fromVersion, backup, accounts } = entry;
  return {
    type: 'upgrade',
    at: isoTime(at),
    by: by ?? null,
    fromSchema,
    toSchema,
    fromVersion: fromVersion ?? null,
    backup: backup ?? null,
    accounts,
  };
}

/** For people: who upgraded the journal, when and from what, in the given order. */
export function upgradesText(page: Page, entries: readonly UpgradeEntry[]): string {
  const columns = [
    { title: 'When', whole: true },
    { title: 'What', wrap: true },
    { title: 'By', wrap: true },
  ];
  const rows = entries.map((entry) => [
    formatTime(entry.at, page.timeZone),
    whatOf(entry),
    entry.by === undefined ? 'not recorded' : actorText(entry.by),
  ]);
  return [page.paint.bold('Upgrades of the journal'), table(page, columns, rows)].join('\n');
}

function whatOf({ fromSchema, toSchema, fromVersion, accounts }: UpgradeEntry): string {
  if (fromSchema === toSchema) return `${counted(accounts, 'account')} concluded by new rules`;
  const writer = fromVersion === undefined ? '' : `, written by version ${fromVersion}`;
  return `schema ${fromSchema} to ${toSchema}${writer}`;
}
