import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

/** Each pause is over with the next turn, and took five seconds. */
function quickClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    monotonic: () => now,
    sleep: async (ms, signal) => {
      await setImmediate();
      signal?.throwIfAborted();
      now += ms;
    },
  };
}

it.each([
  ['as it is sorted', ['1', '2']],
  ['as its rows have to be sorted first', ['2', '1']],
])('tells how far reading has come while a large export is read, %s', async (_how, [first, last]) => {
  const body = `${'x'.repeat(99_999)} `.repeat(10);
  const notes = Array.from({ length: 20 }, (_, at) => `${at < 10 ? first : last},${body}\n`).join('');
  mkdirSync(join(space.directory, 'export'));
  const write = (file: string, text: string): void =>
    writeFileSync(join(space.directory, 'export', file), text);
  write('accounts.csv', 'external_account_number,import_supplier\n1,X\n2,X\n');
  write('notes.csv', `external_account_number,body\n${notes}`);

  const { stderr } = await ranHere(['validate', 'export'], space.directory, { clock: quickClock() });
  const told = [...stderr.matchAll(/^(\d+) of 20 megabytes \((\d+)%\), /gm)].map(([, done]) => Number(done));
  expect(new Set(told).size).toBeGreaterThan(5);
  expect(stderr).toMatch(/^20 of 20 megabytes in /m);
  expect(stderr.indexOf('20 of 20 megabytes in')).toBeLessThan(stderr.indexOf('2 of 2 accounts in'));
});
