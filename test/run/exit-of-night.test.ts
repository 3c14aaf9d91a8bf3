import { expect, it } from 'vitest';
import { withNight } from '../../src/run/exit-of-night.ts';

type Ending = Parameters<typeof withNight>[0];
type Night = NonNullable<Parameters<typeof withNight>[1]>;

const base: Ending = { run: 7, exit: 0, errors: [] };
const night: Night = {
  ...{ run: 7, good: false, reason: 'lost', lost: 1, doubled: 0, uncertain: 0, next: '', text: '' },
  ...{ headline: 'Not a good night.', exit: 3 },
};
const limit = { reason: 'limit', detail: '' } as const;

function exitOf(ending: Partial<Ending>, of: Partial<Night> = {}): number {
  return withNight({ ...base, ...ending }, { ...night, ...of }).exit;
}

it('a run that ended well takes the exit code of a night that is not good, by the precedence of codes', () => {
  expect(exitOf({})).toBe(3);
  expect(exitOf({ exit: 6, stopped: limit }, { exit: 2 })).toBe(2);
  // What is left matters more than what was rejected.
  expect(exitOf({ exit: 6, stopped: limit })).toBe(6);
});

it('keeps its own code after a good night, a run that did not end well, and while another run goes on', () => {
  expect(exitOf({}, { good: true, exit: 0 })).toBe(0);
  expect(exitOf({ exit: 5 }, { exit: 2 })).toBe(5);
  expect(exitOf({}, { reason: 'running' })).toBe(0);
  expect(exitOf({}, { run: 8 })).toBe(0);
});
