import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { withTotal, zeroCounts } from '../../src/domain/account-state.ts';
import { RunMetrics, type JournalStanding } from '../../src/telemetry/run-metrics.ts';
import type { EndedRun, NightTold } from '../../src/telemetry/run-observer.ts';

const standing: JournalStanding = {
  book: [
    { supplier: 'TENTACLE_ENERGY', accounts: { ...zeroCounts(), pending: 7, completed: 3 }, partlyRead: [] },
  ],
  lastSuccessAt: 5_000,
};
const measured = (): RunMetrics =>
  new RunMetrics({
    place: { platform: 'https://platform.example', profile: null, rehearsal: false },
    now: () => 90_000,
    standing: () => Promise.resolve(standing),
  });
const ended: EndedRun = {
  kind: 'ended',
  exit: 6,
  accounts: withTotal({ ...zeroCounts(), completed: 3 }),
  requests: 9,
  retries: 0,
  durationMs: 1,
  workLeft: true,
  stopped: 'hours',
};

function night(of: Partial<NightTold>): NightTold {
  return {
    ...{ run: 7, good: false, reason: 'done', lost: 0, doubled: 0, uncertain: 0, next: '', text: '' },
    ...{ headline: '', exit: 2 },
    ...of,
  };
}

it('what can be counted is there at 0 before it happens, so that its first rise shows', async () => {
  const text = await measured().text();
  for (const series of [
    'migrate_requests_total{step="process",outcome="unknown"} 0',
    'migrate_accounts_total{state="failed"} 0',
    'migrate_problems_total{severity="error"} 0',
    'migrate_retries_total{step="notes",cause="throttled"} 0',
    'migrate_request_duration_seconds_count{step="stage"} 0',
    'migrate_run_stopped{reason="same-refusal"} 0',
    'migrate_platform_away 0',
  ])
    expect(text).toContain(`${series}\n`);
});

it('a run that goes on has no exit code, which would be a good one', async () => {
  expect(await measured().text()).not.toMatch(/^migrate_run_(exit_code|end_time_seconds|accounts\S*) /m);
});

it('the book is told by state and in total, and when a run last ended as it should', async () => {
  const text = await measured().text();
  expect(text).toContain('migrate_book_size{supplier="TENTACLE_ENERGY"} 10\n');
  expect(text).toContain('migrate_book_accounts{supplier="TENTACLE_ENERGY",state="pending"} 7\n');
  expect(text).toContain('migrate_book_partly_read{supplier="TENTACLE_ENERGY"} 0\n');
  expect(text).toContain('migrate_last_success_timestamp_seconds 5\n');
});

it.each(['hours', 'same-refusal'] as const)('a stop is told by its reason: %s', async (stopped) => {
  const metrics = measured();
  metrics.end({ ...ended, stopped });
  const text = await metrics.text();
  expect(text).toContain(`migrate_run_stopped{reason="${stopped}"} 1\n`);
  expect(text.match(/^migrate_run_stopped.* 1$/gm)).toHaveLength(1);
  expect(text).toContain('migrate_run_exit_code 6\n');
});

it.each<[string, NightTold | undefined, Partial<EndedRun>, string[]]>([
  ['could be judged is told', night({ good: true }), {}, ['1']],
  ['is not good is told', night({ reason: 'other-platform' }), {}, ['0']],
  ['could not be judged is not', undefined, {}, []],
  ['is that of another run is not', night({ run: 8, good: true }), {}, []],
  ['another run of the book goes on with is not', night({ reason: 'running' }), {}, []],
  ['could not be judged, of a run that did not end as it should, is told', undefined, { exit: 5 }, ['0']],
])('a night that %s', async (_name, judged, of, told) => {
  const metrics = measured();
  metrics.hear({ type: 'begun', run: 7, platform: 'p', dryRun: false, at: 1 });
  metrics.end({ ...ended, ...of, night: judged });
  const text = await metrics.text();
  expect(Array.from(text.matchAll(/^migrate_night_good (.)$/gm), ([, value]) => value)).toEqual(told);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

it.skipIf(!hasPromtool)('promtool finds nothing to say of them', async () => {
  const metrics = measured();
  metrics.end(ended);
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: await metrics.text(),
    encoding: 'utf8',
  });
  expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
});
