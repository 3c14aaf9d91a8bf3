import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createdMeanwhile } from '../../src/domain/shared-codes.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { concluded, refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;

/** An account that the platform had right after a run staged it, and another one without doubt about whose it is. */
beforeEach(async () => {
  space = workspace();
  const journal = openJournal(join(space.directory, '.migrate/journal.db'), {
    synchronous: 'NORMAL',
    create: true,
  });
  await journal.startRun({ platform: 'p', platformLabel: 'p', dryRun: false, export: 'e', startedAt: 1 });
  for (const [account, code] of [
    ['theirs', createdMeanwhile],
    ['ours', 'still_in_progress'],
  ] as const) {
    const { id } = await journal.open('p', { supplier: 'S', account });
    const ref = { accountId: id, step: 'process', part: 0 } as const;
    await journal.intend(ref, { hash: 'h', run: 1, at: 1 });
    await journal.settle(ref, { state: 'uncertain', outcome: 'unknown', code, at: 2 });
    const steps = { stage: 'done', process: 'uncertain' } as const;
    await journal.change(id, { state: 'uncertain', steps, code, planHash: 'h' });
  }
  await journal.close();
});
afterEach(() => space.dispose());

const here = (...args: string[]) => ranHere(args, space.directory);
const command = 'migrate resolve theirs --supplier S --step process --as skip';

it("list and show name the command for an account that is somebody else's, which leaves it alone", async () => {
  const listed = await here('list', '--state', 'uncertain');
  expect(listed.stdout).toMatch(new RegExp(`If the account on the platform is not yours:\\n +${command}\\n`));
  expect(listed.stdout.split('not yours')).toHaveLength(2);
  const shown = await here('show', 'theirs');
  expect(shown.stdout.replaceAll(/\s+/g, ' ')).toContain(`is not yours: ${command} `);
  expect((await here('show', 'ours')).stdout).not.toContain('not yours');

  const ended = await here(...command.split(' ').slice(1));
  expect(ended.stdout).toContain('1 account resolved: process as skip. Runs send nothing for it.');
  const story = concluded(await here('show', 'theirs', '--json'), 'show', 0);
  expect(story).toMatchObject({ state: 'skipped', code: 'not_ours', krakenAccountNumber: null });
  expect((await here('show', 'theirs')).stdout).not.toContain('--as skip');
});

it('a ruling as skip is taken back for an account that is named, and not for one in a list of many', async () => {
  const list = join(space.directory, 'list.txt');
  writeFileSync(list, 'theirs\nours\n');
  const rule = (...args: string[]) => here('resolve', ...args, '--step', 'process', '--json');
  await rule('theirs', '--as', 'skip');
  expect(concluded(await rule('--accounts', list, '--as', 'repeat'), 'resolve', 0)).toMatchObject({
    accounts: 1,
  });
  expect(concluded(await here('show', 'theirs', '--json'), 'show', 0)).toMatchObject({ state: 'skipped' });
  expect(concluded(await rule('theirs', '--as', 'repeat'), 'resolve', 0)).toMatchObject({ accounts: 1 });
  expect(concluded(await here('show', 'theirs', '--json'), 'show', 0)).toMatchObject({
    state: 'staged',
    code: null,
  });
});

it('a file of rulings takes skip too, and for process alone', async () => {
  const file = join(space.directory, 'rulings.csv');
  writeFileSync(file, 'account,step,ruling\ntheirs,process,skip\nours,process,repeat\n');
  const ended = concluded(await here('resolve', '--from', file, '--yes', '--json'), 'resolve', 0);
  expect(ended).toMatchObject({ rulings: 2, done: 0, repeat: 1, skip: 1 });
  const again = concluded(await here('resolve', '--from', file, '--yes', '--json'), 'resolve', 0);
  expect(again).toMatchObject({ rulings: 0, already: 2 });
  writeFileSync(file, 'account,step,ruling\nours,stage,skip\n');
  refused(
    await here('resolve', '--from', file, '--yes', '--json'),
    'resolve',
    2,
    'Use it with the step process',
    'Nothing is changed',
  );
  refused(
    await here('resolve', 'ours', '--step', 'stage', '--as', 'skip', '--json'),
    'resolve',
    2,
    'Use it with the step process',
  );
});
