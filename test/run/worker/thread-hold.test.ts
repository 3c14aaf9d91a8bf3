import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ThreadHold } from '../../../src/run/worker/thread-hold.ts';

test('a thread is kept alive by its port while it waits for a message, and not by that while it works', async () => {
  const held: boolean[] = [];
  const hold = new ThreadHold({ ref: () => void held.push(true), unref: () => void held.push(false) });
  let answer: (text: string) => void = () => undefined;
  let end: () => void = () => undefined;
  const work = hold.working(
    (async () => {
      await setImmediate();
      const said = await hold.waiting(new Promise<string>((resolve) => (answer = resolve)));
      await new Promise<void>((resolve) => (end = resolve));
      return said;
    })(),
  );
  expect(held.at(-1)).toBe(false);
  await setImmediate();
  await setImmediate();
  expect(held.at(-1)).toBe(true);
  answer('there');
  await setImmediate();
  expect(held.at(-1)).toBe(false);
  end();
  expect(await work).toBe('there');
  expect(held.at(-1)).toBe(true);
});

test('work that fails no longer holds the thread back', async () => {
  const held: boolean[] = [];
  const hold = new ThreadHold({ ref: () => void held.push(true), unref: () => void held.push(false) });
  await expect(hold.working(Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(held).toEqual([false, true]);
});
