import { afterAll, expect, it } from 'vitest';
import { workspace } from '../cli/tool.ts';
import { changedPlatform } from './changed-platform.ts';
import { checked } from './checked.ts';

const space = workspace();
afterAll(() => space.dispose());

async function measured(operator: Parameters<typeof changedPlatform>[1]) {
  const ended = await checked(space.directory, await changedPlatform({}, operator), '--read-back');
  return { ...ended, own: ended.checks.filter(({ section }) => section === 'read-back') };
}

it('a platform that shows its own writes is told', async () => {
  const { own, summary } = await measured({});
  expect(own).toMatchObject([{ outcome: 'passed' }]);
  expect(summary).toMatchObject({ exit: 0, readsOwnWrites: true });
});

it('one that is behind is told, and for how long', async () => {
  const { own, summary } = await measured({
    faults: { rules: [{ kind: 'read_lag', on: ['graphql'], ms: 700 }] },
  });
  expect(own).toMatchObject([{ outcome: 'failed' }]);
  expect(own[0]?.details[0]).toMatch(
    /^Of 10 notes, \d+ were not there in the first reading, and the last one came after \d+(?:\.\d)? s\./,
  );
  expect(summary).toMatchObject({ exit: 3, readsOwnWrites: false });
});

it('where notes may not be read, nothing is measured', async () => {
  const { own, summary } = await measured({
    faults: { rules: [{ kind: 'read_forbidden', on: ['graphql'], fields: ['AccountType.notes'] }] },
  });
  expect(own).toMatchObject([
    { outcome: 'not_checked', details: ['Notes cannot be read back: KT-CT-4177.'] },
  ]);
  expect(summary).toMatchObject({ exit: 0, readsOwnWrites: null });
});
