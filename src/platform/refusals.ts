import type { AccountKey } from '../domain/account-key.ts';
import type { PayloadProblem } from '../domain/problem.ts';
import { alreadyImportedCode } from '../contract/refusal.ts';
import type { Refused } from './reply.ts';
import { accountNumber } from './store/accounts.ts';

/** 400: the payload, or what it refers to, is wrong (section 7). */
export function invalid(problems: readonly PayloadProblem[]): Refused {
  return {
    status: 400,
    code: 'account_failed_validation',
    detail: 'The data could not be validated.',
    problems,
  };
}

export function problem(code: string, path: string, detail: string): PayloadProblem {
  return { code, path, detail, severity: 'error' };
}

/** 400 of stage and process for an account that exists, with both extra fields (section 4, rule 3). */
export function alreadyImported(key: AccountKey, number: number): Refused {
  const detail = 'The account was already imported.';
  return {
    status: 400,
    code: alreadyImportedCode,
    detail,
    problems: [problem(alreadyImportedCode, '', detail)],
    more: { external_account_number: key.account, kraken_account_number: accountNumber(number) },
  };
}

/** 404: no account of this pair; it must be imported, not only staged (section 4, rule 5). */
export const accountNotFound: Refused = {
  status: 404,
  code: 'account_not_found',
  detail:
    'The account was not found. It must be imported, not only staged; check the supplier code and the account number.',
};

/** 401 (section 5). */
export const unauthorized: Refused = {
  status: 401,
  code: 'authentication_failed',
  detail: 'Send a token that has not expired: Authorization: Token <ACCESS_TOKEN>.',
  headers: { 'www-authenticate': 'Token' },
};

/** 403: the credentials are accepted, and have no permission for this. */
export const denied: Refused = {
  status: 403,
  code: 'permission_denied',
  detail: 'You do not have permission to perform this action.',
};

/** 429 (section 8). No Retry-After is promised. */
export function tooManyRequests(retryAfterSeconds?: number): Refused {
  return {
    status: 429,
    code: 'too_many_requests',
    detail: 'Too many requests, or accounts in progress, at once. Try again later.',
    headers: retryAfterSeconds === undefined ? undefined : { 'retry-after': String(retryAfterSeconds) },
  };
}
