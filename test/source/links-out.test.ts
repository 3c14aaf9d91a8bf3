import { cpSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { guessExport } from '../../src/cli/init/guess-export.ts';
import { openExport } from '../../src/source/open-export.ts';
import { project } from '../cli/tool.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const accounts = {
  name: 'accounts',
  role: 'accounts',
  file: 'accounts.csv',
  key: 'external_account_number',
} as const;

/** An export, and a directory beside it. */
function exported(): { readonly root: string; readonly beside: string } {
  const directory = temporaryDirectory('migrate-links-');
  const [root, beside] = [join(directory, 'export'), join(directory, 'beside')];
  cpSync(project('fixtures/flat'), root, { recursive: true });
  mkdirSync(beside);
  return { root, beside };
}

async function told(root: string, isWithin: boolean): Promise<number | readonly string[]> {
  const opened = await openExport(root, [accounts], { isWithin });
  if ('problems' in opened) return opened.problems.map(({ code, detail }) => `${code}: ${detail}`);
  opened.close();
  return opened.accounts;
}

test('a link that leads out of the export is refused with where it leads, unless it is meant', async () => {
  const { root, beside } = exported();
  renameSync(join(root, 'accounts.csv'), join(beside, 'other.csv'));
  symlinkSync('../beside/other.csv', join(root, 'accounts.csv'));
  const [problem] = (await told(root, true)) as string[];
  expect(problem).toContain(`is a link out of the export, to ${join(beside, 'other.csv')}`);
  expect(problem).toContain('followLinks: true');
  expect(await told(root, false)).toBe(50);
});

test('is not read for a guess either, unless it is meant', async () => {
  const { root, beside } = exported();
  renameSync(join(root, 'notes.csv'), join(beside, 'other.csv'));
  symlinkSync('../beside/other.csv', join(root, 'notes.csv'));
  await expect(guessExport(root, {})).rejects.toThrow(/is a link out of the export/);
  expect((await guessExport(root, { followLinks: true })).isKnown).toBe(true);
});

test('a link inside the export, and an export that is itself a link, are read', async () => {
  const { root, beside } = exported();
  mkdirSync(join(root, '..data'));
  renameSync(join(root, 'accounts.csv'), join(root, '..data/accounts.csv'));
  symlinkSync('..data/accounts.csv', join(root, 'accounts.csv'));
  expect(await told(root, true)).toBe(50);
  symlinkSync(root, join(beside, 'latest'));
  expect(await told(join(beside, 'latest'), true)).toBe(50);
});
