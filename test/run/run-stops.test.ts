import { expect, test } from 'vitest';
import { runStops } from '../../src/run/run-stops.ts';
import { stoppingNow } from '../../src/run/stop-messages.ts';
import { outage, unavailability } from '../../src/report/advice/unavailability.ts';

const hour = 3_600_000;

test('hours that end while the machine sleeps, or its clock jumps, have ended when it looks next', async () => {
  let now = 0;
  const sleeps: { readonly ms: number; readonly wake: () => void }[] = [];
  const stops = runStops(
    {
      clock: {
        now: () => now,
        monotonic: () => now,
        sleep: (ms) => new Promise<void>((wake) => sleeps.push({ ms, wake })),
      },
      onInterrupt: () => () => undefined,
    },
    {
      info: () => undefined,
      detail: () => undefined,
      warn: () => undefined,
      progress: { begin: () => undefined, advance: () => undefined, note: () => undefined },
    },
    { config: { drainMs: 1000 }, hours: { isOpen: true, until: 8 * hour, words: 'until 05:30' } },
  );
  const { stop } = stops;
  const looksNext = async (): Promise<void> => {
    expect(sleeps.at(-1)?.ms).toBeLessThanOrEqual(60_000);
    sleeps.at(-1)?.wake();
    await new Promise(setImmediate);
  };
  now = hour;
  await looksNext();
  expect(stop.reason).toBeUndefined();
  now = 9 * hour;
  await looksNext();
  expect(stop).toMatchObject({ reason: 'hours', detail: 'until 05:30' });
  stops.end();
});

test('what is said of a stop fits one account, and a dry run that goes on from nowhere', () => {
  expect(stoppingNow('limit', '1', false)).toBe('Stopping: the limit of 1 account is reached.');
  expect(stoppingNow('limit', '1000', false)).toBe('Stopping: the limit of 1,000 accounts is reached.');
  expect(stoppingNow('interrupt', '', false)).toContain('; run the same command again to continue. ');
  expect(stoppingNow('interrupt', '', true)).toContain('are recorded. Interrupt again');
});

test('a platform that answers with errors is not said to be silent', () => {
  expect(unavailability('http_503')).toContain('it answers with errors');
  expect(unavailability('gateway_http_502')).toContain('it answers with errors');
  expect(outage('http_503')).toBe('The platform answers with errors');
  expect(outage('headers_timeout')).toBe('The platform does not answer');
  expect(unavailability('connection_reset')).toContain('does not answer');
  expect(unavailability('gateway_http_302 to https://login.example.com')).toContain(
    'its address redirects to https://login.example.com. If that is the platform, set baseUrl to it',
  );
  expect(unavailability('certificate_expired')).toContain('its certificate has expired');
});
