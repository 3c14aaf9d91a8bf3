import { afterAll, expect, it } from 'vitest';
import { workspace } from '../cli/tool.ts';
import { breaches, leniencies } from './breaches.ts';
import { changedPlatform } from './changed-platform.ts';
import { checked } from './checked.ts';

const space = workspace();
afterAll(() => space.dispose());

it.each(breaches)('finds and names %s', async (_breach, sentence, change) => {
  const { code, failed } = await checked(space.directory, await changedPlatform(change));
  expect(failed.map((check) => check.sentence)).toContain(sentence);
  expect(code).toBe(3);
});

it.each(leniencies)('finds no fault in %s', async (_leniency, change) => {
  const { code, failed, summary } = await checked(space.directory, await changedPlatform(change));
  expect(failed).toEqual([]);
  expect(code).toBe(0);
  expect(summary).toMatchObject({ notOffered: 0, notChecked: 0 });
});
