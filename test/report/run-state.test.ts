import { expect, it } from 'vitest';
import { zeroCounts } from '../../src/domain/account-state.ts';
import type { RunEntry } from '../../src/journal/journal.ts';
import { runOutcome } from '../../src/report/history-table.ts';
import { activeRun, activeText, runWord } from '../../src/report/run-state.ts';

const at = Date.UTC(2026, 6, 1, 19, 30);
const run: RunEntry = {
  ...{ id: 3, platform: 'p', platformLabel: 'https://p', dryRun: false, export: 'x', startedAt: at },
};
const stopping: RunEntry = { ...run, stopping: { reason: 'interrupt', since: at + 840_000 } };

it('says of a run that is stopping since when, why, and that nothing new is begun', () => {
  expect(activeText(run, 'UTC')).toBe('is under way since 2026-07-01 19:30:00 (UTC)');
  expect(activeText(stopping, 'UTC')).toBe(
    'is stopping since 2026-07-01 19:44:00 (UTC) (interrupted): it counts the rest, and begins no account',
  );
  expect(activeText({ ...run, stopping: { reason: 'of_later', since: at } }, 'UTC')).toContain(
    '(UTC): it counts',
  );
});

it('takes a run without a living process for none that is under way, whatever it was about to do', () => {
  expect(activeRun([stopping], new Set())).toBeUndefined();
  expect(activeRun([{ ...run, id: 4, dryRun: true }, stopping], new Set([3, 4]))?.id).toBe(3);
  expect(runOutcome(stopping, new Set([3]))).toBe('stopping');
  expect(runOutcome(stopping, new Set())).toBe('killed');
});

it('has one word for what a run does, or how it ended', () => {
  const end = { endedAt: at, exit: 0, reason: '', accounts: zeroCounts(), requests: 0, retries: 0 };
  const word = (last: RunEntry, running: readonly number[] = []) =>
    runWord({ runs: [last], running: new Set(running) });
  expect(word(run, [3])).toBe('running');
  expect(word(stopping, [3])).toBe('stopping');
  expect(word(run)).toBe('killed');
  expect(word({ ...run, end })).toBe('done');
  expect(word({ ...run, end: { ...end, exit: 3 } })).toBe('ended');
  expect(word({ ...run, end: { ...end, exit: 6, reason: 'hours' } })).toBe('stopped');
  expect(runWord({ runs: [], running: new Set() })).toBeUndefined();
});
