import { expect, it } from 'vitest';
import { Freshness } from '../../src/client/freshness.ts';

/** A platform whose clock is an hour behind from the first answer on; the first questions get these answers. */
async function judgedStale(lost: number): Promise<{ readonly isStale: boolean; readonly asked: number }> {
  const hour = 3_600_000;
  const now = Date.UTC(2026, 0, 1, 12);
  let asked = 0;
  const date = new Date(now - hour).toUTCString();
  const freshness = new Freshness({ now: () => now, monotonic: () => 1000 }, () => {
    asked += 1;
    return Promise.resolve(asked <= lost ? undefined : { date });
  });
  return { isStale: await freshness.isStale({ date }, 'POST', 1000), asked };
}

it('asks for the time again where a question is lost, before an old Date counts as a stored answer', async () => {
  expect(await judgedStale(0)).toEqual({ isStale: false, asked: 1 });
  expect(await judgedStale(2)).toEqual({ isStale: false, asked: 3 });
});

it('believes no answer with an old Date where nothing tells what time it is there', async () => {
  expect(await judgedStale(Infinity)).toEqual({ isStale: true, asked: 3 });
});
