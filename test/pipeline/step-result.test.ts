import { expect, test } from 'vitest';
import { judged } from '../../src/pipeline/steps/step-result.ts';

const problem = {
  code: 'invalid',
  path: 'reference',
  detail: 'No such reference.',
  severity: 'error' as const,
};

test('a refusal of what is uncertain is no problem to fix: it waits for a ruling', () => {
  expect(judged({ state: 'refused', code: 'invalid', problems: [problem] }).problems).toHaveLength(1);
  expect(judged({ state: 'uncertain', code: 'invalid', problems: [problem] })).toEqual({
    state: 'uncertain',
    code: 'invalid',
    problems: [],
  });
});
