import { expect, it } from 'vitest';
import { endObservers, type ObservedEnd, type RunObserver } from '../../src/telemetry/run-observer.ts';
import { handClock } from './hand-clock.ts';

const end: ObservedEnd = { kind: 'not-begun', exit: 2, reason: 'not-begun', detail: 'Nothing.' };

function observer(name: string, told: () => Promise<void>): RunObserver & { readonly letGo: boolean[] } {
  const letGo: boolean[] = [];
  return {
    name,
    letGo,
    hear: () => undefined,
    end(_end, givenUp) {
      givenUp.addEventListener('abort', () => letGo.push(true));
      return told();
    },
  };
}
const never = (): Promise<void> => new Promise(() => undefined);

function ending(...observers: RunObserver[]) {
  const clock = handClock();
  const warnings: string[] = [];
  const hurry = new AbortController();
  let isOver = false;
  const over = endObservers(observers, end, {
    clock,
    hurry: hurry.signal,
    warn: (message) => warnings.push(message),
  }).then(() => (isOver = true));
  return { clock, warnings, hurry, over, isOver: () => isOver };
}

it('all who watch a run together have ten seconds at its end; who takes longer is named and let go of', async () => {
  const [log, webhook] = [observer('the log', never), observer('the webhook', never)];
  const { clock, warnings, over, isOver } = ending(
    log,
    observer('the metrics', () => Promise.resolve()),
    webhook,
  );
  await clock.pass(9_999);
  expect(isOver()).toBe(false);
  await clock.pass(1);
  await over;
  expect(warnings).toEqual([
    'Dropped at the end of the run, because it took too long: the log, the webhook.',
  ]);
  expect([log.letGo, webhook.letGo]).toEqual([[true], [true]]);
});

it('an interrupt at the end of a run leaves them one second', async () => {
  const { clock, hurry, over, isOver } = ending(observer('the webhook', never));
  await clock.pass(1_000);
  hurry.abort();
  await clock.pass(0);
  await clock.pass(999);
  expect(isOver()).toBe(false);
  await clock.pass(1);
  await over;
});

it('one that fails keeps none of the others from their end', async () => {
  const { warnings, over } = ending(
    observer('the log', () => Promise.reject(new TypeError('secret'))),
    observer('the metrics', () => Promise.resolve()),
  );
  await over;
  expect(warnings).toEqual(['An error ended the log (TypeError).']);
});
