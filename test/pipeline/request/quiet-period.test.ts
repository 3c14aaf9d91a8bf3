import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/domain/clock.ts';
import { QuietPeriod } from '../../../src/pipeline/request/quiet-period.ts';
import { RunClock } from '../../../src/pipeline/run/run-clock.ts';

const period = 60_000;
/** The wall clock when the run began; the monotonic clock was 500 then. */
const wallAtStart = 1_000_000;

/** A run of number 5, and the moments of its clocks. `clockSince`: the oldest run whose wall clock agrees. */
function quiet(from: 'sending' | 'answering', clockSince = 3) {
  const time = { passed: 0 };
  const clock: Clock = {
    now: () => wallAtStart + time.passed,
    monotonic: () => 500 + time.passed,
    sleep: () => Promise.resolve(),
  };
  return {
    time,
    period: new QuietPeriod(
      { quietPeriodMs: period, ...(from === 'sending' ? { quietFrom: from } : {}) },
      new RunClock(clock),
      ...([5, clockSince] as const),
    ),
  };
}

describe('the quiet period after an answer is given up', () => {
  it('counts from sending, or from now if the platform works on until it has answered', () => {
    const sending = quiet('sending');
    sending.time.passed = 2_000;
    expect(sending.period.afterLoss(700)).toBe(700 + period);
    const answering = quiet('answering');
    answering.time.passed = 2_000;
    expect(answering.period.afterLoss(700)).toBe(2_500 + period);
  });
});

describe('the quiet period of a request that an earlier run sent', () => {
  it('is what is left of it by the wall clock, counted from sending or from the answer', () => {
    const sent = { run: 4, sentAt: wallAtStart - 20_000, answeredAt: wallAtStart - 5_000 };
    expect(quiet('sending').period.ofRecorded(sent)).toBe(500 + 40_000);
    expect(quiet('answering').period.ofRecorded(sent)).toBe(500 + 55_000);
  });

  it('counts from sending where no answer was recorded', () => {
    const sent = { run: 4, sentAt: wallAtStart - 20_000 };
    expect(quiet('answering').period.ofRecorded(sent)).toBe(500 + 40_000);
  });

  it('is over where it is long ago', () => {
    const sent = { run: 4, sentAt: wallAtStart - 90_000 };
    expect(quiet('sending').period.ofRecorded(sent)).toBe(500 - 30_000);
  });

  it('is never more than the whole from the start, whatever the time of sending says', () => {
    const sent = { run: 4, sentAt: wallAtStart + 500_000 };
    expect(quiet('sending').period.ofRecorded(sent)).toBe(500 + period);
  });

  it('is the whole from the start where the clock was set since, or a later run sent it', () => {
    const sent = { sentAt: wallAtStart - 90_000 };
    expect(quiet('sending').period.ofRecorded({ ...sent, run: 2 })).toBe(500 + period);
    expect(quiet('sending').period.ofRecorded({ ...sent, run: 3 })).toBe(500 - 30_000);
    expect(quiet('sending').period.ofRecorded({ ...sent, run: 6 })).toBe(500 + period);
  });

  it('is the whole from when accounts came from a run beside this one', () => {
    const { period: own, time } = quiet('sending');
    time.passed = 10_000;
    own.tookOver();
    time.passed = 15_000;
    expect(own.ofRecorded({ run: 4, sentAt: wallAtStart - 90_000 })).toBe(10_500 + period);
  });
});

describe('the quiet period of a request that this run sent', () => {
  it('is what is left of it, and never more than the whole from now', () => {
    const { period: own, time } = quiet('sending');
    time.passed = 10_000;
    expect(own.ofRecorded({ run: 5, sentAt: wallAtStart + 4_000 })).toBe(4_500 + period);
    expect(own.ofRecorded({ run: 5, sentAt: wallAtStart + 99_000 })).toBe(10_500 + period);
  });

  it('is not the whole from the start, nor from when accounts came', () => {
    const { period: own, time } = quiet('sending');
    time.passed = 10_000;
    own.tookOver();
    expect(own.ofRecorded({ run: 5, sentAt: wallAtStart - 70_000 })).toBe(500 - 10_000);
  });
});
