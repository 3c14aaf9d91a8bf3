import { extraStepNames, ofEachExtraStep, type ExtraStepName, type StepName } from '../domain/steps.ts';
import {
  extraStepContract,
  prefix,
  type Endpoint,
  type ExtraStepContract,
  type PayloadOf,
} from './extra-steps.ts';
import { registrationEndpoints } from './registration.ts';
import { scheduledEndpoints } from './scheduled-import.ts';
import { accountPayload } from './schemas/account.ts';
import { processPayload } from './schemas/import-process.ts';

export type { Endpoint } from './extra-steps.ts';

/** Statuses that a client accepts as success: 200 and 201 for every POST, because the text gives both (section 4). */
export function successesOf({ method, success, isExact }: Endpoint): readonly number[] {
  return method === 'POST' && isExact !== true ? [200, 201] : success;
}

/** The endpoints that create accounts, and those that only read. */
const ownEndpoints = {
  validate: {
    number: 1,
    method: 'POST',
    path: `${prefix}/validate-account/`,
    request: accountPayload,
    success: [200],
    mayBeEmpty: true,
    refusals: [400],
  },
  stage: {
    number: 2,
    method: 'POST',
    path: `${prefix}/account-import-process/create-or-update/`,
    request: accountPayload,
    success: [201, 200],
    refusals: [400],
  },
  process: {
    number: 3,
    method: 'POST',
    path: `${prefix}/account-import-process/process/`,
    request: processPayload,
    success: [201],
    refusals: [400, 404],
  },
  transferStatus: {
    number: 4,
    method: 'GET',
    path: `${prefix}/account-transfer-status/{import_supplier_code}/{external_account_number}/`,
    success: [200],
    refusals: [404],
  },
  allProcesses: {
    number: 5,
    method: 'GET',
    path: `${prefix}/all-account-import-processes/{import_supplier_code}/`,
    success: [200],
    refusals: [404],
  },
  pendingProcesses: {
    number: 6,
    method: 'GET',
    path: `${prefix}/pending-account-import-processes/{import_supplier_code}/`,
    success: [200],
    refusals: [404],
  },
  importedProcesses: {
    number: 7,
    method: 'GET',
    path: `${prefix}/imported-account-import-processes/{import_supplier_code}/`,
    success: [200],
    refusals: [404],
  },
} as const satisfies Record<string, Endpoint>;

/** A step's name as an identifier: `billingDocuments`. */
type IdentifierOf<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<IdentifierOf<Rest>>}`
  : Name;

function identifierOf<Name extends string>(name: Name): IdentifierOf<Name> {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as IdentifierOf<Name>;
}

/** The endpoint that each step sends to. */
export const endpointOf = {
  validate: 'validate',
  stage: 'stage',
  process: 'process',
  ...(ofEachExtraStep(identifierOf) as { readonly [Step in ExtraStepName]: IdentifierOf<Step> }),
} as const satisfies Record<StepName, string>;

type ExtraEndpoints = {
  readonly [Step in ExtraStepName as IdentifierOf<Step>]: ExtraStepContract<PayloadOf<Step>>['endpoint'] & {
    readonly method: 'POST';
    readonly refusals: readonly number[];
  };
};

/** Each of these steps needs an account that exists (section 4, rule 5). */
const refusalsOfExtras = [400, 404] as const;

function endpointFor(step: ExtraStepName): [name: string, endpoint: Endpoint] {
  return [
    endpointOf[step],
    { method: 'POST', refusals: refusalsOfExtras, ...extraStepContract(step).endpoint },
  ];
}

/** The interface's table of endpoints (section 4). */
export const endpoints = {
  ...ownEndpoints,
  ...(Object.fromEntries(extraStepNames.map(endpointFor)) as ExtraEndpoints),
};

export type EndpointName = keyof typeof endpoints;

/** The interface's endpoints, and those that only published contracts have. */
export const knownEndpoints = { ...endpoints, ...scheduledEndpoints, ...registrationEndpoints };

export type KnownEndpointName = keyof typeof knownEndpoints;

/** The path of a GET endpoint for one supplier or one account, with each value escaped within its segment. */
export function pathFor(endpoint: Endpoint, supplier: string, account = ''): string {
  return endpoint.path
    .replace('{import_supplier_code}', () => encodeURIComponent(supplier))
    .replace(/\{external_(?:account_number|identifier)\}/, () => encodeURIComponent(account));
}
