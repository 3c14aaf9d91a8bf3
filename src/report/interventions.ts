import type { Intervention, InterventionEntry, PartEntry } from '../journal/journal.ts';
import { actorText, formatCount, formatTime, isoTime } from './format.ts';
import { table } from './table.ts';
import type { Page } from './terminal.ts';

const title = 'Rulings, retries and restores';
const unknown = 'not recorded';

/** An intervention as one JSON line. Times are UTC. */
export function interventionRecord({ command, at, by, accounts }: InterventionEntry): object {
  return { type: 'intervention', command, at: isoTime(at), accounts: accounts ?? null, by: by ?? null };
}

/** For people: who did what to how many accounts, in the given order. */
export function interventionsText(page: Page, entries: readonly InterventionEntry[]): string {
  const columns = [
    { title: 'When', whole: true },
    { title: 'Command', whole: true },
    { title: 'Accounts', align: 'right' as const },
    { title: 'By' },
  ];
  const rows = entries.map(({ command, at, by, accounts }) => [
    formatTime(at, page.timeZone),
    command,
    accounts === undefined ? 'all' : formatCount(accounts),
    by === undefined ? unknown : actorText(by),
  ]);
  return [page.paint.bold(title), table(page, columns, rows)].join('\n');
}

/** What an intervention changed of one account, for programs. Times are UTC. */
export function interventionOnAccount(intervention: Intervention, attempts: readonly PartEntry[]): object {
  const { command, at, by } = intervention;
  const parts = ruledBy(intervention, attempts).map(({ step, part, state }) => ({
    step,
    // From 1, as for people.
    part: part + 1,
    state,
  }));
  return { command, at: isoTime(at), by: by ?? null, parts };
}

/** For people: the manual changes to one account, in the given order. */
export function interventionsOnAccountText(
  page: Page,
  interventions: readonly Intervention[],
  attempts: readonly PartEntry[],
): string {
  const columns = [
    { title: 'When', whole: true },
    { title: 'Command', whole: true },
    { title: 'Parts', wrap: true },
    { title: 'By', wrap: true },
  ];
  const rows = interventions.map((intervention) => [
    formatTime(intervention.at, page.timeZone),
    intervention.command,
    ruledBy(intervention, attempts)
      .map(({ step, part, state }) => `${step} ${part + 1} ${state === 'done' ? 'done' : 'repeat'}`)
      .join(', '),
    intervention.by === undefined ? unknown : actorText(intervention.by),
  ]);
  return [page.paint.bold(`${title} (${page.timeZone})`), table(page, columns, rows)].join('\n');
}

/** The attempts that a ruling settled: all have its time. */
function ruledBy({ command, at }: Intervention, attempts: readonly PartEntry[]): readonly PartEntry[] {
  if (command === 'restore') return [];
  const isRuling = (outcome = '') => outcome === 'ruling' || outcome === 'reading';
  return attempts.filter(({ outcome, answeredAt }) => isRuling(outcome) && answeredAt === at);
}
