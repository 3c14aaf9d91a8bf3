import { expect, it } from 'vitest';
import type { Problem } from '../../../src/domain/problem.ts';
import { ToldProblems } from '../../../src/run/reading/told-problems.ts';

it('a problem is new once, and another one of the same account is new too', () => {
  const told = new ToldProblems();
  const cell = { file: 'A.csv', line: 2, column: 'DAY' };
  const problem: Problem = {
    account: 'A-1',
    code: 'invalid_date',
    path: 'a',
    detail: 'x',
    severity: 'error',
    cell,
  };
  expect(told.isNew(problem)).toBe(true);
  expect(told.isNew({ ...problem })).toBe(false);
  expect(told.isNew({ ...problem, account: 'A-2' })).toBe(true);
  expect(told.isNew({ ...problem, cell: { ...cell, line: 3 } })).toBe(true);
  told.close();
});
