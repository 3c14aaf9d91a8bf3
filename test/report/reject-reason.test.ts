import { expect, test } from 'vitest';
import type { Problem } from '../../src/domain/problem.ts';
import { rejectReason } from '../../src/report/reject-reason.ts';

const problem = (code: string, path: string, line: number): Problem => ({
  account: '1',
  code,
  path,
  detail: 'No.',
  severity: 'error',
  cell: { file: 'a.csv', line, column: 'phone' },
});

test('a cell that several fields are made of is named once with each code', () => {
  const problems = [
    problem('invalid', 'customers.0.landline', 3),
    problem('invalid', 'customers.0.mobile', 3),
    problem('blank', 'customers.0.landline', 3),
    problem('invalid', 'customers.1.landline', 4),
  ];
  expect(rejectReason(problems)).toBe(
    'invalid at a.csv:3:phone + blank at a.csv:3:phone + invalid at a.csv:4:phone',
  );
});
