import { expect, it } from 'vitest';
import { systemClock } from '../../src/host/machine.ts';

it('a wait of weeks is one of weeks, not over at once', async () => {
  const ended = new AbortController();
  const weeks = systemClock.sleep(4_000_000_000, ended.signal).then(
    () => 'weeks',
    (reason: unknown) => reason,
  );
  expect(await Promise.race([weeks, systemClock.sleep(20).then(() => 'a moment')])).toBe('a moment');
  ended.abort('given up');
  expect(await weeks).toBe('given up');
});

it('time within the process does not depend on what the date is', () => {
  const before = systemClock.monotonic();
  const after = systemClock.monotonic();
  expect(after).toBeGreaterThanOrEqual(before);
  expect(after).toBeLessThan(systemClock.now() / 2);
});
