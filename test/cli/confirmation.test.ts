import { afterAll, expect, it } from 'vitest';
import { ranHere } from './own-shell.ts';
import { project, workspace } from './tool.ts';

const space = workspace();
afterAll(() => space.dispose());

it('names what is about to be created, and where, before a person agrees', async () => {
  const asked: string[] = [];
  const ended = await ranHere(
    [
      'run',
      project('fixtures/interface'),
      '--supplier',
      'TENTACLE_ENERGY',
      '--team',
      'MIGRATIONS',
      '--limit',
      '10',
    ],
    space.directory,
    {
      interactive: true,
      env: { MIGRATE_BASE_URL: 'https://platform.example', MIGRATE_TOKEN: 'a-token' },
      confirm: (question) => {
        asked.push(question);
        return Promise.resolve(false);
      },
    },
  );
  expect(asked).toEqual([
    'Create accounts on https://platform.example (supplier TENTACLE_ENERGY; team MIGRATIONS; export of 50 accounts, at most 10)?',
  ]);
  expect(ended.stderr).toContain('Nothing was sent.');
});
