import type { RunEntry } from '../journal/journal.ts';
import { formatCount, formatDuration, formatTime, isoTime } from './format.ts';
import { withTotal } from './json-records.ts';
import { table, type Column } from './table.ts';
import type { Page } from './terminal.ts';

/** A run as one JSON line. Times are UTC. */
export function runRecord(entry: RunEntry): object {
  const { id, platform, supplier = null, dryRun, startedAt, end } = entry;
  return {
    type: 'run',
    run: id,
    platform,
    supplier,
    dryRun,
    export: entry.export,
    startedAt: isoTime(startedAt),
    endedAt: end === undefined ? null : isoTime(end.endedAt),
    exit: end?.exit ?? null,
    reason: end === undefined || end.reason === '' ? null : end.reason,
    accounts: end === undefined ? null : withTotal(end.accounts),
    requests: end?.requests ?? null,
    retries: end?.retries ?? null,
  };
}

/** For people, newest first. Times are local. */
export function historyText(page: Page, runs: readonly RunEntry[]): string {
  if (runs.length === 0) return 'No runs yet.';
  const columns: Column[] = [
    { title: 'Run', align: 'right' },
    { title: 'Started', whole: true },
    { title: 'Took', align: 'right', spare: true },
    { title: 'Completed', align: 'right', spare: true },
    { title: 'Platform', spare: true },
    { title: 'Supplier', spare: true },
    { title: 'Ended' },
  ];
  return table(
    page,
    columns,
    runs.map((entry) => row(page, entry)),
  );
}

function row(
  page: Page,
  { id, startedAt, platformLabel, supplier = 'all', dryRun, end }: RunEntry,
): string[] {
  const kind = dryRun ? 'dry run, ' : '';
  return [
    String(id),
    formatTime(startedAt, page.timeZone).slice(0, 16),
    end === undefined ? '' : formatDuration(end.endedAt - startedAt),
    end === undefined ? '' : formatCount(end.accounts.completed),
    platformLabel.replace(/^https:\/\//, ''),
    supplier,
    `${kind}${end === undefined ? 'not ended' : end.reason === '' ? `exit ${end.exit}` : end.reason}`,
  ];
}
