import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { dumpAccounts } from '../../../src/platform/dump.ts';
import { summaryOf, tool, workspace } from '../../cli/tool.ts';
import { writeOddBook } from './odd-book.ts';

it('2,000 accounts of an odd old system are completed and reconciled by a mapping alone', async () => {
  const space = workspace();
  onTestFinished(() => space.dispose());
  const { directory } = space;
  const book = writeOddBook(directory, 2000);
  const args = ['export', '--mapping', 'mapping.yaml', '--json'];
  const run = await tool(['run', ...args], directory);
  const accounts = book.accounts.length;
  expect(summaryOf(run.stdout)).toMatchObject({
    exit: 0,
    accounts: { total: accounts, completed: accounts },
  });
  const onPlatform = [...dumpAccounts(join(directory, '.migrate/platform.db'))];
  expect(onPlatform.map(({ account }) => account).sort()).toEqual(book.accounts);
  const proof = await tool(['reconcile', ...args, '--supplier', 'TENTACLE_ENERGY'], directory);
  expect(summaryOf(proof.stdout)).toMatchObject({ exit: 0, matches: true, differences: 0 });
});
