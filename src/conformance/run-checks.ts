import { Accounts, accountNeeds } from './accounts.ts';
import { knownEndpoints, type KnownEndpointName } from '../contract/endpoints.ts';
import { anyValidate, type ConformanceCheck, type CheckResult } from './check.ts';
import type { AddedStep } from '../domain/added-step.ts';
import { addedStepChecks } from './checks/added-steps.ts';
import { authenticationChecks } from './checks/authentication.ts';
import { creationChecks, supplierChecks } from './checks/creation.ts';
import { errorChecks } from './checks/errors.ts';
import { extraDataChecks } from './checks/extra-data.ts';
import { contractChecks } from './checks/of-contract.ts';
import { payloadRuleChecks } from './checks/payload-rules.ts';
import { readingChecks } from './checks/reading.ts';
import { registrationChecks } from './checks/registration.ts';
import { scheduledImportChecks } from './checks/scheduled-import.ts';
import { offers, validateUnder } from './offered.ts';
import type { Payloads } from './payloads.ts';
import { CannotAsk, inWords, type Sandbox } from './sandbox.ts';
import { Trial } from './trial.ts';

/** All checks, in the order in which they are made. */
export function checksFor(
  payloads: Payloads,
  suppliers: { readonly paused: string | undefined; readonly complete: string | undefined },
  steps: readonly AddedStep[],
): readonly ConformanceCheck[] {
  const { contract } = payloads;
  const all = [
    ...creationChecks,
    ...payloadRuleChecks,
    ...errorChecks,
    ...readingChecks,
    ...extraDataChecks,
    ...authenticationChecks,
    ...supplierChecks(suppliers),
  ];
  if (contract === undefined) return all;
  return [
    ...all.filter(({ withoutContract }) => withoutContract !== true),
    ...scheduledImportChecks,
    ...registrationChecks,
    ...addedStepChecks(contract, steps, payloads.known),
    ...contractChecks(contract, payloads),
  ];
}

/** How many accounts the checks create on the platform, and how many they stage without creating them, at most. */
export function accountsMade(checks: readonly ConformanceCheck[]): {
  readonly created: number;
  readonly staged: number;
} {
  const created = checks.filter(({ account, creates }) => creates === true || account === 'imported').length;
  const left = checks.filter(
    ({ account, creates, asks }) =>
      creates !== true && (account === 'staged' || (account === 'new' && asks.includes('stage'))),
  ).length;
  // One more is shared by the checks that add to an account.
  return { created: created + 1, staged: left };
}

/**
 * Makes the checks one after the other; Calls `told` with each result. Throws CannotAsk if the platform does
 * not answer, or refuses the credentials.
 */
export async function runChecks(
  checks: readonly ConformanceCheck[],
  platform: Sandbox,
  payloads: Payloads,
  told: (result: CheckResult) => void,
  isStopped: () => boolean,
): Promise<void> {
  const first = await platform.status(platform.newAccount());
  if (first.status === 0) throw new CannotAsk('unavailable', first.cause);
  if (first.status === 403) throw new CannotAsk('credentials', inWords(first));
  const accounts = new Accounts(platform, payloads);
  for (const check of checks) {
    if (isStopped()) return;
    told(await resultOf(check, platform, payloads, accounts));
  }
}

async function resultOf(
  check: ConformanceCheck,
  platform: Sandbox,
  payloads: Payloads,
  accounts: Accounts,
): Promise<CheckResult> {
  const { section, sentence, subject } = check;
  const ended = (outcome: CheckResult['outcome'], ...details: readonly string[]): CheckResult => ({
    ...{ section, sentence, subject, outcome, details },
  });
  const { contract } = payloads;
  const asks = check.asks.map((name) => (name === anyValidate ? validateUnder(contract) : name));
  const needed = new Set<KnownEndpointName>([...accountNeeds(check.account, contract), ...asks]);
  const missing = [...needed].filter((name) => !offers(contract, name));
  if (missing.length > 0)
    return ended(
      'not_offered',
      `The contract has no ${missing.map((name) => knownEndpoints[name].path).join(', ')}.`,
    );
  const account = await accounts.get(check.account);
  if (typeof account !== 'string')
    return ended('not_checked', `The account that it needs was not created: ${inWords(account)}.`);
  const trial = new Trial(platform, payloads, account);
  await check.run(trial);
  if (trial.breaches.length > 0) return ended('failed', ...trial.breaches);
  if (trial.notOffered !== undefined) return ended('not_offered', trial.notOffered);
  return trial.notChecked === undefined ? ended('passed') : ended('not_checked', trial.notChecked);
}
