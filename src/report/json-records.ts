import type { AccountState } from '../domain/account-state.ts';
import { cellRecord } from '../domain/cell.ts';
import type { Problem } from '../domain/problem.ts';

/** A problem as one JSON line. */
export function problemRecord(problem: Problem): object {
  const { account, step, code, path, detail, severity, cell } = problem;
  return {
    type: 'problem',
    account,
    step,
    code,
    path,
    detail,
    severity,
    ...cellRecord(cell),
  };
}

/** An account that has ended, as one JSON line. */
export function accountRecord(ended: {
  readonly supplier: string;
  readonly account: string;
  readonly state: AccountState;
  readonly krakenAccountNumber?: string;
  readonly code: string;
}): object {
  const { account, state, krakenAccountNumber = null } = ended;
  const [supplier, code] = [ended.supplier, ended.code].map((text) => (text === '' ? null : text));
  return { type: 'account', supplier, account, state, krakenAccountNumber, code };
}
