import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DailyClock, parseDailyWindow, parseTimeOfDay } from '../../src/domain/daily-window.ts';

const berlin = clockOf('Europe/Berlin');

function clockOf(zone: string): DailyClock {
  const clock = DailyClock.of(zone);
  if (clock === undefined) throw new Error(zone);
  return clock;
}

const at = (text: string): number => Date.parse(text);
const iso = (instant: number): string => new Date(instant).toISOString();
const time = (text: string) => parseTimeOfDay(text) ?? expect.fail(text);
const window = (text: string) => parseDailyWindow(text) ?? expect.fail(text);

describe('a time of day', () => {
  it.each(['24:00', '5:30', '05:60', '05.30', '', '22:00-05:30'])('is not %j', (text) => {
    expect(parseTimeOfDay(text)).toBeUndefined();
  });

  it.each([
    ['comes today', '05:30', '2024-02-01T03:00:00Z', '2024-02-01T04:30:00.000Z'],
    ['comes tomorrow once it is past', '05:30', '2024-02-01T04:30:00Z', '2024-02-02T04:30:00.000Z'],
    ['follows daylight saving', '05:30', '2024-03-31T00:00:00Z', '2024-03-31T03:30:00.000Z'],
    ['comes with the jump that skips it', '02:30', '2024-03-31T00:00:00Z', '2024-03-31T01:00:00.000Z'],
    ['comes once where clocks show it twice', '02:30', '2024-10-26T23:00:00Z', '2024-10-27T00:30:00.000Z'],
    ['does not come again in the second hour', '02:30', '2024-10-27T00:30:00Z', '2024-10-28T01:30:00.000Z'],
  ])('%s', (_name, text, after, expected) => {
    expect(iso(berlin.next(time(text), at(after)))).toBe(expected);
  });

  it('is known in no zone that does not exist', () => {
    expect(DailyClock.of('Europe/Atlantis')).toBeUndefined();
  });
});

describe('a nightly window', () => {
  const night = window('22:00-05:30');

  it.each([
    ['is open before midnight', '2024-02-01T21:00:00Z', '2024-02-02T04:30:00.000Z'],
    ['is open after midnight', '2024-02-02T04:29:00Z', '2024-02-02T04:30:00.000Z'],
    ['is an hour shorter in the night of spring', '2024-03-30T21:00:00Z', '2024-03-31T03:30:00.000Z'],
    ['is an hour longer in the night of autumn', '2024-10-26T20:00:00Z', '2024-10-27T04:30:00.000Z'],
  ])('%s', (_name, now, until) => {
    expect(berlin.opening(night, at(now))).toEqual({ isOpen: true, until: at(until) });
  });

  it.each([
    ['is closed for a job that starts late', '2024-02-02T04:30:00Z', '2024-02-02T21:00:00.000Z'],
    ['is closed at noon', '2024-02-02T11:00:00Z', '2024-02-02T21:00:00.000Z'],
  ])('%s', (_name, now, opensAt) => {
    expect(berlin.opening(night, at(now))).toEqual({ isOpen: false, opensAt: at(opensAt) });
  });

  it('may lie within a day', () => {
    const noon = window('11:00-13:00');
    expect(berlin.opening(noon, at('2024-02-02T11:00:00Z')).isOpen).toBe(true);
    expect(berlin.opening(noon, at('2024-02-02T12:00:00Z')).isOpen).toBe(false);
  });

  it.each(['22:00', '22:00-22:00', '22:00-5:30', '22:00-05:30-06:00'])('is not %j', (text) => {
    expect(parseDailyWindow(text)).toBeUndefined();
  });

  it('is open or opens within a day, in every zone and at every moment', () => {
    const zones = ['Europe/Berlin', 'Pacific/Auckland', 'America/St_Johns', 'UTC', 'Australia/Lord_Howe'];
    const clocks = zones.map(clockOf);
    const times = fc.record({ hour: fc.nat(23), minute: fc.nat(59) });
    fc.assert(
      fc.property(
        fc.constantFrom(...clocks),
        times,
        times,
        fc.integer({ min: at('2024-01-01T00:00:00Z'), max: at('2026-01-01T00:00:00Z') }),
        (clock, from, to, now) => {
          fc.pre(from.hour !== to.hour || from.minute !== to.minute);
          const opening = clock.opening({ from, to }, now);
          const next = opening.isOpen ? opening.until : opening.opensAt;
          expect(next).toBeGreaterThan(now);
          expect(next - now).toBeLessThanOrEqual(25 * 3_600_000);
        },
      ),
      { numRuns: 300 },
    );
  });
});
