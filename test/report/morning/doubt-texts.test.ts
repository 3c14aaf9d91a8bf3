import { expect, it } from 'vitest';
import { doubtTexts } from '../../../src/report/morning/doubt-texts.ts';

const none: Parameters<typeof doubtTexts>[0] = {
  ...{ reason: 'done', lost: 0, doubled: 0, uncertain: 0, unanswered: 0, strayRows: 0 },
  withoutSupplier: undefined,
};

it('nothing is called safe where the journal is gone', () => {
  expect(doubtTexts(none, '')).toEqual([
    'Nothing is lost, doubled or uncertain, as far as the journal knows.',
  ]);
  expect(doubtTexts({ ...none, reason: 'no-journal' }, '')).toEqual([
    'Whether anything is lost, doubled or uncertain is not known without the journal.',
  ]);
});
