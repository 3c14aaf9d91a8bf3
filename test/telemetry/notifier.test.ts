import { describe, expect, it } from 'vitest';
import { webhookBody, type Notice } from '../../src/telemetry/notice.ts';
import { Notifier } from '../../src/telemetry/notifier.ts';
import { handClock } from './hand-clock.ts';
import { zeroCounts } from '../../src/domain/account-state.ts';
import type { StopReason } from '../../src/domain/stop-reason.ts';
import type { RunEvent } from '../../src/pipeline/run/run-events.ts';
import type { ObservedEnd } from '../../src/telemetry/run-observer.ts';

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
const asked: RunEvent = {
  type: 'request',
  account: 'A-1',
  step: 'process',
  isQuestion: true,
  outcome: 'ok',
  sentAt: 0,
  tookMs: 5,
};
const ended = (exit: number, stopped?: StopReason): ObservedEnd => ({
  kind: 'ended',
  exit,
  accounts: { ...zeroCounts(), total: 3, completed: 2, rejected: 1 },
  requests: 20,
  retries: 1,
  durationMs: 1000,
  workLeft: false,
  ...(stopped === undefined ? {} : { stopped }),
});
const patient = () => new AbortController().signal;

function watching(
  answers: (string | undefined | Promise<string | undefined>)[] = [],
  on: Notice['event'][] = ['end', 'failure', 'stall'],
  begins = true,
) {
  const clock = handClock();
  const told: Notice[] = [];
  const warnings: string[] = [];
  const notifier = new Notifier({
    on: new Set(on),
    stallMs: 60_000,
    clock,
    warn: (text) => warnings.push(text),
    name: 'the webhook',
    subject: { platform: 'https://api.example.com', rehearsal: false },
    deliver: (notice) => {
      told.push(notice);
      return Promise.resolve(answers.shift());
    },
  });
  if (begins) notifier.hear(begun);
  return { clock, told, warnings, notifier };
}

describe('people who do not watch a run', () => {
  it('are told how it ended', async () => {
    const { notifier, told } = watching();
    await notifier.end(ended(3), patient());
    expect(told).toMatchObject([{ event: 'failure', run: 7, exit: 3, accounts: { total: 3, completed: 2 } }]);
    expect(told[0]?.text).toBe(
      'Run 7 of TENTACLE_ENERGY on https://api.example.com ended with 3: finished, but some accounts or rows were rejected, ' +
        'failed, or skipped as not ours. 2 of 3 accounts are complete, 1 is not.',
    );
  });

  it.each([
    [7, 'held', 'ended with 7: another run holds this supplier. 2 of'],
    [7, 'lease-lost', 'ended with 7: another run holds this supplier (another run took over). 2 of'],
    [4, 'credentials', 'ended with 4: the platform refused the credentials. 2 of'],
  ] as const)('are told once why a run ended with %i (%s)', async (exit, stopped, told) => {
    const watched = watching();
    await watched.notifier.end(ended(exit, stopped), patient());
    expect(watched.told[0]?.text).toContain(told);
  });

  it('are told the least that is complete where the book is not counted', async () => {
    const { notifier, told } = watching();
    const end = ended(7, 'held');
    if (end.kind !== 'ended') throw new Error('not reached');
    await notifier.end({ ...end, accounts: { ...end.accounts, uncounted: null } }, patient());
    expect(told[0]?.text).toContain('holds this supplier. At least 2 accounts are complete.');
  });

  it('are told of what they asked for alone', async () => {
    const { notifier, told } = watching([], ['failure']);
    await notifier.end(ended(0), patient());
    expect(told).toEqual([]);
  });

  it('are told that it broke off', async () => {
    const { notifier, told } = watching();
    await notifier.end({ kind: 'broke-off', exit: 1, reason: 'broke-off', detail: 'a bug.' }, patient());
    expect(told).toMatchObject([{ event: 'failure' }]);
  });

  it('are told once of a stall, and again of the next one', async () => {
    const { clock, notifier, told } = watching();
    await clock.pass(59_999);
    expect(told).toEqual([]);
    await clock.pass(1_001);
    await clock.pass(60_000);
    expect(told.map(({ event }) => event)).toEqual(['stall']);
    expect(told[0]?.text).toBe(
      'Run 7 of TENTACLE_ENERGY on https://api.example.com has stalled: no account has progressed for 61 s.',
    );
    notifier.hear(moved);
    await clock.pass(60_000);
    await clock.pass(60_000);
    expect(told.map(({ event }) => event)).toEqual(['stall', 'stall']);
    await notifier.end(ended(0), patient());
  });

  it.each(['same-refusal', 'max-failures'] as const)(
    'are told of a stop that nobody asked for as a failure: %s',
    async (reason) => {
      const { notifier, told } = watching();
      await notifier.end(ended(6, reason), patient());
      expect(told).toMatchObject([{ event: 'failure', stopped: reason }]);
    },
  );

  it('are told of the end of the hours as an end, and why', async () => {
    const { notifier, told } = watching();
    await notifier.end(ended(6, 'hours'), patient());
    expect(told).toMatchObject([{ event: 'end', stopped: 'hours' }]);
    expect(told[0]?.text).toContain('stopped early with work left: its allowed hours ended. 2 of 3 accounts');
  });

  it('are told of a run that never began', async () => {
    const { notifier, told } = watching([], ['end', 'failure', 'stall'], false);
    await notifier.end(
      { kind: 'not-begun', exit: 2, reason: 'not-begun', detail: 'There is no export at ./export.' },
      patient(),
    );
    expect(told).toMatchObject([{ event: 'failure', exit: 2, stopped: 'not-begun' }]);
    expect(told[0]?.text).toBe(
      'The run on https://api.example.com did not begin: There is no export at ./export.',
    );
  });

  it('are told of a stall though the platform is asked how an account stands, and answers', async () => {
    const { clock, notifier, told } = watching();
    for (let minute = 0; minute < 2; minute += 1) {
      await clock.pass(30_000);
      notifier.hear(asked);
      notifier.hear({ ...moved, driven: false });
    }
    await clock.pass(1_000);
    expect(told.map(({ event }) => event)).toEqual(['stall']);
    await notifier.end(ended(0), patient());
  });

  it('wait no longer for one that has no end', async () => {
    const { clock, notifier, warnings } = watching([new Promise(() => undefined), undefined]);
    const ending = notifier.end(ended(0), patient());
    await clock.pass(10_000);
    await clock.pass(1_000);
    await ending;
    expect(warnings).toEqual([]);
  });

  it('are told again where it did not get through, three times at most', async () => {
    const { clock, notifier, told, warnings } = watching(['no', 'no', 'no']);
    const ending = notifier.end(ended(0), patient());
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
    rehearsal: true,
  };
  expect(JSON.parse(webhookBody(notice, 'generic'))).toEqual(notice);
  expect(JSON.parse(webhookBody(notice, 'slack'))).toEqual({ text: 'It stalls.' });
  expect(webhookBody(notice, 'teams')).toContain('"text":"It stalls."');
});
