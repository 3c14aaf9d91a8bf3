import { endpointOf, knownEndpoints, type Endpoint, type KnownEndpointName } from '../contract/endpoints.ts';
import type { TenancyContract } from '../contract/tenancy/contract.ts';
import { scheduledEndpoints } from '../contract/scheduled-import.ts';
import { stepNames, type StepName } from '../domain/steps.ts';
import { isJsonObject, type JsonObject } from '../domain/json.ts';

/** What a contract says of an endpoint; undefined if it does not have it. */
function operationOf({ documents }: TenancyContract, name: KnownEndpointName): JsonObject | undefined {
  const { method, path } = knownEndpoints[name];
  const wanted = plain(path);
  // The contract's servers may hold the beginning of the path.
  const found = documents
    .flatMap(({ paths }) => (isJsonObject(paths) ? Object.entries(paths) : []))
    .filter(([own]) => own.startsWith('/') && wanted.endsWith(plain(own)))
    .toSorted(([one], [other]) => other.length - one.length)[0]?.[1];
  const operation = isJsonObject(found) ? found[method.toLowerCase()] : undefined;
  return isJsonObject(operation) ? operation : undefined;
}

/** Parameters of a path have names of the contract's own. */
function plain(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}').replace(/\/$/, '');
}

export function offers(contract: TenancyContract | undefined, name: KnownEndpointName): boolean {
  if (contract === undefined) return !Object.hasOwn(scheduledEndpoints, name);
  const step = stepOf(name);
  const isOfFirst = step === 'validate' || step === 'stage' || step === 'process';
  if (isOfFirst && !contract.imports.includes('v1')) return false;
  return step === undefined ? operationOf(contract, name) !== undefined : contract.offers(step);
}

/** Where an account is validated: v1's endpoint, or v2's where the contract has only that. */
export function validateUnder(contract: TenancyContract | undefined): 'validate' | 'scheduleValidate' {
  return !offers(contract, 'validate') && offers(contract, 'scheduleValidate')
    ? 'scheduleValidate'
    : 'validate';
}

/** Whether an account is created by a task of v2, as the contract has nothing else. */
export function isScheduled(contract: TenancyContract | undefined): boolean {
  return !offers(contract, 'process') && offers(contract, 'schedule');
}

/** Statuses of a success: the interface's (section 4), and those that the contract names. */
export function successesUnder(
  contract: TenancyContract | undefined,
  name: KnownEndpointName,
): readonly number[] {
  const endpoint: Endpoint = knownEndpoints[name];
  const responses = contract && operationOf(contract, name)?.['responses'];
  const named = isJsonObject(responses)
    ? Object.keys(responses).filter((status) => /^2\d\d$/.test(status))
    : [];
  return [...new Set([...endpoint.success, ...named.map(Number)])];
}

/** The step that sends to an endpoint; undefined for one that only reads. */
export function stepOf(endpoint: KnownEndpointName): StepName | undefined {
  return stepNames.find((step) => endpointOf[step] === endpoint);
}
