import type { WireRequest } from '../../../src/client/http-exchange.ts';
import { endpoints, type EndpointName } from '../../../src/contract/endpoints.ts';
import type { TransactionsQuery } from '../../../src/contract/schemas/transactions.ts';
import { isJsonObject, parseJson, type JsonObject } from '../../../src/domain/json.ts';
import { extraStepNames, type ExtraStepName } from '../../../src/domain/steps.ts';

/** A request as the platform reads it. */
export interface Request {
  readonly endpoint: EndpointName;
  /** '' where it is about none. */
  readonly account: string;
  readonly body: JsonObject;
  /** The body as it was sent. */
  readonly text: string;
  readonly query: TransactionsQuery;
  readonly hasEffect: boolean;
  /** It is to create an account; a dry run creates nothing. */
  readonly isCreation: boolean;
}

const names = Object.keys(endpoints) as EndpointName[];
const isQuestion: ReadonlySet<EndpointName> = new Set(
  names.filter((name) => endpoints[name].method === 'GET' || name === 'validate'),
);

export function readRequest({ path, body: sent = '' }: WireRequest): Request {
  const { pathname, searchParams } = new URL(path, 'https://platform.example');
  const endpoint = names.find((name) => pathname.startsWith(endpoints[name].path.split('{')[0] ?? ''));
  if (endpoint === undefined) throw new Error(`nothing is at ${path}`);
  const text = sent.toString();
  const read = text === '' ? {} : parseJson(text);
  const body = isJsonObject(read) ? read : {};
  const named = body['external_account_number'];
  return {
    endpoint,
    account: typeof named === 'string' ? named : accountIn(endpoint, pathname),
    body,
    text,
    query: {
      checkPreviouslyAdded: searchParams.get('check_previously_added') === 'true',
      forceAddToCurrentStatement: searchParams.get('force_add_to_current_statement') === 'true',
    },
    hasEffect: !isQuestion.has(endpoint),
    isCreation: endpoint === 'process' && body['dry_run'] !== true,
  };
}

function accountIn(endpoint: EndpointName, pathname: string): string {
  return endpoint === 'transferStatus' ? decodeURIComponent(pathname.split('/').at(-2) ?? '') : '';
}

/** The step that an endpoint adds to an account. */
export function stepOf(endpoint: EndpointName): ExtraStepName | undefined {
  return extraStepNames.find((name) => name.replaceAll('-', '') === endpoint.toLowerCase());
}
