import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { metricsOutlet } from '../../src/telemetry/metrics-outlet.ts';
import { RunMetrics } from '../../src/telemetry/run-metrics.ts';
import { handClock } from './hand-clock.ts';

const directory = mkdtempSync(join(tmpdir(), 'metrics-'));
afterAll(() => rmSync(directory, { recursive: true }));

it('the metrics file is written anew every fifteen seconds of a run', async () => {
  const file = join(directory, 'run.prom');
  const clock = handClock();
  let isWritten: () => void = () => undefined;
  /** Resolves when the file is written, and the outlet waits for the next time. */
  const nextWritten = (): Promise<void> => new Promise((resolve) => (isWritten = resolve));
  const outlet = metricsOutlet({
    metrics: new RunMetrics({
      place: { platform: 'https://platform.example', profile: null, rehearsal: false },
      now: clock.now,
      standing: () => Promise.resolve(undefined),
    }),
    file,
    clock: {
      ...clock,
      sleep: (ms, signal) => {
        const asleep = clock.sleep(ms, signal);
        isWritten();
        return asleep;
      },
    },
    warn: (message) => expect.unreachable(message),
  });
  const rejected = () =>
    /^migrate_accounts_total\{.*rejected.*\} (\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
  const rejectOne = () =>
    outlet.hear({
      ...{ type: 'account', supplier: 'S', account: '1', state: 'rejected', code: 'c' },
      ...{ driven: true, wouldImport: false },
    });
  const first = nextWritten();
  outlet.hear({ type: 'begun', run: 1, platform: 'p', dryRun: false, at: 0 });
  await first;
  expect(rejected()).toBe('0');

  for (const times of ['1', '2']) {
    const before = readFileSync(file, 'utf8');
    rejectOne();
    await clock.pass(14_999);
    expect(readFileSync(file, 'utf8')).toBe(before);
    const next = nextWritten();
    await clock.pass(1);
    await next;
    expect(rejected()).toBe(times);
  }

  rejectOne();
  const end = { kind: 'broke-off', exit: 1, reason: 'broke-off', detail: '' } as const;
  await outlet.end(end, new AbortController().signal);
  expect(rejected()).toBe('3');
});
