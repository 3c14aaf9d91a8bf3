import type { AccountState } from '../../../src/domain/account-state.ts';
import { parseDecimal } from '../../../src/domain/decimal.ts';
import { stepNames } from '../../../src/domain/steps.ts';
import type { RunEntry } from '../../../src/journal/journal.ts';
import type { ReportView } from '../../../src/report/html-report/sections.ts';
import { Durations, type Survey } from '../../../src/report/html-report/survey.ts';
import { Timeline } from '../../../src/report/html-report/timeline.ts';
import { MoneyTotals } from '../../../src/report/reconciliation/money-totals.ts';
import { counts, overview } from '../fixture.ts';

/** A report in which every text that can come from outside is this one. */
export function viewOf(
  text: string,
  accounts: Partial<Record<AccountState, number>> = { completed: 3, rejected: 1 },
): ReportView {
  const timeline = new Timeline();
  for (const minute of [0, 1, 5]) timeline.add(Date.UTC(2026, 6, 1, 20, minute), 'created');
  timeline.add(Date.UTC(2026, 6, 1, 20, 3), 'refused');
  const money = new MoneyTotals();
  money.add('acknowledged', new Map([[text, parseDecimal('12.5')!]]));
  const survey: Survey = {
    timeline,
    durations: new Map(stepNames.map((step) => [step, new Durations()])),
    failures: [
      { state: 'rejected', code: text, accounts: 1, examples: [{ account: text, places: [text, text] }] },
    ],
    warnings: [
      { state: 'completed', code: text, accounts: 1, examples: [{ account: text, places: [text] }] },
    ],
    warned: 1,
    otherFailures: 0,
    slowest: [{ account: text, tookMs: 1234, requests: 7, slowestStep: 'process' }],
    money,
    uncertain: { account: text, step: 'notes' },
  };
  const run: RunEntry = {
    id: 1,
    platform: text,
    platformLabel: text,
    supplier: text,
    dryRun: false,
    export: text,
    startedAt: Date.UTC(2026, 6, 1, 20),
    by: { user: text, host: text, version: text },
    end: {
      endedAt: Date.UTC(2026, 6, 1, 21),
      exit: 6,
      reason: text,
      accounts: counts(accounts),
      requests: 9,
      retries: 1,
    },
  };
  return {
    supplier: text,
    platformLabel: text,
    at: Date.UTC(2026, 6, 2, 7),
    timeZone: 'Europe/London',
    version: '0.1.0',
    flags: '',
    overview: { ...overview(text, accounts), platformLabel: text },
    runs: [run],
    running: new Set(),
    hasOlderRuns: false,
    survey,
  };
}
