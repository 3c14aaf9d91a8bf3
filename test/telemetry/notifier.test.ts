import { describe, expect, it } from 'vitest';
import { webhookBody, type Notice } from '../../src/telemetry/notice.ts';
import { Notifier } from '../../src/telemetry/notifier.ts';
import { zeroCounts } from '../../src/domain/account-state.ts';
import type { RunEvent } from '../../src/pipeline/run-events.ts';

const begun: RunEvent = {
  type: 'begun',
  run: 7,
  platform: 'https://api.example.com',
  supplier: 'TENTACLE_ENERGY',
  dryRun: false,
  at: 0,
};
const moved: RunEvent = {
  type: 'account',
  account: 'A-1',
  supplier: 'TENTACLE_ENERGY',
  state: 'completed',
  code: '',
  wouldImport: false,
  driven: true,
};
const ended = (exit: number) => ({
  run: 7,
  exit,
  accounts: { ...zeroCounts(), total: 3, completed: 2, rejected: 1 },
  requests: 20,
  retries: 1,
  durationMs: 1000,
});

/** A clock whose sleeps wait for `pass`. */
function handClock() {
  let now = 0;
  const sleeping = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    now: () => now,
    monotonic: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const sleeper = { at: now + ms, wake: resolve };
        sleeping.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleeping.delete(sleeper);
          reject(signal.reason as Error);
        });
      }),
    async pass(ms: number) {
      now += ms;
      for (const sleeper of sleeping)
        if (sleeper.at <= now) {
          sleeping.delete(sleeper);
          sleeper.wake();
        }
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function watching(answers: (string | undefined)[] = [], on: Notice['event'][] = ['end', 'failure', 'stall']) {
  const clock = handClock();
  const told: Notice[] = [];
  const warnings: string[] = [];
  const notifier = new Notifier({
    on: new Set(on),
    stallMs: 60_000,
    clock,
    warn: (text) => warnings.push(text),
    deliver: [
      (notice) => {
        told.push(notice);
        return Promise.resolve(answers.shift());
      },
    ],
  });
  notifier.hear(begun);
  return { clock, told, warnings, notifier };
}

describe('people who do not watch a run', () => {
  it('are told how it ended', async () => {
    const { notifier, told } = watching();
    await notifier.end(ended(3));
    expect(told).toMatchObject([{ event: 'failure', run: 7, exit: 3, accounts: { total: 3, completed: 2 } }]);
    expect(told[0]?.text).toBe(
      'Run 7 of TENTACLE_ENERGY on https://api.example.com ended with 3: finished, but some accounts were rejected or ' +
        'failed. 2 of 3 accounts are complete, 1 are not.',
    );
  });

  it('are told of what they asked for alone', async () => {
    const { notifier, told } = watching([], ['failure']);
    await notifier.end(ended(0));
    expect(told).toEqual([]);
  });

  it('are told that it broke off', async () => {
    const { notifier, told } = watching();
    await notifier.end(undefined);
    expect(told).toMatchObject([{ event: 'failure' }]);
  });

  it('are told once of a stall, and again of the next one', async () => {
    const { clock, notifier, told } = watching();
    await clock.pass(59_999);
    expect(told).toEqual([]);
    await clock.pass(1_001);
    await clock.pass(60_000);
    expect(told.map(({ event }) => event)).toEqual(['stall']);
    notifier.hear(moved);
    await clock.pass(60_000);
    await clock.pass(60_000);
    expect(told.map(({ event }) => event)).toEqual(['stall', 'stall']);
    await notifier.end(ended(0));
  });

  it('are told again where it did not get through, three times at most', async () => {
    const { clock, notifier, told, warnings } = watching(['no', 'no', 'no']);
    const ending = notifier.end(ended(0));
    await clock.pass(0);
    await clock.pass(1_000);
    await clock.pass(5_000);
    await ending;
    expect(told).toHaveLength(3);
    expect(warnings).toEqual(['The notification of end did not get through: no']);
  });
});

it('a notice takes the form that its webhook reads', () => {
  const notice: Notice = {
    tool: 'migrate',
    event: 'stall',
    text: 'It stalls.',
    run: 1,
    platform: 'embedded',
  };
  expect(JSON.parse(webhookBody(notice, 'generic'))).toEqual(notice);
  expect(JSON.parse(webhookBody(notice, 'slack'))).toEqual({ text: 'It stalls.' });
  expect(webhookBody(notice, 'teams')).toContain('"text":"It stalls."');
});
